// Small stages as texts, and what is read of them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion.h"
#include "kinemorph/converters/verify.h"

namespace kinemorph::test::usd {

inline const std::string kHead =
    "#usda 1.0\n(\n    defaultPrim = \"r\"\n    metersPerUnit = 1\n    upAxis = \"Z\"\n)\n";

/// A rigid body of 1 kg with what else stands in it.
inline std::string RigidBody(const std::string& name, const std::string& more = "") {
  return "def Xform \"" + name +
         "\" (\n    prepend apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\"]\n)\n{\n"
         "    float physics:mass = 1\n    float3 physics:diagonalInertia = (1, 2, 3)\n"
         "    point3f physics:centerOfMass = (0, 0, 0)\n" +
         more + "}\n";
}
/// A joint from a to b with what else stands in it.
inline std::string JointOf(const std::string& type, const std::string& more = "",
                           const std::string& apis = "") {
  return "def " + type + " \"j\" (\n    prepend apiSchemas = [" + apis +
         "]\n)\n{\n    rel physics:body0 = </r/a>\n    rel physics:body1 = </r/b>\n" + more + "}\n";
}
inline std::string Robot(const std::string& inside, const std::string& head = kHead) {
  return head + "def Xform \"r\"\n{\n" + inside + "}\n";
}
/// a on the world, b on a.
inline std::string TwoBodies(const std::string& joint) {
  return Robot(RigidBody("a") + RigidBody("b") +
               "def PhysicsFixedJoint \"w\"\n{\n    rel physics:body1 = </r/a>\n}\n" + joint);
}

struct Read {
  std::optional<Model> model;
  std::string said;
};
inline Read ReadStage(const std::string& text) {
  Diagnostics diagnostics;
  Read read;
  read.model = ReadText(text, "m.usda", diagnostics);
  read.said = Rendered(diagnostics, Severity::kNote);
  return read;
}
/// The joint "j" of two bodies.
inline Joint JointIn(const std::string& joint) {
  const Read read = ReadStage(TwoBodies(joint));
  EXPECT_TRUE(read.model) << read.said;
  const auto id = read.model ? read.model->FindJoint("j") : std::nullopt;
  EXPECT_TRUE(id) << read.said;
  return id ? read.model->joint(*id) : Joint();
}

/// Both are one mechanism, but for what the first checks allow.
inline VerifyResult Compared(const Model& a, const Model& b) { return VerifyEquivalent(a, b, {}); }

}  // namespace kinemorph::test::usd

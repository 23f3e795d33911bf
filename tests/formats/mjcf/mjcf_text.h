// Reading and writing MJCF literals in tests.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kinemorph/formats/formats.h"
#include "kinemorph/formats/resources.h"
#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

struct MjcfRead {
  Model model;
  std::vector<std::string> errors, warnings, notes;  ///< rendered
};

inline MjcfRead ReadMjcfText(const std::string& text,
                             std::map<std::string, std::string> files = {}) {
  Diagnostics diagnostics;
  files["robot.xml"] = text;
  const MemoryResolver resolver(std::move(files));
  MjcfRead result;
  auto model = FindFormat("mjcf")->read(text, {"robot.xml", &resolver}, diagnostics);
  if (model) result.model = std::move(*model);
  for (const Diagnostic& d : diagnostics.items()) {
    if (d.severity == Severity::kError) result.errors.push_back(Render(d));
    if (d.severity == Severity::kWarning) result.warnings.push_back(Render(d));
    if (d.severity == Severity::kNote) result.notes.push_back(Render(d));
  }
  return result;
}

/// A model from <worldbody> content that must read without a word.
inline Model Quiet(const std::string& text, std::map<std::string, std::string> files = {}) {
  MjcfRead read = ReadMjcfText(text, std::move(files));
  EXPECT_TRUE(read.errors.empty()) << read.errors.front();
  EXPECT_TRUE(read.warnings.empty()) << read.warnings.front();
  return std::move(read.model);
}

inline std::string World(const std::string& bodies) {
  return "<mujoco><compiler angle=\"radian\"/><worldbody>" + bodies + "</worldbody></mujoco>";
}

inline const Joint& JointNamed(const Model& model, const std::string& name) {
  return model.joint(model.FindJoint(name).value());
}
inline const Link& LinkNamed(const Model& model, const std::string& name) {
  return model.link(model.FindLink(name).value());
}

inline std::string WriteMjcfText(const Model& model, std::vector<std::string>* messages = nullptr) {
  Diagnostics diagnostics;
  std::string text = FindFormat("mjcf")->write(model, {}, diagnostics).text;
  for (const Diagnostic& d : diagnostics.items()) {
    if (messages != nullptr)
      messages->push_back(Render(d));
    else
      EXPECT_EQ(d.code, "equality-soft") << Render(d);  // true of every loop
  }
  return text;
}

#define EXPECT_NEAR_MATRIX(a, b) \
  EXPECT_LT(((a) - (b)).cwiseAbs().maxCoeff(), 1e-12) << "got\n" << (a) << "\nexpected\n" << (b)

}  // namespace kinemorph

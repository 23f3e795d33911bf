// The text holds what the table says: each native cell on its own fixture, by what stands in the
// stage.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "conversion.h"
#include "kinemorph/formats/capability_table.h"

namespace kinemorph::test {
namespace {

using enum Feature;
using testing::HasSubstr;

struct Mark {
  const char *newton, *physx;
  explicit Mark(const char* both) : newton(both), physx(both) {}
  Mark(const char* n, const char* p) : newton(n), physx(p) {}
};

// Of every cell that is native in one of the two dialects.
const std::map<Feature, Mark>& Marks() {
  static const std::map<Feature, Mark> kMarks = {
      {kJointFixed, Mark("def PhysicsFixedJoint \"")},
      {kJointRevolute, Mark("float physics:lowerLimit = ")},
      {kJointContinuous, Mark("def PhysicsRevoluteJoint \"")},
      {kJointPrismatic, Mark("def PhysicsPrismaticJoint \"")},
      {kJointUniversal, Mark("\"PhysicsLimitAPI:transZ\", \"PhysicsLimitAPI:rotZ\"")},
      {kJointBall, Mark("def PhysicsSphericalJoint \"")},
      {kJointPlanar,
       Mark("[\"PhysicsLimitAPI:transZ\", \"PhysicsLimitAPI:rotX\", \"PhysicsLimitAPI:rotY\"")},
      {kJointCylindrical,
       Mark("[\"PhysicsLimitAPI:transX\", \"PhysicsLimitAPI:transY\", \"PhysicsLimitAPI:rotX\", "
            "\"PhysicsLimitAPI:rotY\"")},
      {kLoopFixed, Mark("physics:excludeFromArticulation = true")},
      {kLoopRevolute, Mark("physics:excludeFromArticulation = true")},
      {kLoopPrismatic, Mark("physics:excludeFromArticulation = true")},
      {kLoopBall, Mark("physics:excludeFromArticulation = true")},
      {kLoopPlanar, Mark("physics:excludeFromArticulation = true")},
      {kLoopCylindrical, Mark("physics:excludeFromArticulation = true")},
      {kLoopAncestor, Mark("physics:excludeFromArticulation = true")},
      {kLoopAxisData, Mark("float newton:damping = ", "")},
      {kCouplingMimic, Mark("rel newton:mimicJoint = <", "\"PhysxMimicJointAPI:")},
      {kCouplingPolynomial, Mark("double mjc:coef2 = ", "")},
      {kJointFrameOffset, Mark("point3f physics:localPos1 = ")},
      {kWorldJoint, Mark("def Physics")},
      {kFloatingBase, Mark("PhysicsRigidBodyAPI")},
      {kFrame, Mark("def Xform \"")},
      {kGravity, Mark("float physics:gravityMagnitude = ")},
      {kNameClash, Mark("def Scope \"joints\"")},
      {kRotatedInertia, Mark("quatf physics:principalAxes = (")},
      {kLinkGravity, Mark("", "bool physxRigidBody:disableGravity = true")},
      {kSelfCollision, Mark("bool newton:selfCollisionEnabled = true",
                            "bool physxArticulation:enabledSelfCollisions = true")},
      {kPositionLimit, Mark("float physics:upperLimit = ")},
      {kOneSidedLimit, Mark("float physics:upperLimit = ")},
      {kVelocityLimit,
       Mark("float newton:velocityLimit = ", "float physxJoint:maxJointVelocity = ")},
      {kDamping, Mark("float newton:damping = ",
                      "float physxJointAxis:angular:viscousFrictionCoefficient = ")},
      {kFriction,
       Mark("float newton:friction = ", "float physxJointAxis:angular:dynamicFrictionEffort = ")},
      {kArmature, Mark("float newton:armature = ", "float physxJoint:armature = ")},
      {kVisual, Mark("def Cube \"")},
      {kCollision, Mark("\"PhysicsCollisionAPI\"")},
      {kShapeBox, Mark("def Cube \"")},
      {kShapeSphere, Mark("def Sphere \"")},
      {kShapeCylinder, Mark("def Cylinder \"")},
      {kShapeCapsule, Mark("def Capsule \"")},
      {kShapeCone, Mark("def Cone \"")},
      {kShapeEllipsoid, Mark("double3 xformOp:scale = (")},
      {kShapeMeshScale, Mark("double3 xformOp:scale = (")},
      {kMaterialColor, Mark("color3f inputs:diffuseColor = (")},
      {kMaterialTexture, Mark("asset inputs:file = @")},
      {kContactExclusion, Mark("rel physics:filteredPairs = <")},
  };
  return kMarks;
}

std::string FixtureOf(Feature feature) {
  if (feature == kJointCylindrical) feature = kJointPlanar;
  if (feature == kLoopCylindrical) feature = kLoopPlanar;
  const std::vector<std::string> files =
      FilesBelow(Fixtures() + "/features/" + std::string(FeatureName(feature)),
                 {".sdf", ".urdf", ".xml", ".mbs"});
  return files.empty() ? "" : files.front();
}

// No text format but MBS spells a cylindrical joint.
void MakeCylindrical(Model& model) {
  for (const JointId id : Joints(model))
    if (const auto* planar = std::get_if<Planar>(&model.joint(id).kind)) {
      model.joint(id).kind = Cylindrical{planar->normal};
      model.joint(id).axes.assign(2, JointAxis());
    }
}

class UsdCell : public testing::TestWithParam<const char*> {};

TEST_P(UsdCell, StandsInTheText) {
  const Target target = TargetNamed(GetParam());
  for (int f = 0; f < static_cast<int>(kCount); ++f) {
    const Feature feature = static_cast<Feature>(f);
    if (CapabilityOf(feature, target).support != Support::kNative) continue;
    const auto mark = Marks().find(feature);
    ASSERT_NE(mark, Marks().end()) << "no mark for " << FeatureName(feature);
    Diagnostics reading, converting;
    std::optional<Model> source = ReadFile(FixtureOf(feature), reading);
    ASSERT_TRUE(source) << Rendered(reading);
    if (feature == kJointCylindrical || feature == kLoopCylindrical) MakeCylindrical(*source);
    ConvertOptions options;
    options.target = target;
    const std::optional<Converted> converted = Convert(*source, options, converting);
    ASSERT_TRUE(converted) << FeatureName(feature) << "\n" << Rendered(converting);
    EXPECT_THAT(converted->text,
                HasSubstr(target.options.physx ? mark->second.physx : mark->second.newton))
        << FeatureName(feature);
  }
}

INSTANTIATE_TEST_SUITE_P(Dialects, UsdCell, testing::Values("usda", "usda physx"),
                         [](const auto& tested) {
                           return tested.param == std::string("usda") ? "Newton" : "PhysX";
                         });

}  // namespace
}  // namespace kinemorph::test

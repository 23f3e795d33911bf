// What one side says of something that the other side has in another form, or not at all, is named:
// the start of a free body, numbers of a part of a free joint, a link that is a frame elsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion.h"
#include "kinemorph/converters/verify.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;

constexpr const char* kInertial =
    "<inertial><mass value='1'/><inertia ixx='1' iyy='2' izz='2.5' ixy='0' ixz='0' iyz='0'/>"
    "</inertial>";

Model Read(const std::string& text, const std::string& name) {
  Diagnostics diagnostics;
  std::optional<Model> model = ReadText(text, name, diagnostics);
  EXPECT_TRUE(model) << Rendered(diagnostics);
  return model ? std::move(*model) : Model();
}

// What a conversion writes, read back.
Model As(const Model& model, const std::string& format) {
  ConvertOptions options;
  options.target = TargetNamed(format);
  Diagnostics diagnostics;
  const auto converted = Convert(model, options, diagnostics);
  EXPECT_TRUE(converted) << Rendered(diagnostics);
  return converted ? Read(converted->text, "written" + Extension(options.target.format->name))
                   : Model();
}

// All that is said of a comparison.
std::string Said(const Model& a, const Model& b) {
  const VerifyResult result = VerifyEquivalent(a, b);
  std::string text = result.line + "\n";
  for (const VerifyCheck& check : result.checks)
    for (const std::string& item : check.excepted) text += item + "\n";
  return text + Rendered(result.diagnostics);
}

TEST(NoCounterpart, AFreeBodyThatStartsElsewhereIsAnotherRobot) {
  const std::string inertial = kInertial;
  const Model cart = Read("<robot name='r'><link name='base'>" + inertial +
                              "</link><link name='ball'>" + inertial +
                              "</link><joint name='f' type='floating'><origin xyz='1 2 3'/>"
                              "<parent link='base'/><child link='ball'/></joint></robot>",
                          "r.urdf");
  for (const char* format : {"mjcf", "sdf", "mbs"}) {
    Model other = As(cart, format);
    EXPECT_THAT(Said(cart, other), testing::StartsWith("equivalent")) << format;
    for (const JointId id : Joints(other))
      if (other.successor(id) == *other.FindLink("ball")) other.joint(id).X_PF.p.x() += 0.5;
    EXPECT_THAT(Said(cart, other), testing::StartsWith("NOT equivalent")) << format;
    EXPECT_THAT(Said(other, cart), testing::StartsWith("NOT equivalent")) << format;
  }
}

TEST(NoCounterpart, DampingOfAPartOfAFreeJointIsNamed) {
  const Model body = Read(
      "<mujoco><worldbody><site name='w' pos='0 0 1'/><body name='a' pos='0 0 1'>"
      "<freejoint name='f'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><site name='s'/>"
      "</body></worldbody><equality><connect site1='w' site2='s'/></equality></mujoco>",
      "a.xml");
  Model parts = As(body, "mbs");
  ASSERT_EQ(parts.num_joints(), 7u) << "six parts and the loop";
  EXPECT_THAT(Said(body, parts), testing::StartsWith("equivalent"));
  parts.joint(JointId{3}).axes.at(0).damping = 0.3;
  const std::string& name = parts.joint(JointId{3}).name;
  EXPECT_THAT(Said(body, parts), testing::AllOf(HasSubstr("damping"), HasSubstr(name)));
  EXPECT_THAT(Said(parts, body), testing::AllOf(HasSubstr("damping"), HasSubstr(name)));
}

TEST(NoCounterpart, ALinkOfOneFileAloneIsNamedInBothOrders) {
  const std::string inertial = kInertial;
  const Model arm = Read("<robot name='r'><link name='base'>" + inertial +
                             "</link><link name='tool0'/><joint name='t' type='fixed'>"
                             "<parent link='base'/><child link='tool0'/></joint></robot>",
                         "r.urdf");
  Model sdf = As(arm, "sdf");
  ASSERT_EQ(sdf.frames.size(), 1u);
  EXPECT_THAT(Said(sdf, arm), testing::Not(HasSubstr("tool0")));
  sdf.frames.clear();
  EXPECT_THAT(Said(arm, sdf), HasSubstr("tool0"));
  EXPECT_THAT(Said(sdf, arm), HasSubstr("link 'tool0' is not in A"));
}

}  // namespace
}  // namespace kinemorph::test

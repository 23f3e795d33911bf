// What MuJoCo's compiler works out of a model, against ours: springs given by time constants, and
// which links may touch.
#include <gtest/gtest.h>

#include "conversion.h"

#ifdef KINEMORPH_LIBMUJOCO
#include "mujoco_text.h"

namespace kinemorph {
namespace {

std::string Written(const std::string& text, const std::string& file, const char* target) {
  Diagnostics diagnostics;
  const std::optional<Model> model = test::ReadText(text, file, diagnostics);
  ConvertOptions options;
  options.target = test::TargetNamed(target);
  const auto converted = model ? Convert(*model, options, diagnostics) : std::nullopt;
  EXPECT_TRUE(converted) << test::Rendered(diagnostics);
  return converted ? converted->text : "";
}

// A tree with every kind of joint, several joints in a body, offset anchors, armature, ref, and a
// loop that plays no part.
const std::string kSprung = R"(<mujoco><compiler angle="radian"/><worldbody>
  <body name="float" pos="1 2 3" euler="0.1 0.2 0.3"><joint name="free" type="free" springdamper="0.3 0.7"/>
    <inertial pos="0.1 0 0.2" mass="3" diaginertia="0.3 0.2 0.25" euler="0.3 0 0.1"/>
    <body name="head" pos="0 0 1"><joint name="ball" type="ball" pos="0.1 0.2 0" springdamper="0.05 1.5" armature="0.01"/>
      <inertial pos="0 0.1 0" mass="1" diaginertia="0.03 0.02 0.04" euler="0.2 0.1 0"/></body></body>
  <body name="cart"><joint name="slide" type="slide" axis="1 1 0" springdamper="2 0.5" springref="0.2"/>
    <inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>
    <body name="arm" pos="0 0 0.5"><joint name="turn" axis="0 1 0" ref="0.4" springref="0.1" springdamper="0.1 1" armature="0.2"/>
      <joint name="twist" pos="0 0.1 0" axis="1 0 1" springdamper="0.2 0.3"/><joint name="plain" axis="0 0 1" stiffness="5" damping="0.5"/>
      <inertial pos="0.2 0 0.3" mass="1.5" diaginertia="0.1 0.2 0.15"/>
      <body name="tip" pos="0.4 0 0"><joint name="none" axis="0 1 0" stiffness="7"/>
        <inertial pos="0.1 0 0" mass="0.5" diaginertia="0.01 0.02 0.015"/></body></body></body>
  </worldbody><equality><connect body1="tip" body2="cart" anchor="0.1 0 0"/></equality></mujoco>)";

TEST(MujocoCompiler, SpringDampersBecomeTheStiffnessAndDampingOfTheCompiler) {
  const test::MujocoModel theirs(kSprung), rewritten(Written(kSprung, "sprung.xml", "mjcf"));
  ASSERT_NE(theirs.model(), nullptr) << theirs.why();
  ASSERT_NE(rewritten.model(), nullptr) << rewritten.why();
  Diagnostics diagnostics;
  const Model model = test::ReadText(kSprung, "sprung.xml", diagnostics).value();
  for (const char* name : {"free", "ball", "slide", "turn", "twist", "plain", "none"}) {
    const int id = mj_name2id(theirs.model(), mjOBJ_JOINT, name),
              again = mj_name2id(rewritten.model(), mjOBJ_JOINT, name);
    ASSERT_TRUE(id >= 0 && again >= 0) << name;
    const double stiffness = theirs.model()->jnt_stiffness[id],
                 damping = theirs.model()->dof_damping[theirs.model()->jnt_dofadr[id]];
    const JointAxis& axis = model.joint(model.FindJoint(name).value()).axes.front();
    EXPECT_NEAR(axis.spring_stiffness.value_or(0), stiffness, 1e-9 * stiffness) << name;
    EXPECT_NEAR(axis.damping.value_or(0), damping, 1e-9 * damping) << name;
    EXPECT_NEAR(rewritten.model()->jnt_stiffness[again], stiffness, 1e-9 * stiffness) << name;
    EXPECT_NEAR(rewritten.model()->qpos_spring[rewritten.model()->jnt_qposadr[again]],
                theirs.model()->qpos_spring[theirs.model()->jnt_qposadr[id]], 1e-12)
        << name;
  }
}

// A four-bar whose bars overlap at their pins, and a ball that rolls against the last one.
std::string FourBar() {
  const auto link = [](const std::string& name) {
    return "<link name=\"" + name +
           R"("><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>)" +
           R"(<collision><geometry><sphere radius="0.6"/></geometry></collision></link>)";
  };
  const auto joint = [](const std::string& name, const std::string& parent,
                        const std::string& child, const std::string& xyz) {
    return "<joint name=\"" + name + "\" type=\"continuous\"><parent link=\"" + parent +
           "\"/><child link=\"" + child + "\"/><origin xyz=\"" + xyz +
           "\"/><axis xyz=\"0 1 0\"/></joint>";
  };
  return "<robot name=\"r\">" + link("base") + link("crank") + link("coupler") + link("rocker") +
         joint("a", "base", "crank", "0 0 1") + joint("b", "crank", "coupler", "1 0 0") +
         joint("c", "base", "rocker", "1 0 0") +
         "<loop name=\"l\" type=\"continuous\"><predecessor link=\"coupler\"><origin xyz=\"0 0 "
         "-1\"/></predecessor><successor "
         "link=\"rocker\"/><axis xyz=\"0 1 0\"/></loop></robot>";
}

TEST(MujocoCompiler, LinksOnALoopOrAStandingBaseDoNotTouch) {
  const test::MujocoModel mujoco(Written(FourBar(), "four_bar.urdf", "mjcf"));
  ASSERT_NE(mujoco.model(), nullptr) << mujoco.why();
  mj_forward(mujoco.model(), mujoco.data());
  EXPECT_EQ(mujoco.data()->ncon, 0);
}

}  // namespace
}  // namespace kinemorph
#else
TEST(MujocoCompiler, NeedsMujoco) { GTEST_SKIP() << "libmujoco was not found when this was built"; }
#endif

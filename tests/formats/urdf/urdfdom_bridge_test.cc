// The bridge against urdfdom's own parser: the same robot without a file, both ways.
#include "kinemorph/formats/urdfdom_bridge.h"

#include <console_bridge/console.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <urdf_parser/urdf_parser.h>

#include "kinemorph/graph/model/model_dump.h"
#include "urdf_text.h"

namespace kinemorph::test {
namespace {

using testing::ElementsAre;

const std::string kArm = R"(
  <material name="red"><color rgba="1 0 0 0.5"/></material>
  <link name="base"><inertial><origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/><mass value="2"/><inertia ixx="1" ixy="0.1" ixz="0.2" iyy="2" iyz="0.3" izz="2.5"/></inertial></link>
  <link name="arm"><visual name="v"><geometry><box size="1 2 3"/></geometry><material name="red"/></visual><collision><geometry><cylinder radius="1" length="2"/></geometry></collision></link>
  <link name="hand"><visual><geometry><mesh filename="package://r/a.stl" scale="2 2 2"/></geometry></visual></link>
  <joint name="hinge" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="1 2 3" rpy="0 0 0.5"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="2" effort="3" velocity="4"/><dynamics damping="5" friction="6"/><safety_controller soft_lower_limit="-0.5" soft_upper_limit="1" k_position="7" k_velocity="8"/></joint>
  <joint name="slide" type="prismatic"><parent link="arm"/><child link="hand"/><axis xyz="0 0 1"/><limit lower="0" upper="1" effort="1" velocity="1"/>
    <mimic joint="hinge" multiplier="2" offset="0.5"/></joint>)";

TEST(ToUrdfdom, IsWhatUrdfdomParses) {
  Diagnostics diagnostics;
  const urdf::ModelInterfaceSharedPtr ours = ToUrdfdom(*ReadRobot(kArm).model, diagnostics);
  const urdf::ModelInterfaceSharedPtr theirs = urdf::parseURDF(Robot(kArm));
  ASSERT_TRUE(ours && theirs);
  EXPECT_EQ(ours->getName(), "r");
  EXPECT_EQ(ours->getRoot()->name, "base");
  EXPECT_EQ(ours->links_.size(), theirs->links_.size());
  const urdf::Joint &a = *ours->getJoint("hinge"), &b = *theirs->getJoint("hinge");
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.axis.y, b.axis.y);
  EXPECT_EQ(a.limits->lower, b.limits->lower);
  EXPECT_EQ(a.limits->velocity, b.limits->velocity);
  EXPECT_EQ(a.dynamics->friction, b.dynamics->friction);
  EXPECT_EQ(a.safety->k_velocity, b.safety->k_velocity);
  EXPECT_NEAR(a.parent_to_joint_origin_transform.rotation.z,
              b.parent_to_joint_origin_transform.rotation.z, 1e-15);
  EXPECT_EQ(ours->getJoint("slide")->mimic->multiplier, 2);
  EXPECT_EQ(ours->getJoint("slide")->mimic->offset, 0.5);
  EXPECT_EQ(ours->getLink("base")->inertial->iyz, 0.3);
  EXPECT_EQ(ours->getLink("arm")->visual->material->color.a, 0.5f);
  EXPECT_EQ(ours->getLink("hand")->getParent()->name, "arm");
  EXPECT_TRUE(diagnostics.items().empty());
}

TEST(ToUrdfdom, LoopsAndCouplingsAreLeftOutWithWarnings) {
  Diagnostics diagnostics;
  const ReadResult read = ReadRobot(FourBar(
      R"(<loop name="pin" type="fixed"><predecessor link="coupler"/><successor link="rocker"/></loop>
<coupling name="gear"><predecessor link="crank"/><successor link="rocker"/></coupling>)"));
  EXPECT_TRUE(ToUrdfdom(*read.model, diagnostics));
  ASSERT_EQ(diagnostics.items().size(), 2u);
  EXPECT_EQ(Render(diagnostics.items()[0]),
            "robot.urdf:5: warning: loop 'pin': urdfdom has no loops; kinemorph leaves it out "
            "[not-in-urdfdom]");
  EXPECT_EQ(Render(diagnostics.items()[1]),
            "robot.urdf:6: warning: coupling 'gear': urdfdom has no coupling beside mimic; "
            "kinemorph leaves it out [not-in-urdfdom]");
}

TEST(ToUrdfdom, RefusesWhatIsNoUrdfTree) {
  Diagnostics diagnostics;
  Model model = *ReadRobot(Hinge("", "continuous")).model;
  model.joint(JointId{0}).X_SM.p = Vector3::UnitX();
  EXPECT_FALSE(ToUrdfdom(model, diagnostics));
  model.joint(JointId{0}).X_SM = {};
  model.joint(JointId{0}).kind = Ball{};
  EXPECT_FALSE(ToUrdfdom(model, diagnostics));
  Link island;
  island.name = "island";
  Model two_roots = *ReadRobot(Hinge("", "continuous")).model;
  two_roots.AddLink(island);
  EXPECT_FALSE(ToUrdfdom(two_roots, diagnostics));
  std::vector<std::string> codes;
  for (const Diagnostic& item : diagnostics.items()) codes.push_back(item.code);
  EXPECT_THAT(codes,
              ElementsAre("joint-frame-not-lowered", "joint-type-not-lowered", "tree-broken"));
}

TEST(FromUrdfdom, ThereAndBackIsTheSameModel) {
  Diagnostics diagnostics;
  Model model = *ReadRobot(kArm).model;
  const std::optional<Model> back = FromUrdfdom(*ToUrdfdom(model, diagnostics), diagnostics);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->num_joints(), model.num_joints());
  EXPECT_EQ(JointNamed(*back, "hinge").axes[0].lower, -1);
  EXPECT_EQ(JointNamed(*back, "hinge").axes[0].safety->k_position, 7);
  EXPECT_EQ(back->couplings.at(0).terms[1].coefficients[0], -2);
  EXPECT_EQ(LinkNamed(*back, "base").inertial->I_I, LinkNamed(model, "base").inertial->I_I);
  EXPECT_EQ(std::get<Mesh>(LinkNamed(*back, "hand").visuals[0].shape).scale, Vector3(2, 2, 2));
  EXPECT_EQ(*LinkNamed(*back, "arm").visuals[0].material->diffuse, Rgba(1, 0, 0, 0.5));
  EXPECT_NEAR((JointNamed(*back, "hinge").X_PF.R - JointNamed(model, "hinge").X_PF.R).norm(), 0,
              1e-15);
}

TEST(FromUrdfdom, NoLimitsStayNoLimits) {
  Diagnostics diagnostics;
  Model model =
      *ReadRobot(Hinge("<limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/>")).model;
  model.joint(JointId{0}).axes[0].upper.reset();
  model.joint(JointId{0}).axes[0].effort.reset();
  const urdf::ModelInterfaceSharedPtr robot = ToUrdfdom(model, diagnostics);
  EXPECT_EQ(robot->getJoint("hinge")->limits->upper, 1e16);
  const std::optional<Model> back = FromUrdfdom(*robot, diagnostics);
  EXPECT_EQ(back->joint(JointId{0}).axes[0].upper, std::nullopt);
  EXPECT_EQ(back->joint(JointId{0}).axes[0].effort, std::nullopt);
  EXPECT_EQ(back->joint(JointId{0}).axes[0].lower, -1);
}

TEST(FromUrdfdom, RefusesAZeroAxis) {
  Diagnostics diagnostics;
  const urdf::ModelInterfaceSharedPtr robot =
      ToUrdfdom(*ReadRobot(Hinge("", "continuous")).model, diagnostics);
  std::const_pointer_cast<urdf::Joint>(robot->getJoint("hinge"))->axis.clear();
  EXPECT_FALSE(FromUrdfdom(*robot, diagnostics));
  EXPECT_EQ(Render(diagnostics.items().back()),
            "error: joint 'hinge': its axis is zero and gives no direction [zero-axis]");
}

}  // namespace
}  // namespace kinemorph::test

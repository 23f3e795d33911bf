// Every check of Validate on the smallest model that has the fault, the whole message compared.
#include "kinemorph/graph/checks/validate.h"

#include <gtest/gtest.h>

#include <limits>

#include "graph/small_graph.h"

namespace kinemorph {
namespace {

using test::AddMimic;
using test::AddRatio;
using test::SmallGraph;

std::string Messages(const Model& model) {
  Diagnostics diagnostics;
  Validate(model, diagnostics);
  std::string out;
  for (const Diagnostic& item : diagnostics.items())
    out += (out.empty() ? "" : "\n") + Render(item);
  return out;
}

// One link with the given mass and principal moments, written in line 1.
Model Body(double mass, const Vector3& moments) {
  Model model = SmallGraph("link body");
  Inertial inertial;
  inertial.mass = mass;
  inertial.I_I = moments.asDiagonal();
  inertial.where = {0, 2};
  model.link(LinkId{1}).inertial = inertial;
  return model;
}

Model Arm() { return SmallGraph("revolute base -> arm NAME=elbow"); }

TEST(Validate, AGoodModelIsSilent) {
  EXPECT_EQ(Messages(Arm()), "");
  EXPECT_EQ(Messages(Body(1, {0.1, 0.2, 0.25})), "");
  EXPECT_EQ(Messages(Body(1, {0, 0.2, 0.2})), "") << "a thin rod";
  EXPECT_EQ(Messages(Body(1, {0.1, 0.2, 0.3})), "") << "a lamina";
  EXPECT_EQ(Messages(Body(0, {0, 0, 0})), "") << "a massless frame link";
}

TEST(Validate, Names) {
  Model model = SmallGraph("revolute base -> arm NAME=base\nrevolute base -> leg NAME=hip");
  EXPECT_EQ(Messages(model), "") << "a joint may have a link's name";
  model.joint(JointId{1}).name = "base";
  EXPECT_EQ(Messages(model),
            "small.urdf:2: error: joint 'base': another joint has this name in line 1; rename one "
            "of them [duplicate-joint]");
  model = SmallGraph("revolute base -> arm\nrevolute base -> leg");
  model.link(LinkId{3}).name = "arm";
  EXPECT_EQ(Messages(model),
            "small.urdf:2: error: link 'arm': another link has this name in line 1; rename one of "
            "them [duplicate-link]");
  model.link(LinkId{3}).name = "";
  EXPECT_EQ(Messages(model),
            "small.urdf:2: error: link '': the element has no name; write a name [empty-name]");
  model = Arm();
  model.joint(JointId{0}).name = "";
  EXPECT_EQ(Messages(model),
            "small.urdf:1: error: joint '': the element has no name; write a name [empty-name]");
  model.joint(JointId{0}).implicit = true;
  EXPECT_EQ(Messages(model), "");
}

TEST(Validate, LoopsAndCouplingsShareOneNamespace) {
  Model model =
      SmallGraph("revolute base -> a tree\nrevolute base -> b tree\nrevolute a -> b NAME=a:b loop");
  AddRatio(model, "a", "b");
  EXPECT_EQ(Messages(model),
            "error: coupling 'a:b': another coupling or loop joint has this name in line 3; rename "
            "one of them [duplicate-coupling]");
}

TEST(Validate, NumbersThatAreNotFinite) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(),
                   kInf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(
      Messages(Body(kNan, {1, 1, 1})),
      "small.urdf:2: error: link 'body': the mass is nan; write a finite number [not-finite]");
  EXPECT_EQ(
      Messages(Body(1, {1, kInf, 1})),
      "small.urdf:2: error: link 'body': the inertia is inf; write a finite number [not-finite]");
  Model model = Arm();
  model.joint(JointId{0}).X_PF.p.y() = kInf;
  EXPECT_EQ(Messages(model),
            "small.urdf:1: error: joint 'elbow': its frame on the predecessor is inf; write a "
            "finite number [not-finite]");
  model = Arm();
  model.joint(JointId{0}).axes[0].damping = kNan;
  EXPECT_EQ(
      Messages(model),
      "small.urdf:1: error: joint 'elbow': the damping is nan; write a finite number [not-finite]");
  model = Arm();
  model.gravity = Vector3(0, 0, -kInf);
  EXPECT_EQ(Messages(model),
            "error: model 'small': gravity is -inf; write a finite number [not-finite]");
}

TEST(Validate, Physics) {
  EXPECT_EQ(Messages(Body(-1, {1, 1, 1})),
            "small.urdf:2: error: link 'body': the mass is -1 kg; a mass must be positive "
            "[negative-mass]");
  EXPECT_EQ(Messages(Body(1, {1, 1, -1})),
            "small.urdf:2: warning: link 'body': a principal moment of inertia is negative (-1, 1, "
            "1 kg m^2): no rigid body has this inertia; kinemorph keeps it [inertia-indefinite]");
  EXPECT_EQ(Messages(Body(1, {1, 1, 3})),
            "small.urdf:2: warning: link 'body': one principal moment of inertia exceeds the sum "
            "of the others (1, 1, 3 kg m^2): no rigid body has this inertia; kinemorph keeps it "
            "[inertia-triangle]");
  EXPECT_EQ(Messages(Body(0, {1, 1, 1})),
            "small.urdf:2: warning: link 'body': the link has an inertia but no mass, which no "
            "rigid body has; kinemorph keeps the inertia "
            "[inertia-without-mass]");
  EXPECT_EQ(
      Messages(Body(2, {0, 0, 0})),
      "small.urdf:2: warning: link 'body': its inertia is zero: kinemorph reads a point mass of 2 "
      "kg [mass-without-inertia]");
}

TEST(Validate, AxesAndRotations) {
  Model model = Arm();
  model.joint(JointId{0}).kind = Revolute{Vector3::Zero()};
  EXPECT_EQ(Messages(model),
            "small.urdf:1: error: joint 'elbow': the axis is zero; write a direction [zero-axis]");
  model.joint(JointId{0}).kind = Revolute{{0, 0, 2}};
  EXPECT_EQ(Messages(model),
            "small.urdf:1: error: joint 'elbow': the axis has length 2, not 1 [axis-not-unit]");
  model.joint(JointId{0}).kind = Universal{Vector3::UnitX(), -Vector3::UnitX()};
  model.joint(JointId{0}).axes.resize(2);
  EXPECT_EQ(Messages(model),
            "small.urdf:1: warning: joint 'elbow': its two axes are parallel, so one of its "
            "freedoms has no effect [axes-parallel]");
  model = Arm();
  model.joint(JointId{0}).X_SM.R(0, 0) = 2;
  EXPECT_EQ(Messages(model),
            "small.urdf:1: error: joint 'elbow': the rotation of its frame on the successor is not "
            "orthonormal [not-a-rotation]");
  model = Arm();
  model.joint(JointId{0}).axes.resize(2);
  EXPECT_EQ(
      Messages(model),
      "small.urdf:1: error: joint 'elbow': the joint has data for 2 axes, its kind revolute has 1 "
      "[axis-count]");
}

TEST(Validate, Limits) {
  Model model = Arm();
  model.joint(JointId{0}).axes[0].lower = 1;
  model.joint(JointId{0}).axes[0].upper = -1;
  EXPECT_EQ(Messages(model),
            "small.urdf:1: warning: joint 'elbow': the lower limit 1 is above the upper limit -1; "
            "kept as written [limits-swapped]");
  model = Arm();
  model.joint(JointId{0}).axes[0].effort = -5;
  EXPECT_EQ(Messages(model),
            "small.urdf:1: warning: joint 'elbow': the effort limit is -5; the value must not be "
            "negative "
            "[negative-value]");
}

TEST(Validate, Connectivity) {
  EXPECT_EQ(Messages(SmallGraph("revolute a -> b tree\nrevolute b -> b NAME=j tree")),
            "small.urdf:2: error: joint 'j': the joint connects link 'b' to itself [self-joint]");
  EXPECT_EQ(
      Messages(SmallGraph("revolute a -> b tree\nrevolute b -> b NAME=l loop")),
      "small.urdf:2: error: loop joint 'l': the joint connects link 'b' to itself [self-joint]");
  EXPECT_EQ(
      Messages(SmallGraph("revolute a -> b tree\nrevolute b -> a NAME=l loop")),
      "small.urdf:2: warning: loop joint 'l': the joint connects the same links as joint 'a-b' and "
      "constrains it further [loop-parallel]");
  EXPECT_EQ(
      Messages(SmallGraph("revolute a -> b tree\nrevolute a -> c tree\nfree b -> c NAME=l loop")),
      "small.urdf:3: warning: loop joint 'l': a free joint constrains nothing where its links are "
      "connected already [loop-free]");
  EXPECT_EQ(Messages(SmallGraph(
                "revolute a -> b tree\nrevolute c -> d tree\nrevolute d -> c NAME=back tree")),
            "small.urdf:3: error: joint 'back': closes a cycle of 2 tree joints from 'c' round to "
            "'d'; write one of its joints as a loop joint "
            "(URDF+: <loop>) [joint-cycle]");
}

TEST(Validate, Couplings) {
  const Model base =
      SmallGraph("revolute base -> a tree\nrevolute a -> b tree\nball base -> c tree");
  Model model = base;
  AddRatio(model, "a", "c", 0);
  EXPECT_EQ(Messages(model),
            "error: coupling 'a:c': the ratio is 0; write the ratio of successor to predecessor "
            "motion [coupling-ratio-zero]");
  model = base;
  AddRatio(model, "a", "b");
  EXPECT_EQ(Messages(model),
            "error: coupling 'a:b': link 'a' is an ancestor of link 'b': one side of the coupling "
            "has no joints; couple links on "
            "two branches [coupling-ancestor]");
  model = base;
  AddRatio(model, "a", "a");
  EXPECT_EQ(Messages(model),
            "error: coupling 'a:a': the coupling connects link 'a' to itself [coupling-self]");
  model = base;
  AddMimic(model, "a-b", "a-b");
  EXPECT_EQ(Messages(model), "error: coupling 1: joint 'a-b' mimics itself [coupling-self]");
  model = base;
  AddMimic(model, "a-b", "base-c");
  EXPECT_EQ(Messages(model),
            "error: coupling 1: ball joint 'base-c' has no scalar coordinate 1 to couple "
            "[coupling-coordinate]");
  model = base;
  model.couplings.emplace_back();
  EXPECT_EQ(Messages(model),
            "error: coupling 1: the coupling names no coordinates [coupling-empty]");
  model = SmallGraph("revolute base -> a tree\nrevolute base -> b tree\nrevolute a -> b loop");
  AddMimic(model, "a-b", "base-a");
  EXPECT_EQ(Messages(model),
            "error: coupling 1: joint 'a-b' is a loop joint and has no coordinate of its own; cut "
            "another joint of its loop with --cut JOINT "
            "[coupling-on-loop]");
}

TEST(Validate, EveryJointDeclaredDependent) {
  EXPECT_EQ(Messages(SmallGraph(
                "revolute base -> a dependent\nrevolute a -> b dependent\nfixed b -> tool")),
            "small.urdf:1: warning: model 'small': every joint is declared dependent; declare as "
            "many independent as the mechanism has "
            "degrees of "
            "freedom [no-independent-coordinate]");
  EXPECT_EQ(Messages(SmallGraph("revolute base -> a dependent\nrevolute a -> b")), "")
      << "what is not declared is independent";
}

TEST(Validate, ShapesAndMaterials) {
  Model model = SmallGraph("link body");
  Visual visual;
  visual.name = "skin";
  visual.shape = Sphere{-1};
  visual.where = {0, 4};
  model.link(LinkId{1}).visuals = {visual};
  EXPECT_EQ(Messages(model),
            "small.urdf:4: warning: link 'body', visual 'skin': the radius is -1; the value must "
            "not be negative [negative-value]");
}

}  // namespace
}  // namespace kinemorph

// How roots stand in the world.
#include "kinemorph/graph/connectivity/base.h"

#include <gtest/gtest.h>

namespace kinemorph::test {
namespace {

TEST(Bases, AreRootsThatStandFixedFreeOrAsNobodySays) {
  Model model;
  Link link;
  const LinkId lone = model.AddLink(link), fixed = model.AddLink(link), turns = model.AddLink(link);
  Joint joint;
  joint.kind = Fixed{};
  joint.native_type = "fixed";
  const JointId held = model.AddJoint(kWorld, fixed, joint);
  joint.kind = Revolute{};
  model.AddJoint(kWorld, turns, joint);

  std::vector<RobotBase> bases = BasesOf(model, ChooseSpanningTree(model));
  ASSERT_EQ(bases.size(), 2u);
  EXPECT_EQ(bases[0].link, fixed);
  EXPECT_EQ(bases[0].joint, held);
  EXPECT_EQ(bases[1].link, lone);
  EXPECT_EQ(bases[1].joint, kNoJoint);

  EXPECT_EQ(SetBase(model, bases[0], Fixed{}, "other").native_type, "fixed") << "as it was";
  EXPECT_EQ(SetBase(model, bases[0], Free{}, "other").native_type, "");
  EXPECT_EQ(model.joint(held).axes.size(), 1u);
  EXPECT_EQ(SetBase(model, bases[1], Free{}, "made").name, "made");
  bases = BasesOf(model, ChooseSpanningTree(model));
  EXPECT_EQ(bases.size(), 2u);
  for (const RobotBase& base : bases) EXPECT_NE(base.joint, kNoJoint);
}

}  // namespace
}  // namespace kinemorph::test

#include "kinemorph/graph/checks/turn_axes.h"

#include <gtest/gtest.h>

namespace kinemorph::test {
namespace {

LinkId Add(Model& model, const std::string& name) {
  Link link;
  link.name = name;
  return model.AddLink(std::move(link));
}

JointId Join(Model& model, LinkId p, LinkId s, JointKind kind,
             const Matrix3& R_PF = Matrix3::Identity()) {
  Joint joint;
  joint.name = model.link(p).name + model.link(s).name;
  joint.kind = std::move(kind);
  joint.X_PF.R = R_PF;
  return model.AddJoint(p, s, std::move(joint));
}

TEST(TurnAxes, OfAChainAreThatOfItsFirstTurn) {
  Model model;
  const LinkId base = Add(model, "base"), cart = Add(model, "cart"), arm = Add(model, "arm"),
               hand = Add(model, "hand"), wrist = Add(model, "wrist");
  Join(model, kWorld, base, Fixed{});
  Join(model, base, cart, Prismatic{Vector3::UnitX()});
  const Matrix3 R = Eigen::AngleAxisd(0.5, Vector3::UnitX()).toRotationMatrix();
  Join(model, cart, arm, Revolute{Vector3::UnitZ()}, R);
  Join(model, arm, hand, Planar{-Vector3::UnitZ()});
  Join(model, hand, wrist, Revolute{Vector3::UnitY()});
  const auto axes = TurnAxes(model);
  EXPECT_TRUE(axes[Index(base)]->isZero(0));
  EXPECT_TRUE(axes[Index(cart)]->isZero(0));
  EXPECT_TRUE(axes[Index(arm)]->isApprox(Vector3::UnitZ()));
  EXPECT_TRUE(axes[Index(hand)]->isApprox(Vector3::UnitZ()));
  EXPECT_FALSE(axes[Index(wrist)]);
}

// One way from the world shows it, over loop joints too and against the direction of joints.
TEST(TurnAxes, AnyWayFromTheWorldShowsThem) {
  Model model;
  const LinkId a = Add(model, "a"), b = Add(model, "b"), c = Add(model, "c"),
               far = Add(model, "far");
  Join(model, kWorld, a, Ball{});
  Join(model, a, b, Revolute{Vector3::UnitX()});
  Join(model, b, c, Ball{});
  const JointId loop = Join(model, b, kWorld, Screw{Vector3::UnitY(), 0.1});
  model.joint(loop).role = JointRole::kLoop;
  Join(model, kWorld, far, Free{});
  const auto axes = TurnAxes(model);
  EXPECT_FALSE(axes[Index(a)]);
  ASSERT_TRUE(axes[Index(b)]);
  EXPECT_TRUE(axes[Index(b)]->isApprox(Vector3::UnitY()));
  EXPECT_FALSE(axes[Index(c)]);
  EXPECT_FALSE(axes[Index(far)]);
}

// No joint ends on the ram, but it does not stand still.
TEST(TurnAxes, OfALinkThatLeadsToTheWorldAreThoseOfItsJoint) {
  Model model;
  const LinkId ram = Add(model, "ram");
  Join(model, ram, kWorld, Cylindrical{Vector3::UnitY()});
  const auto axes = TurnAxes(model);
  ASSERT_TRUE(axes[Index(ram)]);
  EXPECT_TRUE(axes[Index(ram)]->isApprox(Vector3::UnitY()));
}

// A loop that ends on the base does not carry it.
TEST(TurnAxes, OfARingAreThoseFromItsBase) {
  Model model;
  const LinkId base = Add(model, "base"), arm = Add(model, "arm");
  Join(model, base, arm, Revolute{Vector3::UnitY()});
  const JointId loop = Join(model, arm, base, Revolute{Vector3::UnitY()});
  model.joint(loop).role = JointRole::kLoop;
  const auto axes = TurnAxes(model);
  EXPECT_TRUE(axes[Index(base)]->isZero(0));
  ASSERT_TRUE(axes[Index(arm)]);
  EXPECT_TRUE(axes[Index(arm)]->isApprox(Vector3::UnitY()));
}

}  // namespace
}  // namespace kinemorph::test

// The model: copies, moves, reconnecting and removing keep ids, order and references right.
#include "kinemorph/graph/model/model.h"

#include <gtest/gtest.h>

#include "graph/small_graph.h"
#include "kinemorph/graph/model/model_dump.h"

namespace kinemorph {
namespace {

using test::AddMimic;
using test::AddRatio;
using test::SmallGraph;

//  world - base - a - b     a - c (loop), with something attached to everything
Model Rich() {
  Model model = SmallGraph(R"(
    fixed    world -> base
    revolute base -> a actuated
    revolute a -> b actuated
    revolute base -> c
    revolute c -> a NAME=closing loop)");
  AddMimic(model, "a-b", "base-a");
  AddRatio(model, "b", "c", 2);
  const auto link = [&](const char* name) { return *model.FindLink(name); };
  model.frames.push_back({"tip", link("b"), {}, "frame", kNoScope, {}, {}});
  model.frames.push_back({"eye", link("c"), {}, "frame", kNoScope, {}, {}});
  Sensor imu, encoder;
  imu.name = "imu", imu.link = link("b");
  encoder.name = "encoder", encoder.joint = *model.FindJoint("base-c");
  model.sensors = {imu, encoder};
  model.contact_exclusions = {{link("a"), link("b"), {}}, {link("base"), link("c"), {}}};
  Scope scope;
  scope.name = "robot", scope.canonical_link = link("c");
  model.scopes.push_back(scope);
  return model;
}

std::string Ends(const Model& model) {
  std::string out;
  for (const JointId id : Joints(model)) {
    out += model.joint(id).name + ":" + model.link(model.predecessor(id)).name + ">" +
           model.link(model.successor(id)).name + " ";
  }
  return out;
}

TEST(Model, StartsWithTheWorld) {
  const Model model;
  EXPECT_EQ(model.num_links(), 1u);
  EXPECT_EQ(model.link(kWorld).name, "world");
  EXPECT_EQ(model.num_joints(), 0u);
}

TEST(Model, JointsGetOneAxisRecordPerCoordinate) {
  Model model = SmallGraph("link a");
  Joint joint;
  joint.kind = Universal{};
  EXPECT_EQ(model.joint(model.AddJoint(kWorld, LinkId{1}, joint)).axes.size(), 2u);
}

TEST(Model, ACopyIsEqualAndItsOwn) {
  Model original = Rich();
  original.unsaid = UnsaidIndependence::kNothing;
  const std::string before = DumpModel(original);
  Model copy = original;
  EXPECT_EQ(DumpModel(copy), before);
  EXPECT_EQ(copy.unsaid, original.unsaid);
  copy.joint(JointId{1}).name = "changed";
  copy.link(LinkId{1}).name = "changed";
  copy.AddJoint(kWorld, copy.AddLink({}), {});
  EXPECT_EQ(DumpModel(original), before);
  EXPECT_EQ(Ends(copy).substr(0, 36), "world-base:world>changed changed:cha");
}

TEST(Model, HandlesSurviveTheOriginal) {
  std::optional<Model> original = Rich();
  const std::string before = DumpModel(*original);
  Model copy = *original;
  Model moved = std::move(*original);
  original.reset();
  EXPECT_EQ(DumpModel(copy), before);
  EXPECT_EQ(DumpModel(moved), before);
  copy = moved;
  moved = Model();
  EXPECT_EQ(DumpModel(copy), before);
}

TEST(Model, AMovedFromModelIsUsable) {
  Model model = Rich();
  const Model taken = std::move(model);
  model = SmallGraph("revolute a -> b");  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(Ends(model), "a-b:a>b ");
  EXPECT_EQ(taken.num_joints(), 5u);
}

TEST(Model, ReconnectChangesEndsAndNothingElse) {
  Model model = Rich();
  model.Reconnect([&](JointId id) {
    return id == JointId{2} ? std::pair{model.successor(id), model.predecessor(id)}
                            : std::pair{model.predecessor(id), model.successor(id)};
  });
  EXPECT_EQ(Ends(model), "world-base:world>base base-a:base>a a-b:b>a base-c:base>c closing:c>a ");
  EXPECT_EQ(Ends(Model(model)), Ends(model)) << "copies keep the order of joints";
  EXPECT_EQ(boost::in_degree(Index(*model.FindLink("a")), model.graph()), 3u);
  EXPECT_EQ(boost::out_degree(Index(*model.FindLink("a")), model.graph()), 0u);
}

TEST(Model, RemoveJointsTakesWhatHangsOnThem) {
  Model model = Rich();
  const std::vector<JointId> renumbered =
      model.RemoveJoints([&](JointId id) { return model.joint(id).name == "a-b"; });
  EXPECT_EQ(renumbered,
            (std::vector<JointId>{JointId{0}, JointId{1}, kNoJoint, JointId{2}, JointId{3}}));
  EXPECT_EQ(Ends(model), "world-base:world>base base-a:base>a base-c:base>c closing:c>a ");
  ASSERT_EQ(model.couplings.size(), 1u) << "the mimic is gone, the coupling between links stays";
  EXPECT_EQ(model.couplings[0].form, CouplingForm::kRatio);
  ASSERT_EQ(model.actuators.size(), 1u);
  EXPECT_EQ(model.joint(model.actuators[0].joint).name, "base-a");
  ASSERT_EQ(model.sensors.size(), 2u);
  EXPECT_EQ(model.joint(model.sensors[1].joint).name, "base-c");
  EXPECT_EQ(Ends(Model(model)), Ends(model));
}

TEST(Model, RemoveNothingChangesNothing) {
  Model model = Rich();
  const std::string before = DumpModel(model);
  static_cast<void>(model.RemoveJoints([](JointId) { return false; }));
  static_cast<void>(model.RemoveLinks([](LinkId) { return false; }));
  EXPECT_EQ(DumpModel(model), before);
}

TEST(Model, RemoveLinksTakesJointsAndReferences) {
  Model model = Rich();
  const std::vector<LinkId> renumbered = model.RemoveLinks(
      [&](LinkId id) { return model.link(id).name == "b" || model.link(id).name == "a"; });
  EXPECT_EQ(renumbered, (std::vector<LinkId>{LinkId{0}, LinkId{1}, kNoLink, kNoLink, LinkId{2}}));
  EXPECT_EQ(Ends(model), "world-base:world>base base-c:base>c ");
  ASSERT_EQ(model.frames.size(), 1u);
  EXPECT_EQ(model.link(model.frames[0].link).name, "c");
  ASSERT_EQ(model.sensors.size(), 1u);
  EXPECT_EQ(model.joint(model.sensors[0].joint).name, "base-c");
  ASSERT_EQ(model.contact_exclusions.size(), 1u);
  EXPECT_EQ(model.link(model.contact_exclusions[0].b).name, "c");
  EXPECT_TRUE(model.couplings.empty());
  EXPECT_TRUE(model.actuators.empty());
  EXPECT_EQ(model.link(*model.scopes[0].canonical_link).name, "c");
}

TEST(Model, TheWorldIsNeverRemoved) {
  Model model = Rich();
  static_cast<void>(model.RemoveLinks([](LinkId) { return true; }));
  EXPECT_EQ(model.num_links(), 1u);
  EXPECT_EQ(model.link(kWorld).name, "world");
  EXPECT_EQ(model.num_joints(), 0u);
  EXPECT_FALSE(model.scopes[0].canonical_link.has_value());
}

TEST(Model, FileNames) {
  Model model;
  model.files = {"robot.urdf", "arm.urdf"};
  EXPECT_EQ(model.FileName({1, 7}), "arm.urdf");
  EXPECT_EQ(model.FileName({0, 0}), "") << "made up by a pass";
  EXPECT_EQ(model.FileName({5, 1}), "");
}

}  // namespace
}  // namespace kinemorph

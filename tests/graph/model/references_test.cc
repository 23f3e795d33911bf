// Everything that names a link or a joint is visited, with its pose where it has one.
#include "kinemorph/graph/model/references.h"

#include <gtest/gtest.h>

#include <string>

#include "graph/full_model.h"

namespace kinemorph {
namespace {

TEST(References, EveryItemThatNamesALinkIsVisited) {
  Model model;
  const auto link = [&](const char* name) {
    Link made;
    made.name = name;
    return model.AddLink(std::move(made));
  };
  const LinkId a = link("a"), b = link("b"), c = link("c");
  Frame frame;
  frame.link = a, frame.X_LF.p.x() = 1;
  model.frames = {frame};
  Sensor sensor, of_a_joint;
  sensor.link = b, sensor.X_LS.p.x() = 2;
  model.sensors = {sensor, of_a_joint};
  ContactExclusion pair;
  pair.a = a, pair.b = b;
  model.contact_exclusions = {pair};
  Coupling coupling, by_joints;
  coupling.predecessor = a, coupling.successor = b, coupling.reference = c;
  model.couplings = {coupling, by_joints};
  std::string seen;
  const auto see = [&](LinkId id, const RigidTransform* X_L) {
    seen += model.link(id).name + (X_L ? std::to_string(static_cast<int>(X_L->p.x())) : "") + " ";
  };
  VisitAllLinks(std::as_const(model), see);
  EXPECT_EQ(seen, "a1 b2 a b a b c ");
  VisitAllLinks(model, [&](LinkId& id, RigidTransform* X_L) {
    id = c;
    if (X_L) X_L->p.x() += 3;
  });
  seen.clear();
  VisitAllLinks(model, see);
  EXPECT_EQ(seen, "c4 c5 c c c c c ");
}

TEST(References, EveryItemThatNamesAJointIsVisited) {
  const Model model = test::FullModel();
  std::size_t visited = 0, named = 0;
  VisitListsOnJoints(model, [&](const auto& list) {
    for (const auto& item : list) {
      VisitJoints(item, [&](JointId id) {
        EXPECT_LT(Index(id), model.num_joints());
        ++visited;
      });
    }
  });
  for (const Coupling& c : model.couplings) named += c.terms.size();
  for (const Actuator& a : model.actuators) named += a.joint != kNoJoint;
  for (const Sensor& s : model.sensors) named += s.joint != kNoJoint;
  EXPECT_EQ(visited, named);
  EXPECT_GT(model.couplings.size() * model.actuators.size() * model.sensors.size(), 0u);
}

}  // namespace
}  // namespace kinemorph

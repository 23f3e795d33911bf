// Loops of a mechanism in flight: closed by formulas where they have one, on the branch near q.
#include "motion/flight.h"

#include <gtest/gtest.h>

#include "load_model.h"
#include "states.h"

namespace kinemorph::test {
namespace {

// From dependent coordinates that are off by a thousandth, back to where they were.
void ExpectClosed(const std::string& name, std::size_t by_formula) {
  std::string why;
  const std::optional<Model> model =
      LoadModel(Fixture("mechanisms/" + name + "/" + name + ".urdf"), why);
  ASSERT_TRUE(model) << why;
  const Mechanism m = Compile(*model);
  const Coordinates coordinates = AnalyseCoordinates(m);
  std::vector<int> independent;
  for (std::size_t a = 0; a < m.aggregates.size(); ++a)
    for (const int c : coordinates.aggregates[a].independent)
      independent.push_back(m.aggregates[a].velocity[static_cast<std::size_t>(c)]);
  std::sort(independent.begin(), independent.end());
  ClosureSolver solver(m);
  Random random(2);
  for (int i = 0; i < 5; ++i) {
    const State state = RandomClosedState(m, coordinates, solver, random, 0.2);
    motion::Flight flight(m, state.q, independent);
    Eigen::VectorXd q = state.q, v = state.v, gap;
    for (int at = 0; at < m.nv; ++at) {
      if (std::binary_search(independent.begin(), independent.end(), at)) continue;
      q[at] += random.Uniform(-1e-3, 1e-3), v[at] = 0;
    }
    EXPECT_EQ(flight.Close(q, v, gap), "") << name;
    EXPECT_EQ(flight.by_formula().size(), by_formula) << name;
    EXPECT_LT((q - state.q).lpNorm<Eigen::Infinity>(), 1e-11) << name;
    EXPECT_LT((v - state.v).lpNorm<Eigen::Infinity>(), 1e-9) << name;
  }
}

TEST(Flight, ClosesLoopsByFormulas) {
  ExpectClosed("four_bar_general", 1);
  ExpectClosed("slider_crank", 1);
  ExpectClosed("torso", 1);
  ExpectClosed("belt_transmission", 1);
}
TEST(Flight, ClosesTheOthersByNewton) { ExpectClosed("delta_robot", 0); }

}  // namespace
}  // namespace kinemorph::test

// A floating mechanism with loops over one second against Simbody's accelerations, integrated
// apart: there the base is three sliders and three pins, and the ball three pins.
#include <gtest/gtest.h>

#ifdef KINEMORPH_JUDGE_SIMBODY
#include "kinemorph/graph/motion/integrator.h"
#include "kinemorph/graph/motion/simulation.h"
#include "kinemorph/graph/motion/start_velocity.h"
#include "load_model.h"
#include "simbody_model.h"

namespace kinemorph {
namespace {

// A chain of joints about or along x, y, z in place of one joint; its first links have no mass.
std::string Chain(const std::string& name, const std::string& kinds, const std::string& parent,
                  const std::string& child, const std::string& origin) {
  std::string text;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const std::string n = name + std::to_string(i);
    const bool last = i + 1 == kinds.size();
    if (!last) text += "<link name=\"" + n + "_link\"/>";
    const char* axes[] = {"1 0 0", "0 1 0", "0 0 1"};
    text += "<joint name=\"" + n + "\" type=\"";
    text += kinds[i] == 'p' ? "prismatic\"" : "continuous\"";
    text += std::string(" independent=\"true\"><parent link=\"") +
            (i == 0 ? parent : name + std::to_string(i - 1) + "_link") + "\"/><child link=\"" +
            (last ? child : n + "_link") + "\"/><origin xyz=\"" + (i == 0 ? origin : "0 0 0") +
            "\"/><axis xyz=\"" + axes[i % 3] + "\"/>";
    if (kinds[i] == 'p') text += "<limit lower=\"-99\" upper=\"99\" effort=\"0\" velocity=\"0\"/>";
    text += "</joint>";
  }
  return text;
}

void Replace(std::string& text, const std::string& joint, const std::string& by) {
  const std::size_t start = text.find("<joint name=\"" + joint + "\"");
  const std::size_t end = text.find("</joint>", start) + 8;
  ASSERT_NE(start, std::string::npos);
  text.replace(start, end - start, by);
}

Mechanism Compiled(const std::string& text) {
  Diagnostics diagnostics;
  ReadOptions options;
  options.file_name = "floating_platform.urdf";
  const std::optional<Model> model = ReadModel(text, nullptr, options, diagnostics);
  EXPECT_TRUE(model);
  return Compile(*model);
}

int BodyOf(const Mechanism& m, const std::string& name) {
  for (std::size_t b = 0; b < m.bodies.size(); ++b)
    if (m.bodies[b].name == name) return static_cast<int>(b);
  return -1;
}

TEST(SimbodyMotion, AFloatingPlatformIsInTheSamePlaceAfterASecond) {
  const std::string text =
      *test::ReadText(test::Fixture("motion/floating_platform/floating_platform.urdf"));
  std::string chained = text;
  Replace(chained, "free", Chain("free", "ppprrr", "world", "base", "0 0 0"));
  Replace(chained, "ball", Chain("ball", "rrr", "base", "platform", "0 0 0.3"));
  const Mechanism ours = Compiled(text), theirs = Compiled(chained);
  const double turn[] = {0.7, -0.4, 0.6}, slide[] = {0.3, 0, 1.5}, tilt[] = {0.4, -0.3, 0.5};
  std::vector<GivenCoordinate> given, chain;
  for (int i = 0; i < 3; ++i) {
    const std::string n = std::to_string(i);
    given.push_back({BodyOf(ours, "base"), i, turn[i], "free." + n});
    given.push_back({BodyOf(ours, "base"), 3 + i, slide[i], "free"});
    given.push_back({BodyOf(ours, "platform"), i, tilt[i], "ball"});
    const std::string pin = i == 2 ? "base" : "free" + std::to_string(3 + i) + "_link";
    chain.push_back({BodyOf(theirs, "free" + n + "_link"), 0, slide[i], "slide"});
    chain.push_back({BodyOf(theirs, pin), 0, turn[i], "turn"});
    chain.push_back({BodyOf(theirs, i == 2 ? "platform" : "ball" + n + "_link"), 0, tilt[i], "t"});
  }
  MotionSystem system(ours, {}), starts(theirs, {});
  const Eigen::VectorXd q = ours.ZeroPosition(), q_chain = theirs.ZeroPosition();
  ASSERT_TRUE(system.Divide(q, {})) << system.Why();
  ASSERT_TRUE(starts.Divide(q_chain, {})) << starts.Why();
  const Posture v = FindVelocity(system, q, given), v_chain = FindVelocity(starts, q_chain, chain);
  ASSERT_TRUE(v.ok && v_chain.ok) << v.why << v_chain.why;
  SimulationOptions options;
  options.rtol = 1e-10;
  const SimulationResult result = Simulate(system, q, v.q, options, [](const MotionSample&) {});
  ASSERT_EQ(result.end, SimulationEnd::kDone) << result.why;

  test::SimbodyModel simbody(theirs);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(theirs.nv);
  Stepper stepper(StepRule::kDormandPrince,
                  [&](double, const Eigen::VectorXd& x, Eigen::VectorXd& rate) {
                    simbody.SetState(x.head(theirs.nq), x.tail(theirs.nv), none);
                    simbody.Realize();
                    rate.resize(x.size());
                    rate << x.tail(theirs.nv), simbody.Accelerations();
                    return true;
                  });
  Eigen::VectorXd x(theirs.nq + theirs.nv);
  x << q_chain, v_chain.q;
  constexpr int kSteps = 1000;
  for (int i = 0; i < kSteps; ++i) {
    ASSERT_TRUE(stepper.Step(0, x, 1.0 / kSteps));
    x = stepper.end();
    stepper.Continue();
  }
  const std::vector<RigidTransform> X = Poses(ours, result.last.q),
                                    Y = Poses(theirs, x.head(theirs.nq));
  for (std::size_t b = 1; b < ours.bodies.size(); ++b) {
    const RigidTransform& other = Y[static_cast<std::size_t>(BodyOf(theirs, ours.bodies[b].name))];
    EXPECT_LT((X[b].p - other.p).norm(), 1e-6) << ours.bodies[b].name;
    EXPECT_LT((X[b].R - other.R).norm(), 1e-6) << ours.bodies[b].name;
  }
}

}  // namespace
}  // namespace kinemorph
#else
TEST(SimbodyMotion, NeedsSimbody) { GTEST_SKIP() << "Simbody was not found when this was built"; }
#endif

#include "kinemorph/graph/mechanics/start_posture.h"

#include <algorithm>

#include "kinemorph/graph/mechanics/closure.h"

namespace kinemorph {
// The posture that writers give to simulators. The base is held, or the solver would rather lift
// the whole robot than bend a knee.
namespace {

constexpr int kStartRestarts = 24;  // of the closure solver, as everywhere

// Zero, or the limit next to it.
Eigen::VectorXd NearestToZero(const Mechanism& m) {
  Eigen::VectorXd q = m.ZeroPosition();
  for (const Body& body : m.bodies) {
    if (body.nq != body.nv) continue;  // quaternions
    for (int i = 0; i < body.nq; ++i) {
      const auto v = static_cast<std::size_t>(body.v + i);
      if (m.lower[v] <= m.upper[v]) q[body.q + i] = std::clamp(0.0, m.lower[v], m.upper[v]);
    }
  }
  return q;
}

bool ClosesFrom(const Mechanism& m, Eigen::VectorXd& q) {
  if (m.rows == 0) return true;
  ClosureSolver solver(m);
  const ClosureResult result = solver.Assemble(1, kStartRestarts, q);
  return result.closed || result.nearly;
}

// What the source says of where joints start, in q; by velocity, whether it does.
std::vector<bool> TakeAuthored(const Model& model, const Mechanism& m, Eigen::VectorXd& q) {
  std::vector<bool> said(static_cast<std::size_t>(m.nv), false);
  for (const Body& body : m.bodies) {
    if (body.joint == kNoJoint || body.nq != body.nv) continue;
    const std::vector<JointAxis>& axes = model.joint(body.joint).axes;
    for (std::size_t i = 0; i < axes.size() && static_cast<int>(i) < body.nq; ++i) {
      if (!axes[i].initial_position) continue;
      q[body.q + static_cast<int>(i)] = *axes[i].initial_position;
      said[static_cast<std::size_t>(body.v) + i] = true;
    }
  }
  return said;
}

bool Has(const std::vector<bool>& said, bool what) {
  return std::ranges::find(said, what) != said.end();
}

}  // namespace

std::optional<Eigen::VectorXd> AuthoredStart(const Model& model, const Mechanism& m) {
  Eigen::VectorXd q = NearestToZero(m);
  return Has(TakeAuthored(model, m, q), true) ? std::optional(q) : std::nullopt;
}

StartPosture StartPostureOf(const Model& model) {
  StartPosture posture;
  CompileOptions held;
  held.hold_base = true;
  posture.mechanism = Compile(model, held);
  const Mechanism& m = posture.mechanism;
  // Limits may exclude zero (a knee that does not stretch): the nearest allowed posture is tried
  // first, and zero itself only where that does not close.
  // What the source says goes before both.
  posture.q = NearestToZero(m);
  const std::vector<bool> said = TakeAuthored(model, m, posture.q);
  const bool authored = Has(said, true);
  // The rest (a ball, say) follows first, or the solver would rather move what is said.
  if (authored && m.rows > 0 && Has(said, false)) {
    ClosureSolver solver(m);
    for (std::size_t a = 0; a < m.aggregates.size(); ++a)
      (void)solver.Close(static_cast<int>(a), posture.q, {.held = said, .within_limits = true});
  }
  bool closes = ClosesFrom(m, posture.q);
  if (authored && !closes) {
    posture.q = NearestToZero(m);
    closes = ClosesFrom(m, posture.q);
  }
  if (!closes) {
    posture.q = m.ZeroPosition();
    posture.closed = ClosesFrom(m, posture.q);
    if (!posture.closed) posture.q = m.ZeroPosition();
  }
  const std::vector<RigidTransform> X_WB = Poses(m, posture.q);
  for (const int body : m.body_of) posture.X_WL.push_back(X_WB[static_cast<std::size_t>(body)]);
  return posture;
}

}  // namespace kinemorph

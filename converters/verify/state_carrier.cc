// A conversion moves cuts, splits joints and moves zeros; where links stand it does not change. So
// a state goes over by the poses and velocities of links, as in the proof (verify/proof.h).
#include "kinemorph/converters/state_carrier.h"

#include <algorithm>
#include <cmath>

#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/model/elements.h"
#include "verify/carry.h"
#include "verify/prepare.h"
#include "verify/relations.h"
#include "verify/values.h"

namespace kinemorph {
namespace {

using verify::U;

constexpr double kStandsThere = 1e-9;  // of loops and links: rad, lengths over the robot's
constexpr double kSameNumber = 1e-12;  // nearer to A's own number it is that number

verify::Side SideOf(const Model& model) {
  verify::Side side;
  side.model = model;
  NumberElements(side.model);
  verify::FindBase(side);
  side.m = Compile(side.model);
  return side;
}

verify::Correspondence Matched(const verify::Side& a, const verify::Side& b,
                               const LossReport& report) {
  VerifyOptions options;
  options.report = &report;
  verify::Correspondence match = verify::MatchLinks(a, b, options);
  verify::MatchSynthetic(a, b, options, match);
  return match;
}

std::string Told(double value) { return FormatNumber(NearDecimal(value, 3)); }

}  // namespace

struct StateCarrier::Parts {
  Parts(const Model& model_a, const Model& model_b, const LossReport& report)
      : a(SideOf(model_a)),
        b(SideOf(model_b)),
        match(Matched(a, b, report)),
        carrier(a, b, match),
        solver_a(a.m),
        solver_b(b.m),
        pairs(verify::PairCoordinates(a, b, match)),
        q(b.m.ZeroPosition()) {
    match.renames = {};  // they look into the report, which may go
    std::erase_if(pairs, [](const verify::CoordinatePair& pair) { return pair.q_a < 0; });
  }

  // Joints that both have begin at A's number, which tells their turn; then poses decide.
  void Stand(const std::vector<RigidTransform>& X_A, const Eigen::VectorXd& q_a) {
    for (const verify::CoordinatePair& pair : pairs) q[pair.q_b] = q_a[pair.q_a] + pair.shift;
    const Eigen::VectorXd guess = q;
    carrier.Position(X_A, q);
    for (Eigen::Index i = 0; i < q.size(); ++i)
      if (std::abs(q[i] - guess[i]) < kSameNumber) q[i] = guess[i];
  }

  // Where A's own loops stand open, those of B are closed on their own.
  double Close() {
    for (int g = 0; g < static_cast<int>(b.m.aggregates.size()); ++g)
      if (b.m.aggregates[U(g)].rows > 0 && solver_b.Residual(g, q) > kClosed)
        static_cast<void>(solver_b.Close(g, q));
    return solver_b.Residual(q);
  }

  // Of B, as it stands.
  std::string WorstLoop() {
    double worst = -1;
    std::string text;
    for (int g = 0; g < static_cast<int>(b.m.aggregates.size()); ++g) {
      const Aggregate& aggregate = b.m.aggregates[U(g)];
      if (aggregate.rows == 0) continue;
      solver_b.Residual(g, q);
      const Eigen::VectorXd& phi = solver_b.last_phi(g);
      const auto look = [&](const std::string& what, const std::string& name, int row, int rows) {
        const double gap = rows == 0 ? 0 : phi.segment(row, rows).lpNorm<Eigen::Infinity>();
        if (!(gap > worst)) return;
        worst = gap, text = what + " '" + name + "' stays open by " + Told(gap);
      };
      for (const auto& loop : aggregate.loops) look("loop", loop.name, loop.row, loop.rows);
      for (const auto& each : aggregate.couplings) look("coupling", each.name, each.row, 1);
    }
    return text;
  }

  // The link that stands farthest from where A has it, if farther than `least`.
  std::string WorstLink(const std::vector<RigidTransform>& X_A, double least) {
    const std::vector<RigidTransform> X_B = Poses(b.m, q);
    std::string text;
    for (std::size_t i = 1; i < X_B.size(); ++i) {
      if (!carrier.Shared(static_cast<int>(i))) continue;
      const RigidTransform &is = X_B[i], wanted = carrier.Target(static_cast<int>(i), X_A);
      const double turn = (is.R - wanted.R).cwiseAbs().maxCoeff(),
                   shift = (is.p - wanted.p).cwiseAbs().maxCoeff();
      const double reach = std::max(b.m.length, 1e-3 * wanted.p.norm());
      if (!(std::max(turn, shift / reach) > least)) continue;
      least = std::max(turn, shift / reach);
      text = "link '" + b.m.bodies[i].name + "' would be off by " + Told(shift) + " m and " +
             Told(turn) + " rad";
    }
    return text;
  }

  verify::Side a, b;
  verify::Correspondence match;
  verify::Carrier carrier;
  ClosureSolver solver_a, solver_b;
  std::vector<verify::CoordinatePair> pairs;
  Eigen::VectorXd q;  // of the last state
};

StateCarrier::StateCarrier(const Model& a, const Model& b, const LossReport& report)
    : parts_(std::make_unique<Parts>(a, b, report)) {}
StateCarrier::~StateCarrier() = default;
StateCarrier::StateCarrier(StateCarrier&&) noexcept = default;

const Model& StateCarrier::model() const { return parts_->b.model; }
const Mechanism& StateCarrier::mechanism() const { return parts_->b.m; }

std::optional<StateCarrier::State> StateCarrier::Carry(const Mechanism& a, const Eigen::VectorXd& q,
                                                       const Eigen::VectorXd& v, std::string& why) {
  Parts& p = *parts_;
  JointCache joints(a);
  UpdateJoints(a, q.data(), v.data(), joints);
  std::vector<RigidTransform> X_A;
  ComputePoses(a, joints, X_A);
  p.Stand(X_A, q);

  // What A's loops are open by, B's joints may differ by; ten times as much at the end of a chain.
  const double open = p.solver_a.Residual(q), least = kStandsThere + 10 * open;
  why = p.Close() > kStandsThere + 2 * open ? p.WorstLoop() : p.WorstLink(X_A, least);
  if (!why.empty() && open > kStandsThere)
    why += ", as the loops of the motion itself are open by " + Told(open);
  if (!why.empty()) return std::nullopt;
  State state{p.q, Eigen::VectorXd::Zero(p.b.m.nv)};
  p.carrier.Velocity(Velocities(a, joints, v), state.q, state.v);
  return state;
}

}  // namespace kinemorph

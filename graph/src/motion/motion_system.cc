#include "kinemorph/graph/motion/motion_system.h"

#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "kinemorph/graph/base/linear_algebra.h"
#include "motion/closure_limits.h"
#include "motion/constraint_block.h"
#include "motion/coordinate_rates.h"
#include "motion/division.h"
#include "motion/flight.h"
#include "motion/passive_forces.h"

namespace kinemorph {
namespace {

using motion::ConstraintBlock;
using motion::Passive;
using motion::RowSource;
using motion::Stance;

// The right-hand side of the equations of motion; the formulas stand at the head of the header.
// Divide makes the blocks of constraints: one for each aggregate in flight, where aggregates do not
// interact; one for the whole robot while feet stand, for a standing foot is a loop through the
// ground that joins them all. Rate has two ways to vd. In flight and with all rows in use, Flight
// does everything in one pass over the tree (O(n) for small aggregates). Otherwise rho = [1; G] is
// written out and the mass matrix is projected: rho^T M rho yd = rho^T (force - ID(q, v, g)).
// Settle is Rate's counterpart after a step: it puts x back on the constraints, from which the
// integrator leaves by its error. All singular values are of K without units, that is lengths over
// Mechanism::length.

constexpr double kRankLost = 1e-8;      // sigma_min(K_z) without units
constexpr double kNearRankLoss = 0.03;  // sigma_min(K_z) without units
constexpr double kPivot = 1e-14;        // of a mass matrix, of the largest

}  // namespace

struct MotionSystem::Impl {
  const Mechanism& m;
  MotionOptions options;
  RowSource source;
  std::vector<int> reluctance;
  std::vector<bool> standing;
  std::vector<ConstraintBlock> blocks;
  std::vector<double> sigma;  // by block, when it was divided
  double conditioning = 1;
  std::vector<RankMargin> margins;  // by block, of the last Settle
  std::vector<int> independent;
  std::unique_ptr<motion::Flight> flight;  // null while feet stand
  bool closes = false;                     // whatever the method
  bool in_one_pass = false;                // in flight, and every row that says something is in use
  bool near_rank_loss = false;             // of the state settled last
  std::string why;
  // Work space.
  Eigen::VectorXd q, v, tau, force, vd, correction, dz;
  Passive passive;
  double power = 0;

  Impl(const Mechanism& mechanism, MotionOptions wanted)
      : m(mechanism),
        options(std::move(wanted)),
        source(m),
        reluctance(motion::ReluctanceOf(m)),
        standing(options.feet.size(), false),
        q(m.ZeroPosition()),
        v(Eigen::VectorXd::Zero(m.nv)),
        tau(v),
        force(v),
        vd(v),
        correction(v) {}

  bool Fail(std::string reason) {
    why = std::move(reason);
    return false;
  }
  [[nodiscard]] bool IsSpf() const { return options.method == MotionMethod::kSpf && !closes; }
  [[nodiscard]] bool in_contact() const {
    return std::find(standing.begin(), standing.end(), true) != standing.end();
  }

  bool Divide(const Eigen::VectorXd& at, const std::vector<bool>& feet, bool afresh) {
    q = at;
    std::vector<int> ranks;  // of the same blocks; near a change point numbers do not tell it
    for (const ConstraintBlock& block : blocks)
      if (afresh && feet == standing) ranks.push_back(block.rank());
    standing = feet;
    blocks.clear(), sigma.clear();
    std::vector<int> constrained;
    for (std::size_t a = 0; a < m.aggregates.size(); ++a)
      if (m.aggregates[a].rows > 0) constrained.push_back(static_cast<int>(a));
    if (in_contact()) {
      // The anchor is the foot's point put down on the ground along its normal: the foot stands on
      // the ground, not on the 1e-10 m by which the event was found too early.
      std::vector<Stance> stances;
      for (std::size_t f = 0; f < standing.size(); ++f) {
        if (!standing[f]) continue;
        const Vector3 p = PositionOfPoint(m, q, options.feet[f]);
        stances.push_back(
            {static_cast<int>(f), p - options.ground.Above(p) * options.ground.normal});
      }
      blocks.emplace_back(source, constrained, options.feet, std::move(stances));
    } else {
      for (const int a : constrained)
        blocks.emplace_back(source, std::vector<int>{a}, options.feet, std::vector<Stance>{});
    }
    const std::vector<int> none(U(m.nv), 0);
    source.Update(q, nullptr);
    for (ConstraintBlock& block : blocks) {
      // The first evaluation decides the rank, which the numbers tell well at an ordinary posture.
      // The same blocks divided anew keep their rank.
      block.Evaluate(source, q, nullptr);
      const int rank = ranks.empty() ? -1 : ranks[sigma.size()];
      if (!block.Divide(afresh ? none : reluctance, rank) || !block.Solve())
        return Fail("the loops leave no independent coordinates here: a singular posture");
      sigma.push_back(block.LeastSingularValue());
      if (!(sigma.back() > kRankLost))
        return Fail("the constraints lose rank here: a change point");
    }
    // One pass only where every row that says something is in use: of rows that repeat each other,
    // the recursion would choose its own.
    in_one_pass = !in_contact() &&
                  std::none_of(blocks.begin(), blocks.end(),
                               [](const ConstraintBlock& b) { return b.HasRedundantRows(); });
    conditioning = 1;
    ListIndependent();
    flight = in_contact() ? nullptr : std::make_unique<motion::Flight>(m, q, independent);
    return true;
  }

  void ListIndependent() {
    std::vector<bool> depends(U(m.nv), false);
    for (const ConstraintBlock& block : blocks)
      for (const int z : block.dependent()) depends[U(z)] = true;
    independent.clear();
    for (int i = 0; i < m.nv; ++i)
      if (!depends[U(i)]) independent.push_back(i);
  }

  // K and G at q; with `close`, q is moved to where phi is zero first.
  bool SolveBlocks(bool close, double exactly = motion::kClosedExactly) {
    // Newton's method on z alone, K_z dz = -phi, the independent coordinates held. It starts from
    // the z of x, near the solution, so that it stays on the branch; a step longer than
    // kLongestNewtonStep would leave it and is refused.
    double before = 1e300;
    for (int iteration = 0;; ++iteration) {
      source.Update(q, nullptr);
      double gap = 0;
      for (ConstraintBlock& block : blocks) {
        block.Evaluate(source, q, nullptr);
        gap = std::max(gap, block.Gap());
      }
      if (!std::isfinite(gap)) return Fail("the state is not finite");
      for (ConstraintBlock& block : blocks)
        if (!block.Solve()) return Fail("the independent coordinates lose their hold on the rest");
      if (!close || motion::IsClosed(gap, before, exactly)) return true;
      if (iteration == motion::kMostIterations) return Fail("the loops do not close");
      before = gap;
      if (!NewtonStep()) return Fail("the loops do not close near here");
    }
  }

  bool NewtonStep() {
    correction.setZero(m.nv);
    for (const ConstraintBlock& block : blocks) {
      if (block.rank() == 0) continue;
      block.SolveGap(dz);
      for (std::size_t i = 0; i < block.dependent().size(); ++i) {
        const int at = block.dependent()[i];
        correction[at] = -dz[static_cast<Eigen::Index>(i)];
        if (!(std::abs(correction[at]) <
              motion::kLongestNewtonStep * (source.linear()[U(at)] ? m.length : 1)))
          return false;
      }
    }
    q = m.Integrate(q, correction, 1);
    return true;
  }

  void CompleteVelocity() {
    for (const ConstraintBlock& block : blocks) {
      const Eigen::MatrixXd& G = block.G();
      for (Eigen::Index z = 0; z < G.rows(); ++z) {
        double sum = 0;
        for (Eigen::Index y = 0; y < G.cols(); ++y)
          sum += G(z, y) * v[block.independent()[static_cast<std::size_t>(y)]];
        v[block.dependent()[static_cast<std::size_t>(z)]] = sum;
      }
    }
  }

  void Load(const Eigen::VectorXd& x) { q = x.head(m.nq), v = x.segment(m.nq, m.nv); }

  void Forces(double t) {
    tau.setZero(m.nv);
    if (options.controller) options.controller(t, q, v, standing, tau);
    motion::ComputePassive(m, q, v, passive);
    force = tau + passive.force;
    power = v.dot(tau) + passive.power;
  }

  [[nodiscard]] Eigen::MatrixXd Rho() const {
    Eigen::MatrixXd rho =
        Eigen::MatrixXd::Zero(m.nv, static_cast<Eigen::Index>(independent.size()));
    std::vector<Eigen::Index> column(U(m.nv), -1);
    for (std::size_t i = 0; i < independent.size(); ++i) {
      column[U(independent[i])] = static_cast<Eigen::Index>(i);
      rho(independent[i], static_cast<Eigen::Index>(i)) = 1;
    }
    for (const ConstraintBlock& block : blocks) {
      for (std::size_t z = 0; z < block.dependent().size(); ++z)
        for (std::size_t y = 0; y < block.independent().size(); ++y)
          rho(block.dependent()[z], column[U(block.independent()[y])]) =
              block.G()(static_cast<Eigen::Index>(z), static_cast<Eigen::Index>(y));
    }
    return rho;
  }

  // vd at q, v (complete) under `force`.
  bool Accelerate() {
    if (flight) {
      const DynamicsStatus status = flight->recursion().ForwardDynamics(q, v, force, vd);
      return status == DynamicsStatus::kOk || Fail(std::string(Name(status)));
    }
    // Dense projection. g is the part of vd that the rows fix whatever yd is: K_z g_z = k, g_y = 0.
    source.Update(q, &v);
    Eigen::VectorXd g = Eigen::VectorXd::Zero(m.nv), part;
    for (ConstraintBlock& block : blocks) {
      block.Evaluate(source, q, &v);
      if (block.rank() == 0) continue;
      block.SolveBias(part);
      for (std::size_t i = 0; i < block.dependent().size(); ++i)
        g[block.dependent()[i]] = part[static_cast<Eigen::Index>(i)];
    }
    const Eigen::MatrixXd rho = Rho(), M_rho = MassMatrix(m, q) * rho;
    // M g + bias by Newton-Euler at vd = g.
    const Eigen::VectorXd right = rho.transpose() * (force - InverseDynamics(m, q, v, g));
    Eigen::VectorXd yd;
    if (!SolveMass(rho.transpose() * M_rho, right, yd)) return false;
    vd = rho * yd + g;
    return vd.allFinite() || Fail("the accelerations are not finite");
  }

  // A mass matrix without an inverse is found by its pivots: a coordinate that moves nothing has no
  // acceleration, and a result of 1e14 would look like one.
  bool SolveMass(const Eigen::MatrixXd& M, const Eigen::VectorXd& right, Eigen::VectorXd& x) {
    x.resize(M.rows());
    if (M.rows() == 0) return true;
    const SymmetricFactors factors(M);
    if (!factors.IsPositive(kPivot)) return Fail(std::string(Name(DynamicsStatus::kSingularMass)));
    x = factors.Solve(right);
    return true;
  }

  void WriteRate(Eigen::VectorXd& rate) const {
    rate.resize(m.nq + m.nv + 1);
    motion::WriteCoordinateRates(m, q, correction, rate.data());
    rate.segment(m.nq, m.nv) = vd;
    rate[m.nq + m.nv] = power;
  }

  // In flight: K for rho, for phi and for the recursion.
  // The SPF needs no closed loops: `correction` gets K_z^-1 phi and becomes the velocity of q, with
  // phi' = -phi/eps in it. The dynamics takes v itself, as the formulation has it.
  bool RateInOnePass(double t, Eigen::VectorXd& rate) {
    if (IsSpf()) {
      const DynamicsStatus status = flight->recursion().Complete(q, v, correction);
      if (status != DynamicsStatus::kOk) return Fail(std::string(Name(status)));
      correction = v - correction / options.eps;
    } else {
      if (std::string reason = flight->Close(q, v, correction); !reason.empty())
        return Fail(std::move(reason));
      correction = v;
    }
    Forces(t);
    const DynamicsStatus status = flight->recursion().CompletedDynamics(q, v, force, vd);
    if (status != DynamicsStatus::kOk) return Fail(std::string(Name(status)));
    WriteRate(rate);
    return rate.allFinite() || Fail("the state is not finite");
  }

  bool Rate(double t, const Eigen::VectorXd& x, Eigen::VectorXd& rate) {
    Load(x);
    // Where loops are about to lose rank, their motion is what the steps before it say, and formulas
    // know nothing of those.
    if (in_one_pass && (IsSpf() || !near_rank_loss)) return RateInOnePass(t, rate);
    // Feet stand, or rows repeat each other, or the loops are nearly singular: the blocks are
    // solved by themselves, the SPF's correction added where it applies.
    const bool spf = IsSpf();
    if (!SolveBlocks(!spf)) return false;
    CompleteVelocity();
    correction = v;  // velocity of the coordinates
    for (const ConstraintBlock& block : blocks) {
      if (!spf || block.rank() == 0) continue;
      block.SolveGap(dz);
      for (std::size_t i = 0; i < block.dependent().size(); ++i)
        correction[block.dependent()[i]] -= dz[static_cast<Eigen::Index>(i)] / options.eps;
    }
    Forces(t);
    if (!Accelerate()) return false;
    WriteRate(rate);
    return rate.allFinite() || Fail("the state is not finite");
  }

  // How well the division holds. Where K itself is about to lose rank, no division is better.
  void Judge() {
    conditioning = 1, near_rank_loss = false;
    margins.assign(blocks.size(), {});
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      // Two reasons for a small sigma_min(K_z): a bad choice of z, which another division heals,
      // and K itself about to lose rank, which none does. In the second case K's own last singular
      // value is the measure, or the coordinates would be divided again at every step before a
      // change point.
      const double least = blocks[i].LeastSingularValue();
      margins[i].positive = blocks[i].IsPositive();
      double holds = sigma[i] > 0 ? least / sigma[i] : 1;
      if (least < kNearRankLoss) {
        near_rank_loss = true;
        const auto [first, last] = blocks[i].SingularRange();
        margins[i].least = first > 0 ? last / first : 0;
        holds = std::max(holds, least / std::max(last, 1e-300));
      }
      conditioning = std::min(conditioning, holds);
    }
  }

  bool Settle(Eigen::VectorXd& x, double exactly) {
    Load(x);
    for (const Body& body : m.bodies) {
      if (body.nv == 0 || body.nq == body.nv) continue;
      auto Q = q.segment<4>(body.q);
      if (!(Q.norm() > 0)) return Fail("a quaternion vanished");
      Q.normalize();
    }
    if (!SolveBlocks(!IsSpf(), exactly)) return false;
    CompleteVelocity();
    Judge();
    x.head(m.nq) = q, x.segment(m.nq, m.nv) = v;
    return true;
  }

  // Generalised forces of the constraints as forces of the feet (and of loops): J^T lambda =
  // total, the least ones where rows repeat each other.
  void ShareAmongFeet(const Eigen::VectorXd& total, std::vector<Vector3>& feet) {
    feet.assign(options.feet.size(), Vector3::Zero());
    if (!in_contact()) return;
    // The rows are those of the block, loops first and three for each standing foot last. Two feet
    // on one rigid link repeat rows; the shortest lambda shares the load between them.
    const ConstraintBlock& block = blocks.front();
    const Eigen::MatrixXd J = block.ForceRows(m.nv);
    const Eigen::VectorXd lambda = ShortestLeastSquares(J.transpose(), total);
    Eigen::Index row = lambda.size() - block.num_foot_rows();
    for (std::size_t f = 0; f < feet.size(); ++f) {
      if (!standing[f]) continue;
      feet[f] = lambda.segment<3>(row);
      row += 3;
    }
  }

  // `settled`: else v stays as it is, and nothing is solved for where feet are in the air.
  bool Measure(double t, const Eigen::VectorXd& x, bool settled, MotionSample& out) {
    Load(x);
    // K is needed for G, but the loops are measured as they stand: a sample that closes them would
    // hide phi.
    if (settled || in_contact()) {
      if (!SolveBlocks(false)) return false;
    } else {
      source.Update(q, nullptr);
      for (ConstraintBlock& block : blocks) block.Evaluate(source, q, nullptr);
    }
    out.phi = out.foot_drift = 0;
    for (const ConstraintBlock& block : blocks) {
      out.phi = std::max(out.phi, block.LoopResidual());
      out.foot_drift = std::max(out.foot_drift, block.FootDrift());
    }
    if (settled) CompleteVelocity();
    Forces(t);
    const Energy energy = EnergyOf(m, q, v);
    out.t = t, out.q = q, out.v = v, out.tau = tau, out.standing = standing;
    out.energy = energy.kinetic + energy.potential + passive.energy;
    out.foot.clear();
    for (const Foot& foot : options.feet) out.foot.push_back(PositionOfPoint(m, q, foot));
    out.force.assign(options.feet.size(), Vector3::Zero());
    if (!in_contact()) return true;
    // The constraints do what is missing in inverse dynamics without them: J^T lambda = ID(q, v,
    // vd) - force.
    if (!Accelerate()) return false;
    ShareAmongFeet(InverseDynamics(m, q, v, vd) - force, out.force);
    return true;
  }

  ImpactResult Impact(const Eigen::VectorXd& x) {
    ImpactResult out;
    // Minimises the kinetic energy of the change, (v+ - v)^T M (v+ - v), over v+ = rho yd: Gauss'
    // principle for impulses, a rigid impact without restitution. The posture stands still during
    // it.
    q = x.head(m.nq);
    const Eigen::VectorXd v_before = x.segment(m.nq, m.nv);
    if (!SolveBlocks(false)) return out;
    // M is the mass matrix of the spanning tree; the impulses follow from M (v+ - v) = J^T Lambda.
    const Eigen::MatrixXd M = MassMatrix(m, q), rho = Rho();
    Eigen::VectorXd yd;
    if (!SolveMass(rho.transpose() * M * rho, rho.transpose() * (M * v_before), yd)) return out;
    out.v = rho * yd;
    ShareAmongFeet(M * (out.v - v_before), out.impulse);
    out.ok = out.v.allFinite();
    return out;
  }

  [[nodiscard]] double FootRate(const Eigen::VectorXd& x, std::size_t foot) const {
    const Eigen::VectorXd at = x.head(m.nq), rate = x.segment(m.nq, m.nv);
    JointCache joints(m);
    UpdateJoints(m, at.data(), rate.data(), joints);
    return options.ground.normal.dot(MotionOfPoint(m, joints, rate, options.feet[foot]).velocity);
  }
};

MotionSystem::MotionSystem(const Mechanism& mechanism, MotionOptions options)
    : impl_(std::make_unique<Impl>(mechanism, std::move(options))) {}
MotionSystem::~MotionSystem() = default;

const Mechanism& MotionSystem::mechanism() const { return impl_->m; }
const MotionOptions& MotionSystem::options() const { return impl_->options; }
Eigen::VectorXd MotionSystem::StateOf(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const {
  Eigen::VectorXd x(q.size() + v.size() + 1);
  x << q, v, 0.0;
  return x;
}
Eigen::VectorXd MotionSystem::Position(const Eigen::VectorXd& x) const {
  return x.head(impl_->m.nq);
}
Eigen::VectorXd MotionSystem::Velocity(const Eigen::VectorXd& x) const {
  return x.segment(impl_->m.nq, impl_->m.nv);
}
bool MotionSystem::Divide(const Eigen::VectorXd& q, const std::vector<bool>& standing,
                          bool afresh) {
  return impl_->Divide(q, standing, afresh);
}
const std::vector<bool>& MotionSystem::standing() const { return impl_->standing; }
const std::vector<int>& MotionSystem::independent() const { return impl_->independent; }
Eigen::MatrixXd MotionSystem::Rho() const { return impl_->Rho(); }
bool MotionSystem::Rate(double t, const Eigen::VectorXd& x, Eigen::VectorXd& rate) {
  return impl_->Rate(t, x, rate);
}
bool MotionSystem::Settle(Eigen::VectorXd& x) { return impl_->Settle(x, motion::kClosedExactly); }
bool MotionSystem::SettleToRounding(Eigen::VectorXd& x) { return impl_->Settle(x, 0); }
void MotionSystem::CloseAlways(bool always) { impl_->closes = always; }
double MotionSystem::Conditioning() const { return impl_->conditioning; }
bool MotionSystem::Measure(double t, const Eigen::VectorXd& x, MotionSample& sample) {
  return impl_->Measure(t, x, true, sample);
}
bool MotionSystem::MeasureAsItIs(double t, const Eigen::VectorXd& x, MotionSample& sample) {
  return impl_->Measure(t, x, false, sample);
}
const std::vector<RankMargin>& MotionSystem::RankMargins() const { return impl_->margins; }
double MotionSystem::RankMarginAt(std::size_t block, const Eigen::VectorXd& x) {
  const Eigen::VectorXd q = Position(x);
  impl_->source.Update(q, nullptr);
  impl_->blocks[block].Evaluate(impl_->source, q, nullptr);
  const auto [first, last] = impl_->blocks[block].SingularRange();
  return first > 0 ? last / first : 0;
}
std::vector<std::string> MotionSystem::LoosestJoints(std::size_t block) const {
  std::vector<std::string> names;
  for (const int v : impl_->blocks[block].LoosestVelocities())
    names.push_back(impl_->m.names[U(v)]);
  return names;
}
double MotionSystem::FootHeight(const Eigen::VectorXd& x, std::size_t foot) const {
  return impl_->options.ground.Above(
      PositionOfPoint(impl_->m, x.head(impl_->m.nq), impl_->options.feet[foot]));
}
double MotionSystem::FootRate(const Eigen::VectorXd& x, std::size_t foot) const {
  return impl_->FootRate(x, foot);
}
ImpactResult MotionSystem::Impact(const Eigen::VectorXd& x) { return impl_->Impact(x); }
double MotionSystem::Gap() const {
  double gap = 0;
  for (const ConstraintBlock& block : impl_->blocks) gap = std::max(gap, block.Gap());
  return gap;
}
const std::string& MotionSystem::Why() const { return impl_->why; }

}  // namespace kinemorph

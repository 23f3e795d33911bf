#include "verify/accelerations.h"

#include <algorithm>
#include <cmath>

#include "kinemorph/graph/base/linear_algebra.h"
#include "verify/proof.h"

namespace kinemorph::verify {
namespace {

constexpr double kAccelerationTolerance =
    1e-6;                            // of the largest one: round-off grows with the condition of M
constexpr double kRoundOff = 1e-10;  // in the eigenvalues of a mass matrix with a unit diagonal

// Spatial accelerations of all bodies (gravity not added), about their origins in their axes.
std::vector<Vector6> BodyAccelerations(const Mechanism& m, const JointCache& joints,
                                       const Eigen::VectorXd& v, const Eigen::VectorXd& qdd) {
  std::vector<Vector6> V(m.bodies.size(), Vector6::Zero()), A(m.bodies.size(), Vector6::Zero());
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    const Body& body = m.bodies[b];
    // Featherstone's recursion: A_b = X A_p + S qdd + V x (S v) + dS v.
    V[b] = InverseTransformMotion(joints.X_PB[b], V[U(body.parent)]);
    A[b] = InverseTransformMotion(joints.X_PB[b], A[U(body.parent)]);
    if (body.nv == 0) continue;
    const auto S = joints.S.middleCols(body.v, body.nv);
    const Vector6 S_v = S * v.segment(body.v, body.nv);
    V[b] += S_v;
    A[b] += S * qdd.segment(body.v, body.nv) + CrossMotion(V[b], S_v) + joints.S_rate_v[b];
  }
  return A;
}

}  // namespace

AccelerationComparison::AccelerationComparison(const Side& a, const Side& b,
                                               const Correspondence& match, const Carrier& carrier,
                                               const std::vector<CoordinatePair>& pairs,
                                               bool identical, double tolerance,
                                               VerifyResult& result)
    : a_(a),
      b_(b),
      match_(match),
      carrier_(carrier),
      pairs_(pairs),
      identical_(identical),
      result_(result),
      solver_(a.m),
      as_is_(a.m, a.coordinates, b.m, b.coordinates),
      worst_("accelerations", std::max(kAccelerationTolerance, tolerance)) {
  passive_ = std::any_of(pairs.begin(), pairs.end(), [&](const CoordinatePair& pair) {
    const std::vector<JointAxis>& axes = a.model.joint(pair.joint_a).axes;
    return std::any_of(axes.begin(), axes.end(), [](const JointAxis& axis) {
      return axis.damping || axis.friction || axis.spring_stiffness;
    });
  });
}

void AccelerationComparison::Add(const StatePair& state, Random& random) {
  constexpr const char *kLeftOut = "verify-no-accelerations",
                       *kSingularPosture =
                           "is in a singular position; accelerations are not compared there";
  if (PostureIsSingular(state.q_a, 1e-5)) return Tell(kLeftOut, a_.model.name, kSingularPosture);

  // The same random wrench on every link that both have.
  // Gravity alone leaves motions without an acceleration, and does not show where a loop carries a
  // moment. The wrenches (N m, N) grow with the mass of the link, are given in A's frame of it and
  // moved to B's.
  ExternalForces forces_a(a_.m.bodies.size(), Vector6::Zero()),
      forces_b(b_.m.bodies.size(), Vector6::Zero());
  for (std::size_t b = 1; b < b_.m.bodies.size(); ++b) {
    const LinkId link = match_.a_of_b[Index(b_.m.bodies[b].link)];
    if (link == kNoLink || link == kWorld) continue;
    Vector6 F;
    for (double& x : F) x = random.Uniform(-1, 1) * std::max(1e-3, b_.m.bodies[b].inertia.mass);
    forces_a[U(a_.m.body_of[Index(link)])] += F;
    forces_b[b] += TransformForce(match_.X_ab[Index(link)].inverse(), F);
  }

  // In order of what may explain a difference that is none: passive forces on tiny inertias, a
  // singular posture, a singular mass matrix. Only then it counts.
  Worst worst = worst_;
  DynamicsStatus status = Compare(as_is_, state, forces_a, forces_b, worst);
  if (passive_ &&
      worst.failed().size() >
          worst_.failed()
              .size()) {  // dampers on next to no mass: their values are compared as such
    passive_ = false;
    Tell("verify-without-passive-forces", a_.model.name,
         "accelerations are compared without springs, damping and friction");
    worst = worst_;
    status = Compare(as_is_, state, forces_a, forces_b, worst);
  }
  const bool differs = worst.failed().size() > worst_.failed().size();
  if (differs && identical_) return Tell(kLeftOut, a_.model.name, kSingularPosture);
  if (differs && (PostureIsSingular(state.q_a, 1e-3) || MotionIsImpossible(state)))
    return Tell(kLeftOut, a_.model.name, kSingularPosture);
  if (status == DynamicsStatus::kSingularMass ||
      (differs && LeastResistance(a_.m, state) < kRoundOff)) {
    const int body = as_is_.a.body_at_fault();
    Tell("verify-inertia-added",
         body > 0 ? a_.model.link(a_.m.bodies[U(body)].link).name : a_.model.name,
         "singular mass matrix; accelerations are compared with the same inertia added to every "
         "link");
    if (!loaded_) Load();
    worst = worst_;
    status = Compare(*loaded_, state, forces_a, forces_b, worst);
    const bool still_differs = worst.failed().size() > worst_.failed().size();
    if (identical_ && still_differs) return Tell(kLeftOut, a_.model.name, kSingularPosture);
    if (still_differs && LeastResistance(loaded_a_, state) < kRoundOff)
      return Tell(kLeftOut, a_.model.name,
                  "has inertias of no body, which some motion takes energy from; accelerations are "
                  "not compared there");
  }
  if (status == DynamicsStatus::kOk) {
    worst_ = worst;
  } else {
    Tell(kLeftOut, a_.model.name, std::string(Name(status)) + "; accelerations are not compared");
  }
}

// Where a mechanism is about to change its rank, accelerations say nothing: with a singular value
// of K as small as s, a closed q is known to 1e-16 / s, K with it, and the accelerations to 1e-16 /
// s^3.
bool AccelerationComparison::PostureIsSingular(const Eigen::VectorXd& q_a, double least) {
  for (int g = 0; g < static_cast<int>(a_.m.aggregates.size()); ++g) {
    if (solver_.NearlySingular(g, q_a, least, a_.coordinates.aggregates[U(g)].rank)) return true;
  }
  return false;
}

// At a configuration where the constraints lose rank altogether, some velocities that satisfy them
// are followed by no acceleration: K qdd = k has no solution, and each side's is another
// compromise.
bool AccelerationComparison::MotionIsImpossible(const StatePair& state) {
  for (int g = 0; g < static_cast<int>(a_.m.aggregates.size()); ++g) {
    if (a_.m.aggregates[U(g)].rows == 0 || solver_.IsLarge(g))
      continue;  // its pivots are looked at
    const ConstraintRows& rows = solver_.Rows(g, state.q_a, &state.v_a);
    const Eigen::VectorXd qdd = ShortestLeastSquares(rows.K, rows.k, 1e-9);
    const double miss = (rows.K * qdd - rows.k).lpNorm<Eigen::Infinity>();
    if (miss > kContradiction * (1 + rows.k.lpNorm<Eigen::Infinity>())) return true;
  }
  return false;
}

// The least eigenvalue of G^T M G with a unit diagonal: of the size of round-off where that alone
// resists some motion, below where the inertias are of no body.
double AccelerationComparison::LeastResistance(const Mechanism& m, const StatePair& state) const {
  constexpr int kMost = 1000;  // velocities: of more the dense M is not made
  if (m.nv > kMost) return 1;
  const ReducedDynamics reduced = Reduce(m, a_.coordinates, state.q_a, state.v_a);
  if (reduced.status != DynamicsStatus::kOk || reduced.M.size() == 0)
    return reduced.status == DynamicsStatus::kSingularMass ? 0 : 1;
  const Eigen::VectorXd diagonal = reduced.M.diagonal();
  if (!(diagonal.minCoeff() > 0)) return diagonal.minCoeff() < 0 ? -1 : 0;
  // Scaled to a unit diagonal, so that units and small links do not look singular.
  const Eigen::VectorXd unit = diagonal.cwiseSqrt().cwiseInverse();
  return SymmetricEigenvalues(unit.asDiagonal() * reduced.M * unit.asDiagonal())[0];
}

// A tensor that is the same in all axes, so that it does not matter how the frames of A and B
// differ.
void AccelerationComparison::Load() {
  loaded_a_ = a_.m, loaded_b_ = b_.m;
  double mass = 0;
  for (const Body& body : a_.m.bodies) mass += body.inertia.mass;
  // A thousandth of the robot's mass at its own length: enough to be regular, the same on both
  // sides.
  const double added = (mass > 0 ? 1e-3 * mass : 1) * a_.m.length * a_.m.length;
  for (std::size_t b = 1; b < b_.m.bodies.size(); ++b) {
    const LinkId link = match_.a_of_b[Index(b_.m.bodies[b].link)];
    if (link == kNoLink || link == kWorld) continue;
    for (SpatialInertia* inertia :
         {&loaded_a_.bodies[U(a_.m.body_of[Index(link)])].inertia, &loaded_b_.bodies[b].inertia})
      inertia->I_BBcm.diagonal().array() += added;
  }
  loaded_ = std::make_unique<Dynamics>(loaded_a_, a_.coordinates, loaded_b_, b_.coordinates);
}

// The status of A; what B makes of it goes into `worst`.
DynamicsStatus AccelerationComparison::Compare(Dynamics& dynamics, const StatePair& state,
                                               const ExternalForces& forces_a,
                                               const ExternalForces& forces_b, Worst& worst) {
  Eigen::VectorXd qdd_a, qdd_b;
  Eigen::VectorXd tau_a = Eigen::VectorXd::Zero(a_.m.nv), tau_b = Eigen::VectorXd::Zero(b_.m.nv);
  if (passive_) AddPassiveForces(state, tau_a, tau_b);
  const DynamicsStatus status_a =
      dynamics.a.ForwardDynamics(state.q_a, state.v_a, tau_a, qdd_a, &forces_a);
  if (status_a != DynamicsStatus::kOk) return status_a;
  const DynamicsStatus status_b =
      dynamics.b.ForwardDynamics(state.q_b, state.v_b, tau_b, qdd_b, &forces_b);
  if (status_b != DynamicsStatus::kOk) {
    const int body = dynamics.b.body_at_fault();
    // Links that only B has may be without mass and idle.
    if (status_b == DynamicsStatus::kSingularMass && body > 0 && !carrier_.Shared(body))
      return status_a;
    worst.Add(status_b == DynamicsStatus::kSingularPosture ? 0 : kMissing,
              body > 0 ? BodyName(b_, body) : b_.model.name);
    return status_a;
  }
  const std::vector<Vector6> A_A = BodyAccelerations(a_.m, state.joints_a, state.v_a, qdd_a),
                             A_B = BodyAccelerations(b_.m, state.joints_b, state.v_b, qdd_b);

  // Relative to the largest acceleration of any link, angular or over the length.
  double scale = 1;
  for (const Vector6& A : A_A)
    scale = std::max({scale, A.head<3>().norm(), A.tail<3>().norm() / a_.m.length});
  for (int b = 1; b < static_cast<int>(b_.m.bodies.size()); ++b) {
    if (!carrier_.Shared(b)) continue;
    Vector6 difference = A_B[U(b)] - carrier_.TargetVelocity(b, A_A);
    difference.tail<3>() /= a_.m.length;
    worst.Add(difference.lpNorm<Eigen::Infinity>() / scale, BodyName(b_, b));
  }
  return status_a;
}

// Of each side by its own values, where both have them; that only one has them is told as a value.
void AccelerationComparison::AddPassiveForces(const StatePair& state, Eigen::VectorXd& tau_a,
                                              Eigen::VectorXd& tau_b) const {
  const auto axis = [](const Side& side, JointId id, int i) -> const JointAxis* {
    const std::vector<JointAxis>& axes = side.model.joint(id).axes;
    return U(i) < axes.size() ? &axes[U(i)] : nullptr;
  };
  for (const CoordinatePair& pair : pairs_) {
    if (pair.q_a < 0 || pair.v_a < 0) continue;
    const JointAxis *x = axis(a_, pair.joint_a, pair.axis_a),
                    *y = axis(b_, pair.joint_b, pair.axis_b);
    if (x == nullptr || y == nullptr) continue;
    const bool damping = x->damping && y->damping, friction = x->friction && y->friction;
    const bool spring = x->spring_stiffness && y->spring_stiffness;
    const auto force = [&](const JointAxis& of, double q, double v) {
      // Coulomb friction takes the sign of v, which is random and hardly ever 0.
      double tau = 0;
      if (damping) tau -= *of.damping * v;
      if (friction) tau -= *of.friction * (v > 0 ? 1 : -1);
      if (spring) tau -= *of.spring_stiffness * (q - of.spring_reference.value_or(0));
      return tau;
    };
    const double of_a = force(*x, state.q_a[pair.q_a], state.v_a[pair.v_a]),
                 of_b = force(*y, state.q_b[pair.q_b], state.v_b[pair.v_b]);
    tau_a[pair.v_a] += of_a;
    tau_b[pair.v_b] += of_b;
  }
}

void AccelerationComparison::Tell(const char* code, const std::string& who,
                                  const std::string& what) {
  if (told_.insert(code).second) Note(result_, Severity::kNote, code, {"", who, what});
}

}  // namespace kinemorph::verify

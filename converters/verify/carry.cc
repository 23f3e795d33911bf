// Inverse kinematics from link poses: exact joint by joint, and by least squares through links that
// only B has.
#include "verify/carry.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>
#include <utility>

#include "kinemorph/graph/base/linear_algebra.h"
#include "kinemorph/graph/base/overloaded.h"
#include "kinemorph/graph/mechanics/coordinates.h"

namespace kinemorph::verify {
namespace {

// Where a body and its parent both have a counterpart, the joint between them is known exactly: its
// relative pose is inverted in closed form (direct). Bodies that only B has, massless links of a
// split joint for example, leave several joints between two known poses: those are solved together
// by damped least squares (groups), with the loops that end on such bodies as further rows.
// Rotations in rad, lengths over the robot's.

Vector3 RotationVector(const Matrix3& R) {
  const Eigen::AngleAxisd turn(R);
  return turn.angle() * turn.axis();
}

// Brings angles to the turn nearest to the guess.
void KeepTurns(const JointKind& kind, const double* guess, double* q) {
  const auto keep = [&](std::initializer_list<int> angles) {
    const double turn = 2 * std::numbers::pi;
    for (const int i : angles) q[i] += turn * std::nearbyint((guess[i] - q[i]) / turn);
  };
  std::visit(Overloaded{[&](const Revolute&) { keep({0}); },
                        [&](const Universal&) {
                          keep({0, 1});
                        },
                        [&](const Planar&) { keep({2}); }, [&](const Cylindrical&) { keep({0}); },
                        [&](const Screw& k) {
                          if (k.pitch == 0) keep({0});
                        },
                        [](const Fixed&) {}, [](const Prismatic&) {}, [](const Ball&) {},
                        [](const Free&) {}},
             kind);
}

}  // namespace

Carrier::Carrier(const Side& a, const Side& b, const Correspondence& match)
    : b_(b),
      match_(match),
      solver_(b.m),
      joints_(b.m),
      X_W_(b.m.bodies.size()),
      linear_(IsLinearVelocity(b.m)) {
  for (const Body& body : b.m.bodies) {
    const LinkId link = match.a_of_b[Index(body.link)];
    a_body_.push_back(link == kNoLink ? -1 : a.m.body_of[Index(link)]);
    X_ab_.push_back(link == kNoLink ? RigidTransform{} : match.X_ab[Index(link)]);
  }
  FindGroups();
}

// Union-find over joints: a body without a counterpart ties the joints above and below it, and a
// loop that ends on it ties those along its way.
void Carrier::FindGroups() {
  const Mechanism& m = b_.m;
  std::vector<int> set(m.bodies.size());  // union-find over the joints, named by their bodies
  std::iota(set.begin(), set.end(), 0);
  const auto find = [&](int i) {
    while (set[U(i)] != i) i = set[U(i)] = set[U(set[U(i)])];
    return i;
  };
  std::vector<bool> grouped(m.bodies.size(), false);
  for (int b = 1; b < static_cast<int>(m.bodies.size()); ++b) {
    const int parent = m.bodies[U(b)].parent;
    if (!Shared(b)) grouped[U(b)] = true;
    if (parent > 0 && !Shared(parent)) set[U(find(b))] = find(parent), grouped[U(b)] = true;
  }
  std::vector<std::pair<int, int>> loops;
  std::vector<int> loop_at;
  for (int a = 0; a < static_cast<int>(m.aggregates.size()); ++a) {
    const Aggregate& g = m.aggregates[U(a)];
    for (int l = 0; l < static_cast<int>(g.loops.size()); ++l) {
      const LoopConstraint& loop = g.loops[U(l)];
      const auto unshared = [&](int position) {
        return position >= 0 && !Shared(g.bodies[U(position)]);
      };
      if (!unshared(loop.predecessor) && !unshared(loop.successor)) continue;
      const int at = g.bodies[U(unshared(loop.successor) ? loop.successor : loop.predecessor)];
      for (const auto* path : {&loop.predecessor_path, &loop.successor_path}) {
        for (const int position : *path) {
          if (grouped[U(g.bodies[U(position)])]) set[U(find(g.bodies[U(position)]))] = find(at);
        }
      }
      loops.emplace_back(a, l), loop_at.push_back(at);
    }
  }

  // Groups in tree order: bodies of a group are then solved root first.
  std::vector<int> index(m.bodies.size(), -1);
  for (int b = 1; b < static_cast<int>(m.bodies.size()); ++b) {
    if (!grouped[U(b)]) {
      direct_.push_back(b);
      continue;
    }
    int& at = index[U(find(b))];
    if (at < 0) at = static_cast<int>(groups_.size()), groups_.emplace_back();
    Group& group = groups_[U(at)];
    group.bodies.push_back(b);
    for (int i = 0; i < m.bodies[U(b)].nv; ++i) group.columns.push_back(m.bodies[U(b)].v + i);
    if (Shared(b)) group.rows += 6;
  }
  for (std::size_t i = 0; i < loops.size(); ++i) {
    Group& group = groups_[U(index[U(find(loop_at[i]))])];
    group.loops.push_back(loops[i]);
    group.rows += m.aggregates[U(loops[i].first)].loops[U(loops[i].second)].rows;
  }
}

RigidTransform Carrier::Target(int body, const std::vector<RigidTransform>& X_A) const {
  if (body == 0) return RigidTransform{};
  return match_.X_BA * X_A[U(a_body_[U(body)])] * X_ab_[U(body)];
}

Vector6 Carrier::TargetVelocity(int body, const std::vector<Vector6>& V_A) const {
  if (body == 0) return Vector6::Zero();
  return InverseTransformMotion(X_ab_[U(body)], V_A[U(a_body_[U(body)])]);
}

void Carrier::Direct(int b, const std::vector<RigidTransform>& X_A, Eigen::VectorXd& q,
                     std::vector<CarryError>& errors) const {
  const Body& body = b_.m.bodies[U(b)];
  const RigidTransform X_PB = Target(body.parent, X_A).inverse() * Target(b, X_A);
  RigidTransform X_FM = body.X_PJ.inverse() * X_PB * body.X_JB.inverse();
  if (body.reversed) X_FM = X_FM.inverse();
  RigidTransform made;
  if (body.nq > 0) {
    std::array<double, 7> guess{};
    std::copy(q.data() + body.q, q.data() + body.q + body.nq, guess.begin());
    if (body.nv > 0) {
      PositionFromTransform(body.kind, X_FM, q.data() + body.q);
      KeepTurns(body.kind, guess.data(), q.data() + body.q);
    }
    made = JointTransform(body.kind, q.data() + body.q);
  }
  // Compared as poses of B in P, so that long levers count.
  if (body.reversed) made = made.inverse();
  made = body.X_PJ * made * body.X_JB;
  const double turn = (made.R - X_PB.R).cwiseAbs().maxCoeff();
  const double shift =
      (made.p - X_PB.p).cwiseAbs().maxCoeff() / std::max(b_.m.length, 1e-3 * X_PB.p.norm());
  errors.push_back({b, std::max(turn, shift)});
}

// Six rows for each known body of the group, rotation vector and position in world axes, then the
// rows of its loops.
double Carrier::GroupResidual(const Group& group, const std::vector<RigidTransform>& X_A,
                              const Eigen::VectorXd& q, Eigen::VectorXd& residual) {
  residual.resize(group.rows);
  Eigen::Index row = 0;
  for (const int b : group.bodies) {
    const int parent = b_.m.bodies[U(b)].parent;
    UpdateJoint(b_.m, b, q.data(), nullptr, joints_);
    X_W_[U(b)] = (Shared(parent) ? Target(parent, X_A) : X_W_[U(parent)]) * joints_.X_PB[U(b)];
    if (!Shared(b)) continue;
    const RigidTransform target = Target(b, X_A);
    residual.segment<3>(row) = RotationVector(X_W_[U(b)].R * target.R.transpose());
    residual.segment<3>(row + 3) = (X_W_[U(b)].p - target.p) / b_.m.length;
    row += 6;
  }
  for (const auto& [a, l] : group.loops) {
    const LoopConstraint& loop = b_.m.aggregates[U(a)].loops[U(l)];
    solver_.Residual(a, q);
    Eigen::VectorXd phi = solver_.last_phi(a).segment(loop.row, loop.rows);
    residual.segment(row, loop.rows) = phi;
    row += loop.rows;
  }
  return residual.size() == 0 ? 0 : residual.lpNorm<Eigen::Infinity>();
}

Eigen::MatrixXd Carrier::GroupJacobian(const Group& group, const std::vector<RigidTransform>& X_A,
                                       const Eigen::VectorXd& q) {
  const Mechanism& m = b_.m;
  Eigen::MatrixXd J =
      Eigen::MatrixXd::Zero(group.rows, static_cast<Eigen::Index>(group.columns.size()));
  std::vector<int> column(U(m.nv), -1);
  for (std::size_t i = 0; i < group.columns.size(); ++i)
    column[U(group.columns[i])] = static_cast<int>(i);
  Eigen::VectorXd residual;
  GroupResidual(group, X_A, q, residual);  // refreshes poses and joints
  Eigen::Index row = 0;
  for (const int s : group.bodies) {
    if (!Shared(s)) continue;
    // Motion of s about its origin in world axes, from every joint up to the next shared body.
    for (int b = s; b > 0; b = m.bodies[U(b)].parent) {
      const Body& body = m.bodies[U(b)];
      for (int v = body.v; v < body.v + body.nv; ++v) {
        const Vector3 w = X_W_[U(b)].R * joints_.S.col(v).head<3>(),
                      u = X_W_[U(b)].R * joints_.S.col(v).tail<3>();
        J.block<3, 1>(row, column[U(v)]) = w;
        J.block<3, 1>(row + 3, column[U(v)]) =
            (u + w.cross(X_W_[U(s)].p - X_W_[U(b)].p)) / m.length;
      }
      if (Shared(body.parent)) break;
    }
    row += 6;
  }

  // Rows of loops, of the columns of this group only: other joints are known by now.
  for (const auto& [a, l] : group.loops) {
    const Aggregate& g = m.aggregates[U(a)];
    const LoopConstraint& loop = g.loops[U(l)];
    const Eigen::MatrixXd K = solver_.Rows(a, q).K.middleRows(loop.row, loop.rows);
    for (int c = 0; c < g.nv; ++c) {
      if (column[U(g.velocity[U(c)])] < 0) continue;
      for (int r = 0; r < loop.rows; ++r) {
        J(row + r, column[U(g.velocity[U(c)])]) =
            K(r, c) / (solver_.length_rows(a)[U(loop.row + r)] ? m.length : 1);
      }
    }
    row += loop.rows;
  }
  return J;
}

// Levenberg-Marquardt from the guess, then from random starts that go farther each time. The
// damping falls with the residual, so that the last steps are Gauss-Newton's and reach round-off.
void Carrier::Solve(const Group& group, const std::vector<RigidTransform>& X_A, Eigen::VectorXd& q,
                    std::vector<CarryError>& errors) {
  const Mechanism& m = b_.m;
  const Eigen::Index n = static_cast<Eigen::Index>(group.columns.size());
  Eigen::VectorXd residual, best_q = q;
  double best = std::numeric_limits<double>::infinity();
  Random random(7);
  for (int start = 0; start < 12 && best > 1e-7; ++start) {
    Eigen::VectorXd at = q;
    Eigen::VectorXd step = Eigen::VectorXd::Zero(m.nv);
    if (start > 0) {
      for (const int v : group.columns)
        step[v] = random.Uniform(-1, 1) * 0.25 * start * (linear_[U(v)] ? m.length : 1);
      at = m.Integrate(at, step, 1);
    }
    double error = GroupResidual(group, X_A, at, residual), cost = residual.squaredNorm(),
           damping = 1e-3;
    for (int i = 0; i < 60 && error > 1e-15 && n > 0; ++i) {
      const Eigen::MatrixXd J = GroupJacobian(group, X_A, at);
      GroupResidual(group, X_A, at, residual);
      Eigen::MatrixXd H = J.transpose() * J;
      // The tiny second term keeps H regular where the group has idle motions.
      H.diagonal().array() += damping * std::min(1.0, std::sqrt(cost)) +
                              1e-14 * std::max(1e-3, H.diagonal().maxCoeff());
      Eigen::VectorXd d = -SymmetricFactors(H).Solve(Eigen::VectorXd(J.transpose() * residual));
      if (!d.allFinite()) break;
      // No step beyond 0.7 rad or length, which would leap to another branch.
      const double largest = d.lpNorm<Eigen::Infinity>();
      if (largest > 0.7) d *= 0.7 / largest;
      step.setZero();
      for (Eigen::Index c = 0; c < n; ++c) step[group.columns[static_cast<std::size_t>(c)]] = d[c];
      const Eigen::VectorXd trial = m.Integrate(at, step, 1);
      const double trial_error = GroupResidual(group, X_A, trial, residual);
      if (residual.squaredNorm() < cost) {
        at = trial, error = trial_error, cost = residual.squaredNorm();
        damping = std::max(1e-9, damping * 0.2);
      } else {
        damping *= 8;
        if (error < 1e-11 || damping > 1e9) break;
      }
    }
    if (error < best) best = error, best_q = at;
  }
  q = best_q;
  best = GroupResidual(group, X_A, q, residual);
  // The error goes to the shared body where it shows.
  Eigen::Index row = 0;
  CarryError worst{group.bodies.front(), best};
  double largest = -1;
  for (const int b : group.bodies) {
    if (!Shared(b)) continue;
    const double error = residual.segment<6>(row).lpNorm<Eigen::Infinity>();
    if (error > largest) largest = error, worst.body = b;
    row += 6;
  }
  errors.push_back(worst);
}

std::vector<CarryError> Carrier::Position(const std::vector<RigidTransform>& X_A,
                                          Eigen::VectorXd& q) {
  std::vector<CarryError> errors;
  X_A_ = X_A;
  for (const int b : direct_) Direct(b, X_A, q, errors);
  for (const Group& group : groups_) Solve(group, X_A, q, errors);
  return errors;
}

// The null space of J holds the motions that leave all known links where they are.
void Carrier::CountIdle(const Eigen::VectorXd& q) {
  idle_ = 0;
  UpdateJoints(b_.m, q.data(), nullptr, joints_);
  for (const int b : direct_) {  // two axes of one joint that are parallel
    const Body& body = b_.m.bodies[U(b)];
    if (body.nv != 2) continue;
    idle_ += body.nv - GapRank(SingularValues(joints_.S.middleCols(body.v, body.nv)));
  }
  for (const Group& group : groups_) {
    if (group.columns.empty()) continue;
    const int n = static_cast<int>(group.columns.size());
    idle_ += n;
    if (group.rows > 0) idle_ -= GapRank(SingularValues(GroupJacobian(group, X_A_, q)));
  }
}

bool Carrier::Undetermined(int velocity, const Eigen::VectorXd& q) {
  for (const Group& group : groups_) {
    const auto at = std::find(group.columns.begin(), group.columns.end(), velocity);
    if (at == group.columns.end()) continue;
    if (group.rows == 0) return true;
    const Eigen::MatrixXd J = GroupJacobian(group, X_A_, q);
    const int rank = GapRank(SingularValues(J));
    return rank < J.cols() && ShareInNullSpace(J, rank)[at - group.columns.begin()] > 1e-6;
  }
  return false;
}

std::vector<CarryError> Carrier::Velocity(const std::vector<Vector6>& V_A, const Eigen::VectorXd& q,
                                          Eigen::VectorXd& v) {
  const Mechanism& m = b_.m;
  std::vector<CarryError> errors;
  const Eigen::VectorXd guess = std::exchange(v, Eigen::VectorXd::Zero(m.nv));
  UpdateJoints(m, q.data(), nullptr, joints_);
  for (const int b : direct_) {
    const Body& body = m.bodies[U(b)];
    const Vector6 relative =
        TargetVelocity(b, V_A) -
        InverseTransformMotion(joints_.X_PB[U(b)], TargetVelocity(body.parent, V_A));

    // Of a single joint: the least squares solution of V_rel = S v, and what is left of it is an
    // error.
    Vector6 rest = relative;
    if (body.nv > 0) {
      const auto S = joints_.S.middleCols(body.v, body.nv);
      v.segment(body.v, body.nv) = SolveLeastSquares(S, relative);
      rest -= S * v.segment(body.v, body.nv);
    }
    rest.tail<3>() /= m.length;
    errors.push_back({b, rest.lpNorm<Eigen::Infinity>()});
  }
  for (const Group& group : groups_) {
    if (group.columns.empty()) continue;

    // Of a group: the same J, with the links' velocities on the right. Loops have K v = 0, with the
    // part of v that is known by now on the right.
    const Eigen::MatrixXd J = GroupJacobian(group, X_A_, q);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(group.rows);
    Eigen::Index row = 0;
    for (const int s : group.bodies) {
      if (!Shared(s)) continue;
      int top = m.bodies[U(s)].parent;
      while (!Shared(top)) top = m.bodies[U(top)].parent;
      // V_s minus what s would have, moving with `top`; about s's origin in world axes.
      const RigidTransform X_ts = Target(top, X_A_).inverse() * Target(s, X_A_);
      const Vector6 relative =
          TargetVelocity(s, V_A) - InverseTransformMotion(X_ts, TargetVelocity(top, V_A));
      right.segment<3>(row) = X_W_[U(s)].R * relative.head<3>();
      right.segment<3>(row + 3) = X_W_[U(s)].R * relative.tail<3>() / m.length;
      row += 6;
    }
    for (const auto& [a, l] : group.loops) {
      const Aggregate& g = m.aggregates[U(a)];
      const LoopConstraint& loop = g.loops[U(l)];
      const Eigen::MatrixXd K = solver_.Rows(a, q).K.middleRows(loop.row, loop.rows);
      Eigen::VectorXd v_a(g.nv);
      for (int c = 0; c < g.nv; ++c) v_a[c] = v[g.velocity[U(c)]];
      for (int r = 0; r < loop.rows; ++r)
        right[row + r] =
            -K.row(r).dot(v_a) / (solver_.length_rows(a)[U(loop.row + r)] ? m.length : 1);
      row += loop.rows;
    }
    // The shortest change of the guess: motions that no link shows stay as they were.
    Eigen::VectorXd solved = guess(group.columns);
    solved += ShortestLeastSquares(J, right - J * solved);
    v(group.columns) = solved;
    errors.push_back({group.bodies.front(),
                      group.rows == 0 ? 0 : (J * solved - right).lpNorm<Eigen::Infinity>()});
  }
  return errors;
}

}  // namespace kinemorph::verify

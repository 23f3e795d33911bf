#include "mechanics/embedding_cluster.h"

#include <cmath>

#include "base/index.h"
#include "mechanics/body_kinematics.h"
#include "mechanics/elimination.h"
#include "mechanics/loop_rows.h"

// One aggregate in the three sweeps of constraint_embedding.h. Velocity (or Complete, then Move)
// makes the poses, K, k, G and g; Inertia reduces all bodies to the m independent coordinates and
// adds what the parent body p feels; Acceleration gives ydd and the accelerations that children
// need. Everything stands in the frame of p, where a sum over bodies is a sum and I of a body
// without children never leaves its compact rigid form.
namespace kinemorph::embedding {
Cluster::Cluster(const Mechanism& m, const Aggregate& aggregate,
                 const AggregateCoordinates& coordinates)
    : g_(aggregate),
      mobility_(static_cast<int>(coordinates.independent.size())),
      rank_(static_cast<int>(coordinates.dependent.size())),
      independent_(coordinates.independent),
      dependent_(coordinates.dependent) {
  kinematics_.Resize(g_);
  // A large cluster never builds K (rows x nv): its rows are sparse, in scaled unknowns, and G is
  // scaled back by unit_.
  if (IsLarge(g_)) {
    cycles_ = std::make_unique<LoopCycles>(m, g_);
    rows_.phi.setZero(g_.rows), rows_.k.setZero(g_.rows);
    for (const int i : g_.bodies) {
      const Body& body = m.bodies[U(i)];
      for (int c = 0; c < body.nv; ++c)
        unit_.push_back(body.S.col(c).head<3>().isZero(0) ? m.length : 1);
    }
  } else {
    rows_.Resize(g_);
    tableau_.resize(U(g_.rows) * U(g_.nv + 1));
  }
  for (int i = 0; i < g_.rows; ++i) order_.push_back(i);
  again_.resize(U(g_.rows));
  const std::size_t n = g_.bodies.size();
  rigid_.resize(n), p_.resize(n), c_.resize(n), shift_.resize(n);
  G_.setZero(g_.nv, mobility_), g_rate_.setZero(g_.nv);
  for (int i = 0; i < mobility_; ++i) G_(independent_[U(i)], i) = 1;
  J_.setZero(6, static_cast<Eigen::Index>(n) * mobility_);
  for (Eigen::MatrixXd* columns : {&U_, &U_i_, &W_}) columns->setZero(6, mobility_);
  for (Eigen::MatrixXd* square : {&D_, &D_inverse_}) square->setZero(mobility_, mobility_);
  for (Eigen::VectorXd* vector : {&u_, &ydd_}) vector->setZero(mobility_);
  for (const int v : g_.velocity) armature_ = armature_ || m.armature[U(v)] != 0;
}

DynamicsStatus Cluster::Velocity(Recursion& r, const double* q, const double* v,
                                 const ExternalForces* forces) {
  ComputeAggregateKinematics(r.m, g_, r.joints, v, kinematics_);
  PlaceBodies(r, forces);
  if (g_.rows == 0) return DynamicsStatus::kOk;
  if (cycles_) {
    ComputeRight(r, q, v);
    return SparselyExplicit(q, rows_.k, true);
  }
  ComputeConstraints(r.m, g_, kinematics_, q, v, Residual::kExact, rows_);
  return Explicit(rows_.k, true);
}

DynamicsStatus Cluster::Complete(Recursion& r, const double* q, double* v, double* gap) {
  for (std::size_t i = 0; i < g_.bodies.size(); ++i)
    ComputeBodyKinematics(r.m, g_, r.joints, nullptr, static_cast<int>(i), kinematics_);
  if (g_.rows == 0) return DynamicsStatus::kOk;
  if (cycles_)
    ComputeRight(r, q, nullptr);
  else
    ComputeConstraints(r.m, g_, kinematics_, q, nullptr, Residual::kExact, rows_);
  // The right side is phi here, not k: K_d^-1 phi is how far the dependent coordinates are from
  // closure, which the singularly perturbed form feeds back. Rows that contradict each other are no
  // error then.
  const DynamicsStatus status =
      cycles_ ? SparselyExplicit(q, rows_.phi, false) : Explicit(rows_.phi, false);
  if (status != DynamicsStatus::kOk) return status;
  for (const int z : dependent_) {
    double sum = 0;
    for (int i = 0; i < mobility_; ++i) sum += G_(z, i) * v[g_.velocity[U(independent_[U(i)])]];
    v[g_.velocity[U(z)]] = sum;
    gap[g_.velocity[U(z)]] = g_rate_[z];
  }
  return DynamicsStatus::kOk;
}

// K has not changed since Complete: its elimination serves again, for k instead of phi. (A large
// cluster keeps none and eliminates anew.)
void Cluster::Move(Recursion& r, const double* q, const double* v, const ExternalForces* forces) {
  for (std::size_t i = 0; i < g_.bodies.size(); ++i)
    ComputeBodyMotion(r.m, g_, r.joints, v, static_cast<int>(i), kinematics_);
  PlaceBodies(r, forces);
  if (g_.rows == 0) return;
  ComputeRight(r, q, v);
  if (cycles_)
    static_cast<void>(SparselyExplicit(q, rows_.k, false));
  else
    SolveAgain(rows_.k);
}

void Cluster::ComputeRight(const Recursion& r, const double* q, const double* v) {
  for (const LoopConstraint& loop : g_.loops) {
    const LoopRows own = RowsOf(loop, kinematics_, v != nullptr, Residual::kExact);
    for (int i = 0; i < loop.rows; ++i)
      rows_.phi[loop.row + i] = own.phi[U(i)], rows_.k[loop.row + i] = own.k[U(i)];
  }
  for (const CouplingConstraint& coupling : g_.couplings) {
    double value = -coupling.constant, bias = 0;
    for (const CouplingConstraint::Term& term : coupling.terms) {
      const Body& body = r.m.bodies[U(g_.bodies[U(term.body)])];
      const Quartic at(term.c, q[body.q + term.axis]);
      const double rate = v == nullptr ? 0 : v[body.v + term.axis];
      value += at.value, bias += at.curvature * rate * rate;
    }
    rows_.phi[coupling.row] = value, rows_.k[coupling.row] = -bias;
  }
}

DynamicsStatus Cluster::SparselyExplicit(const double* q, const Eigen::VectorXd& right,
                                         bool strict) {
  // G of scaled unknowns: x_z / unit_z = G (x_i / unit_i). What is left over in rows without a
  // pivot must vanish as in the dense elimination.
  const SparseExplicit found = SolveRows(cycles_->ComputeRows(kinematics_, q, right),
                                         cycles_->columns(), independent_, dependent_);
  if (found.singular) return DynamicsStatus::kSingularPosture;
  const double largest = right.size() == 0 ? 0 : right.lpNorm<Eigen::Infinity>();
  if (strict && found.inconsistency > kContradiction * (1 + largest))
    return DynamicsStatus::kInconsistent;
  for (const int z : dependent_) {
    for (int i = 0; i < mobility_; ++i)
      G_(z, i) = found.G(z, i) * unit_[U(z)] / unit_[U(independent_[U(i)])];
    g_rate_[z] = found.g[z] * unit_[U(z)];
  }
  return DynamicsStatus::kOk;
}

// V and c' of the bodies, from their kinematics in the parent's frame.
void Cluster::PlaceBodies(Recursion& r, const ExternalForces* forces) {
  // V and A of the kinematics are against p. In the motion of p they get V_p and the velocity
  // product V_p x V; the acceleration of p itself comes in the last sweep. A body with children
  // keeps a Node in its own frame, since children add their inertia there.
  const bool moving = g_.parent > 0;
  const Vector6 V_p = moving ? r.node(g_.parent).V : Vector6::Zero();
  for (std::size_t i = 0; i < g_.bodies.size(); ++i) {
    const int b = g_.bodies[i];
    Node& node = r.node(b);
    const RigidTransform& X = kinematics_.X[i];
    const Vector6* force = forces == nullptr ? nullptr : &(*forces)[U(b)];
    Vector6 V = kinematics_.V[i];
    c_[i] = kinematics_.A[i];
    if (moving) c_[i] += CrossMotion(V_p, V), V += V_p;
    if (node.has_children) {
      node.V = InverseTransformMotion(X, V);
      node.Start(force);
    } else {
      rigid_[i].Set(r.m.bodies[U(b)].inertia, X);
      p_[i] = rigid_[i].VelocityProduct(V);
      if (force != nullptr) p_[i] -= TransformForce(X, *force);
    }
  }
}

// Eliminates the dependent columns, pivoting over all rows. The rows left over must ask for nothing
// more.
template <int WIDTH>
DynamicsStatus Cluster::ExplicitOf(const Eigen::VectorXd& right, bool strict) {
  const int rows = g_.rows, width = WIDTH > 0 ? WIDTH : g_.nv + 1;
  double* const A = tableau_.data();
  double largest = 0;
  for (int i = 0; i < rows; ++i) {
    double* a = A + i * width;
    for (int j = 0; j < rank_; ++j) a[j] = rows_.K(i, dependent_[U(j)]);
    for (int j = 0; j < mobility_; ++j) a[rank_ + j] = -rows_.K(i, independent_[U(j)]);
    a[width - 1] = right[i];
    largest = std::max(largest, std::abs(right[i]));
  }
  if (EliminateColumns<WIDTH>(A, width, rows, rank_, width, order_.data()) == 0)
    return DynamicsStatus::kSingularPosture;
  for (int i = 0; i < rows; ++i) {
    const double* a = A + order_[U(i)] * width;
    if (i >= rank_) {
      if (strict && std::abs(a[width - 1]) > kContradiction * (1 + largest))
        return DynamicsStatus::kInconsistent;
      continue;
    }
    for (int k = 0; k < mobility_; ++k) G_(dependent_[U(i)], k) = a[rank_ + k];
    g_rate_[dependent_[U(i)]] = a[width - 1];
  }
  return DynamicsStatus::kOk;
}

void Cluster::SolveAgain(const Eigen::VectorXd& k) {
  std::copy(k.begin(), k.end(), again_.begin());
  SolveEliminated(tableau_.data(), g_.nv + 1, rank_, order_.data(), again_.data());
  for (int i = 0; i < rank_; ++i) g_rate_[dependent_[U(i)]] = again_[U(order_[U(i)])];
}

// Widths of the usual loops (four-bar: three joints) are known to the compiler: the inner loop of
// the elimination unrolls.
DynamicsStatus Cluster::Explicit(const Eigen::VectorXd& right, bool strict) {
  switch (g_.nv + 1) {
    case 3:
      return ExplicitOf<3>(right, strict);
    case 4:
      return ExplicitOf<4>(right, strict);
    case 5:
      return ExplicitOf<5>(right, strict);
    default:
      return ExplicitOf<0>(right, strict);
  }
}

template <int M>
bool Cluster::InertiaOf(Recursion& r, const double* tau) {
  // With M known the maps below are fixed-size blocks of the work arrays: nothing is allocated, and
  // products unroll.
  using MatrixM = Eigen::Map<Eigen::Matrix<double, 6, M>>;
  using SquareM = Eigen::Map<Eigen::Matrix<double, M, M>>;
  using VectorM = Eigen::Map<Eigen::Matrix<double, M, 1>>;
  const Eigen::Index m = mobility_;
  MatrixM U_sum(U_.data(), 6, m), U_i(U_i_.data(), 6, m), W(W_.data(), 6, m);
  SquareM D(D_.data(), m, m), D_inverse(D_inverse_.data(), m, m);
  VectorM u(u_.data(), m), ydd(ydd_.data(), m);
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, M>> G(G_.data(), g_.nv, m);
  U_sum.setZero(), D.setZero(), u.setZero();
  // u = G^T (tau - armature g) and D = G^T armature G, as far as joints go; bodies follow.
  for (int k = 0; k < g_.nv; ++k) {
    const int v = g_.velocity[U(k)];
    u.noalias() += G.row(k).transpose() * tau[v];
    // Most robots have none: two products per coordinate are spared.
    if (!armature_) continue;
    const double armature = r.m.armature[U(v)];
    u.noalias() -= G.row(k).transpose() * (armature * g_rate_[k]);
    D.noalias() += armature * G.row(k).transpose() * G.row(k);
  }
  // J_i = J_parent + S_i G_i and c'_i grow along the tree inside the cluster, so that no matrix of
  // all bodies is formed (the paper's A_G); U = sum I_i J_i is all that p has to know of them.
  Node* const parent = g_.parent > 0 ? &r.node(g_.parent) : nullptr;
  for (std::size_t i = 0; i < g_.bodies.size(); ++i) {
    const int b = g_.bodies[i], before = g_.parent_in[i], nv = r.m.bodies[U(b)].nv;
    MatrixM J(J_.data() + 6 * m * static_cast<Eigen::Index>(i), 6, m);
    if (before < 0) {
      J.setZero(), shift_[i].setZero();
    } else {
      J = MatrixM(J_.data() + 6 * m * before, 6, m), shift_[i] = shift_[U(before)];
    }
    for (int k = g_.column[i]; k < g_.column[i] + nv; ++k) {
      J.noalias() += kinematics_.S.col(k) * G.row(k);
      shift_[i] += kinematics_.S.col(k) * g_rate_[k];
    }
    c_[i] += shift_[i];
    const auto add = [&](const auto& I, const Vector6& p) {
      for (Eigen::Index k = 0; k < m; ++k) U_i.col(k) = I * Vector6(J.col(k));
      const Vector6 force = p + I * c_[i];  // at ydd = 0 and a_p = 0
      D.noalias() += J.transpose() * U_i;
      u.noalias() -= J.transpose() * force;
      U_sum += U_i;
      if (parent == nullptr) return;
      parent->I += I;
      parent->p += force;
    };
    const Node& node = r.node(b);
    if (node.has_children) {
      add(InParent(kinematics_.X[i], node.I), TransformForce(kinematics_.X[i], node.p));
    } else {
      add(rigid_[i], p_[i]);
    }
  }
  if (!InvertPositive<M>(D, r.least_pivot, D_inverse)) return false;
  // What p feels: the inertia of all bodies less what the free coordinates give way, U D^-1 U^T.
  // The paper prints I_G - ... here; it must be the articulated I^A.
  ydd.noalias() = D_inverse * u;    // D^-1 u
  W.noalias() = U_sum * D_inverse;  // U D^-1
  if (parent != nullptr) {
    for (Eigen::Index k = 0; k < m; ++k) parent->I.Subtract(W.col(k), U_sum.col(k));
    parent->p.noalias() += U_sum * ydd;
  }
  return true;
}

template <int M>
void Cluster::AccelerationOf(Recursion& r, double* qdd) {
  // ydd = D^-1 (u - U^T a_p): D^-1 u was left by Inertia. The world's acceleration is -g, which is
  // how gravity reaches every body.
  const Vector6& a_p = r.node(std::max(g_.parent, 0)).a;
  Eigen::Map<Eigen::Matrix<double, M, 1>> ydd(ydd_.data(), mobility_);
  ydd.noalias() -=
      Eigen::Map<const Eigen::Matrix<double, 6, M>>(W_.data(), 6, mobility_).transpose() * a_p;
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, M>> G(G_.data(), g_.nv, mobility_);
  for (int k = 0; k < g_.nv; ++k) qdd[g_.velocity[U(k)]] = G.row(k).dot(ydd) + g_rate_[k];
  for (std::size_t i = 0; i < g_.bodies.size(); ++i) {
    Node& node = r.node(g_.bodies[i]);
    if (!node.has_children) continue;
    Vector6 a = a_p + c_[i];
    a.noalias() += Eigen::Map<const Eigen::Matrix<double, 6, M>>(
                       J_.data() + 6 * mobility_ * static_cast<Eigen::Index>(i), 6, mobility_) *
                   ydd;
    node.a = InverseTransformMotion(kinematics_.X[i], a);
  }
}

bool Cluster::Inertia(Recursion& r, const double* tau) {
  switch (mobility_) {
    case 1:
      return InertiaOf<1>(r, tau);
    case 2:
      return InertiaOf<2>(r, tau);
    case 3:
      return InertiaOf<3>(r, tau);
    default:
      return InertiaOf<Eigen::Dynamic>(r, tau);
  }
}

void Cluster::Acceleration(Recursion& r, double* qdd) {
  switch (mobility_) {
    case 1:
      return AccelerationOf<1>(r, qdd);
    case 2:
      return AccelerationOf<2>(r, qdd);
    case 3:
      return AccelerationOf<3>(r, qdd);
    default:
      return AccelerationOf<Eigen::Dynamic>(r, qdd);
  }
}

}  // namespace kinemorph::embedding

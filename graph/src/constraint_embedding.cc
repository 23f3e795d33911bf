// The constraint-embedding articulated-body algorithm on the compiled mechanism.
#include "kinemorph/graph/constraint_embedding.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "articulated_inertia.h"

namespace kinemorph {
namespace {

std::size_t U(int i) { return static_cast<std::size_t>(i); }

// A body in the recursion. Quantities are in the body's frame unless said otherwise.
struct Node {
  ArticulatedInertia I;
  Vector6 p, V, c, a;  // bias force, velocity, velocity-product acceleration, acceleration
  RigidInertia rigid;
  bool has_children = false;  // other aggregates hang on it
  explicit Node(const Body& body) : p(Vector6::Zero()), V(Vector6::Zero()), c(Vector6::Zero()), a(Vector6::Zero()), rigid(body.inertia) {
    I.SetZero();
  }
};

// A body alone: up to six columns.
struct Single {
  Eigen::Matrix<double, 6, 6> U_columns;  // I S
  Eigen::Matrix<double, 6, 6> W;          // U D^-1
  Vector6 u, D_diagonal;
  Eigen::Matrix<double, 6, 6> D;
};

// An aggregate with constraints, or with several bodies.
struct Cluster {
  int m = 0, r = 0;
  std::vector<int> independent, dependent;
  AggregateKinematics kinematics;
  ConstraintRows rows;
  std::vector<double> tableau;      // [K_d | -K_i | k], row by row
  Eigen::MatrixXd G, D, D_inverse;  // nv x m, m x m
  Eigen::VectorXd g, u, s, ydd;
  Matrix6X J;                  // by position, m columns each, in axes of the parent body
  std::vector<Vector6> c;      // velocity-product accelerations relative to the parent body's, the same axes
  Matrix6X U_columns, W, U_i;  // 6 x m
};

// D^-1 of a positive definite D; false when a pivot is not above `least`.
template <int M, class In, class Out>
bool InvertPositive(const In& D, double least, Out& inverse) {
  if constexpr (M == 1) {
    if (!(D(0, 0) > least)) return false;
    inverse(0, 0) = 1 / D(0, 0);
    return true;
  } else {
    const Eigen::LLT<Eigen::Matrix<double, M, M>> llt(D);
    if (llt.info() != Eigen::Success) return false;
    for (Eigen::Index i = 0; i < D.rows(); ++i) {
      const double pivot = llt.matrixLLT()(i, i);
      if (!(pivot * pivot > least)) return false;
    }
    inverse.setIdentity();
    llt.solveInPlace(inverse);
    return true;
  }
}

}  // namespace

struct ConstraintEmbeddingDynamics::Impl {
  const Mechanism& m;
  JointCache joints;
  std::vector<Node> nodes;      // by body
  std::vector<Single> singles;  // by body
  std::vector<int> cluster_of;  // by aggregate: index into clusters, -1 for a body alone
  std::vector<Cluster> clusters;
  std::vector<int> order;  // aggregates, parents first
  double least_pivot = 0;
  int fault = -1;

  Impl(const Mechanism& mechanism, const Coordinates* coordinates);
  DynamicsStatus Run(const double* q, const double* v, const double* tau, double* qdd, const ExternalForces* forces);
  void Velocity(int body, const double* v, const ExternalForces* forces);
  void ClusterVelocity(const Aggregate& g, Cluster& c, const double* v, const ExternalForces* forces);
  DynamicsStatus Explicit(const Aggregate& g, Cluster& c);
  template <int NV>
  bool SingleInertia(int body, const double* tau);
  bool DispatchSingle(int body, const double* tau);
  template <int NV>
  void SingleAcceleration(int body, double* qdd);
  template <int M>
  bool ClusterInertia(const Aggregate& g, Cluster& c, const double* tau);
  template <int M>
  void ClusterAcceleration(const Aggregate& g, Cluster& c, double* qdd);
  DynamicsStatus Inertias(const double* q, const double* v, const double* tau, const ExternalForces* forces);
};

ConstraintEmbeddingDynamics::Impl::Impl(const Mechanism& mechanism, const Coordinates* coordinates) : m(mechanism), joints(mechanism) {
  double mass = 0;
  nodes.reserve(m.bodies.size());
  for (const Body& body : m.bodies) {
    nodes.emplace_back(body);
    mass += body.inertia.mass;
  }
  singles.resize(m.bodies.size());
  for (const double armature : m.armature) mass = std::max(mass, armature);
  least_pivot = 1e-15 * mass * m.length * m.length;
  const auto hangs_on = [&](int parent) {
    if (parent > 0) nodes[U(parent)].has_children = true;
  };
  if (coordinates == nullptr) {
    for (std::size_t b = 1; b < m.bodies.size(); ++b) hangs_on(m.bodies[b].parent);
    return;
  }
  cluster_of.assign(m.aggregates.size(), -1);
  for (std::size_t a = 0; a < m.aggregates.size(); ++a) {
    const Aggregate& g = m.aggregates[a];
    hangs_on(g.parent);
    if (a == 0 && g.bodies.size() == 1) continue;
    order.push_back(static_cast<int>(a));
    if (g.bodies.size() == 1 && coordinates->aggregates[a].rank == 0) continue;
    cluster_of[a] = static_cast<int>(clusters.size());
    Cluster& c = clusters.emplace_back();
    c.independent = coordinates->aggregates[a].independent, c.dependent = coordinates->aggregates[a].dependent;
    c.m = static_cast<int>(c.independent.size()), c.r = static_cast<int>(c.dependent.size());
    c.kinematics.Resize(g), c.rows.Resize(g);
    c.tableau.resize(U(g.rows) * U(g.nv + 1));
    c.G.setZero(g.nv, c.m), c.D.setZero(c.m, c.m), c.D_inverse.setZero(c.m, c.m);
    c.g.setZero(g.nv), c.u.setZero(c.m), c.s.setZero(c.m), c.ydd.setZero(c.m);
    for (int i = 0; i < c.m; ++i) c.G(c.independent[U(i)], i) = 1;
    c.J.setZero(6, static_cast<Eigen::Index>(g.bodies.size()) * c.m);
    c.c.assign(g.bodies.size(), Vector6::Zero());
    c.U_columns.setZero(6, c.m), c.W.setZero(6, c.m), c.U_i.setZero(6, c.m);
  }
}

// V, c and the rigid body's part of I and p.
void ConstraintEmbeddingDynamics::Impl::Velocity(int b, const double* v, const ExternalForces* forces) {
  const Body& body = m.bodies[U(b)];
  Node& node = nodes[U(b)];
  if (body.parent > 0) {
    node.V = InverseTransformMotion(joints.X_PB[U(b)], nodes[U(body.parent)].V);
  } else {
    node.V.setZero();
  }
  if (body.nv == 1) {
    const Vector6 S_v = joints.S.col(body.v) * v[body.v];
    node.c = CrossMotion(node.V, S_v);
    node.V += S_v;
  } else if (body.nv > 1) {
    Vector6 S_v = Vector6::Zero();
    for (int i = body.v; i < body.v + body.nv; ++i) S_v += joints.S.col(i) * v[i];
    node.c = CrossMotion(node.V, S_v);
    if (!body.constant_subspace) node.c += joints.S_rate_v[U(b)];
    node.V += S_v;
  }
  node.I.A = node.rigid.I_o;
  node.I.B = Skew(node.rigid.moment);
  node.I.C = node.rigid.mass * Matrix3::Identity();
  node.p = node.rigid.VelocityProduct(node.V);
  if (forces != nullptr) node.p -= (*forces)[U(b)];
}

void ConstraintEmbeddingDynamics::Impl::ClusterVelocity(const Aggregate& g, Cluster& c, const double* v, const ExternalForces* forces) {
  ComputeAggregateKinematics(m, g, joints, v, c.kinematics);
  const Vector6 V_p = g.parent > 0 ? nodes[U(g.parent)].V : Vector6::Zero();
  for (std::size_t i = 0; i < g.bodies.size(); ++i) {
    Node& node = nodes[U(g.bodies[i])];
    node.V = InverseTransformMotion(c.kinematics.X[i], V_p + c.kinematics.V[i]);
    node.I.A = node.rigid.I_o;
    node.I.B = Skew(node.rigid.moment);
    node.I.C = node.rigid.mass * Matrix3::Identity();
    node.p = node.rigid.VelocityProduct(node.V);
    if (forces != nullptr) node.p -= (*forces)[U(g.bodies[i])];
    c.c[i] = c.kinematics.A[i];
    if (g.parent > 0) c.c[i] += CrossMotion(V_p, c.kinematics.V[i]);
  }
}

// G and g by elimination of the dependent columns, pivoting over all rows. The rows left over must ask for nothing more.
DynamicsStatus ConstraintEmbeddingDynamics::Impl::Explicit(const Aggregate& g, Cluster& c) {
  const int rows = g.rows, width = g.nv + 1, r = c.r;
  double* A = c.tableau.data();
  double scale = 0, largest_k = 0;
  for (int i = 0; i < rows; ++i) {
    largest_k = std::max(largest_k, std::abs(c.rows.k[i]));
    double* row = A + i * width;
    for (int j = 0; j < r; ++j) row[j] = c.rows.K(i, c.dependent[U(j)]), scale = std::max(scale, std::abs(row[j]));
    for (int j = 0; j < c.m; ++j) row[r + j] = -c.rows.K(i, c.independent[U(j)]);
    row[width - 1] = c.rows.k[i];
  }
  for (int j = 0; j < r; ++j) {
    int best = j;
    double largest = 0;
    for (int i = j; i < rows; ++i) {
      if (std::abs(A[i * width + j]) > largest) largest = std::abs(A[i * width + j]), best = i;
    }
    if (!(largest > 1e-10 * scale)) return DynamicsStatus::kSingularPosture;
    double* pivot = A + j * width;
    if (best != j) std::swap_ranges(pivot + j, pivot + width, A + best * width + j);
    const double inverse = 1 / pivot[j];
    for (int i = j + 1; i < rows; ++i) {
      double* row = A + i * width;
      const double factor = row[j] * inverse;
      if (factor == 0) continue;
      for (int k = j + 1; k < width; ++k) row[k] -= factor * pivot[k];
    }
  }
  for (int i = r - 1; i >= 0; --i) {
    double* row = A + i * width;
    for (int j = i + 1; j < r; ++j) {
      const double* lower = A + j * width;
      for (int k = r; k < width; ++k) row[k] -= row[j] * lower[k];
    }
    const double inverse = 1 / row[i];
    for (int k = r; k < width; ++k) row[k] *= inverse;
    for (int k = 0; k < c.m; ++k) c.G(c.dependent[U(i)], k) = row[r + k];
    c.g[c.dependent[U(i)]] = row[width - 1];
  }
  for (int i = r; i < rows; ++i) {
    if (std::abs(A[i * width + width - 1]) > kContradiction * (1 + largest_k)) return DynamicsStatus::kInconsistent;
  }
  return DynamicsStatus::kOk;
}

template <int NV>
bool ConstraintEmbeddingDynamics::Impl::SingleInertia(int b, const double* tau) {
  const Body& body = m.bodies[U(b)];
  Node& node = nodes[U(b)];
  Single& single = singles[U(b)];
  if constexpr (NV > 0) {
    Eigen::Matrix<double, NV, NV> D, D_inverse;
    for (int i = 0; i < NV; ++i) {
      const auto S = joints.S.col(body.v + i);
      single.U_columns.col(i) = node.I * Vector6(S);
      single.u[i] = tau[body.v + i] - S.dot(node.p);
    }
    for (int i = 0; i < NV; ++i) {
      for (int j = 0; j < NV; ++j) D(i, j) = joints.S.col(body.v + i).dot(single.U_columns.col(j));
      D(i, i) += m.armature[U(body.v + i)];
    }
    if (!InvertPositive<NV>(D, least_pivot, D_inverse)) return false;
    single.D.template topLeftCorner<NV, NV>() = D;
    single.W.template leftCols<NV>().noalias() = single.U_columns.template leftCols<NV>() * D_inverse;
    single.u.template head<NV>() = (D_inverse * single.u.template head<NV>()).eval();  // D^-1 u from here on
    if (body.parent > 0) {
      for (int i = 0; i < NV; ++i) node.I.Subtract(single.W.col(i), single.U_columns.col(i));
      node.p += node.I * node.c + single.U_columns.template leftCols<NV>() * single.u.template head<NV>();
    }
  }
  if (body.parent > 0) {
    Node& parent = nodes[U(body.parent)];
    parent.I += InParent(joints.X_PB[U(b)], node.I);
    parent.p += TransformForce(joints.X_PB[U(b)], node.p);
  }
  return true;
}

bool ConstraintEmbeddingDynamics::Impl::DispatchSingle(int b, const double* tau) {
  switch (m.bodies[U(b)].nv) {
    case 0:
      return SingleInertia<0>(b, tau);
    case 1:
      return SingleInertia<1>(b, tau);
    case 2:
      return SingleInertia<2>(b, tau);
    case 3:
      return SingleInertia<3>(b, tau);
    default:
      return SingleInertia<6>(b, tau);
  }
}

template <int NV>
void ConstraintEmbeddingDynamics::Impl::SingleAcceleration(int b, double* qdd) {
  const Body& body = m.bodies[U(b)];
  Node& node = nodes[U(b)];
  const Single& single = singles[U(b)];
  node.a = InverseTransformMotion(joints.X_PB[U(b)], nodes[U(body.parent)].a);
  if constexpr (NV > 0) {
    node.a += node.c;
    Eigen::Map<Eigen::Matrix<double, NV, 1>> ydd(qdd + body.v);
    ydd.noalias() = single.u.template head<NV>() - single.W.template leftCols<NV>().transpose() * node.a;
    if (node.has_children) {
      for (int i = 0; i < NV; ++i) node.a += joints.S.col(body.v + i) * ydd[i];
    }
  }
}

template <int M>
bool ConstraintEmbeddingDynamics::Impl::ClusterInertia(const Aggregate& g, Cluster& c, const double* tau) {
  using MatrixM = Eigen::Map<Eigen::Matrix<double, 6, M>>;
  using SquareM = Eigen::Map<Eigen::Matrix<double, M, M>>;
  using VectorM = Eigen::Map<Eigen::Matrix<double, M, 1>>;
  const int n = static_cast<int>(g.bodies.size());
  const Eigen::Index columns = c.m;
  ArticulatedInertia sum;
  Vector6 bias = Vector6::Zero();
  sum.SetZero();
  MatrixM U_sum(c.U_columns.data(), 6, columns), U_i(c.U_i.data(), 6, columns), W(c.W.data(), 6, columns);
  SquareM D(c.D.data(), columns, columns), D_inverse(c.D_inverse.data(), columns, columns);
  VectorM u(c.u.data(), columns), s(c.s.data(), columns), ydd(c.ydd.data(), columns);
  U_sum.setZero(), D.setZero(), u.setZero(), s.setZero();
  for (int i = 0; i < n; ++i) {
    const int b = g.bodies[U(i)];
    const Body& body = m.bodies[U(b)];
    Node& node = nodes[U(b)];
    // J = S G along the path; c[i] gains S g along it.
    const int parent = g.parent_in[U(i)];
    Vector6 shift = Vector6::Zero();
    MatrixM J(c.J.data() + 6 * columns * i, 6, columns);
    if (parent < 0) {
      J.setZero();
    } else {
      J = MatrixM(c.J.data() + 6 * columns * parent, 6, columns);
      shift = c.kinematics.A[U(parent)];  // accumulated S g: see below
    }
    for (int k = g.column[U(i)]; k < g.column[U(i)] + body.nv; ++k) {
      J.noalias() += c.kinematics.S.col(k) * c.G.row(k);
      shift += c.kinematics.S.col(k) * c.g[k];
      const int v = g.velocity[U(k)];
      const double armature = m.armature[U(v)];
      u.noalias() += c.G.row(k).transpose() * (tau[v] - armature * c.g[k]);
      if (armature != 0) D.noalias() += armature * c.G.row(k).transpose() * c.G.row(k);
    }
    c.kinematics.A[U(i)] = shift;  // the bias acceleration is in c[i] already; A is free to hold the sum
    c.c[U(i)] += shift;
    const ArticulatedInertia I = InParent(c.kinematics.X[U(i)], node.I);
    const Vector6 p = TransformForce(c.kinematics.X[U(i)], node.p);
    U_i.template topRows<3>().noalias() = I.A * J.template topRows<3>() + I.B * J.template bottomRows<3>();
    U_i.template bottomRows<3>().noalias() = I.B.transpose() * J.template topRows<3>() + I.C * J.template bottomRows<3>();
    D.noalias() += J.transpose() * U_i;
    u.noalias() -= J.transpose() * p;
    s.noalias() += U_i.transpose() * c.c[U(i)];
    U_sum += U_i;
    if (g.parent > 0) {
      sum += I;
      bias += p + I * c.c[U(i)];
    }
  }
  if (!InvertPositive<M>(D, least_pivot, D_inverse)) return false;
  u -= s;
  ydd.noalias() = D_inverse * u;    // D^-1 (u - s)
  W.noalias() = U_sum * D_inverse;  // U D^-1
  if (g.parent > 0) {
    Node& parent = nodes[U(g.parent)];
    for (Eigen::Index k = 0; k < columns; ++k) sum.Subtract(W.col(k), U_sum.col(k));
    parent.I += sum;
    parent.p += bias;
    parent.p.noalias() += U_sum * ydd;
  }
  return true;
}

template <int M>
void ConstraintEmbeddingDynamics::Impl::ClusterAcceleration(const Aggregate& g, Cluster& c, double* qdd) {
  const Vector6& a_p = nodes[U(std::max(g.parent, 0))].a;
  Eigen::Map<Eigen::Matrix<double, M, 1>> ydd(c.ydd.data(), c.m);
  const Eigen::Map<const Eigen::Matrix<double, 6, M>> W(c.W.data(), 6, c.m);
  ydd.noalias() -= W.transpose() * a_p;
  for (int k = 0; k < g.nv; ++k) qdd[g.velocity[U(k)]] = c.G.row(k).dot(ydd) + c.g[k];
  for (std::size_t i = 0; i < g.bodies.size(); ++i) {
    Node& node = nodes[U(g.bodies[i])];
    if (!node.has_children) continue;
    Vector6 a = a_p + c.c[i];
    a.noalias() += Eigen::Map<const Eigen::Matrix<double, 6, M>>(c.J.data() + 6 * static_cast<Eigen::Index>(i) * c.m, 6, c.m) * ydd;
    node.a = InverseTransformMotion(c.kinematics.X[i], a);
  }
}

DynamicsStatus ConstraintEmbeddingDynamics::Impl::Inertias(const double* q, const double* v, const double* tau,
                                                           const ExternalForces* forces) {
  fault = -1;
  UpdateJoints(m, q, v, joints);
  const int n = static_cast<int>(m.bodies.size());
  nodes[0].V.setZero();
  if (cluster_of.empty()) {
    for (int b = 1; b < n; ++b) Velocity(b, v, forces);
    for (int b = n - 1; b > 0; --b) {
      if (!DispatchSingle(b, tau)) {
        fault = b;
        return DynamicsStatus::kSingularMass;
      }
    }
    return DynamicsStatus::kOk;
  }
  for (const int a : order) {
    const Aggregate& g = m.aggregates[U(a)];
    if (cluster_of[U(a)] < 0) {
      Velocity(g.bodies.front(), v, forces);
      continue;
    }
    Cluster& c = clusters[U(cluster_of[U(a)])];
    ClusterVelocity(g, c, v, forces);
    if (g.rows == 0) continue;
    ComputeConstraints(m, g, c.kinematics, q, v, Residual::kExact, c.rows);
    if (const DynamicsStatus status = Explicit(g, c); status != DynamicsStatus::kOk) {
      fault = g.bodies.front();
      return status;
    }
  }
  for (auto a = order.rbegin(); a != order.rend(); ++a) {
    const Aggregate& g = m.aggregates[U(*a)];
    bool ok;
    if (cluster_of[U(*a)] < 0) {
      ok = DispatchSingle(g.bodies.front(), tau);
    } else {
      Cluster& c = clusters[U(cluster_of[U(*a)])];
      ok = c.m == 1   ? ClusterInertia<1>(g, c, tau)
           : c.m == 2 ? ClusterInertia<2>(g, c, tau)
           : c.m == 3 ? ClusterInertia<3>(g, c, tau)
                      : ClusterInertia<Eigen::Dynamic>(g, c, tau);
    }
    if (!ok) {
      fault = g.bodies.front();
      return DynamicsStatus::kSingularMass;
    }
  }
  return DynamicsStatus::kOk;
}

DynamicsStatus ConstraintEmbeddingDynamics::Impl::Run(const double* q, const double* v, const double* tau, double* qdd,
                                                      const ExternalForces* forces) {
  const DynamicsStatus status = Inertias(q, v, tau, forces);
  if (status != DynamicsStatus::kOk) return status;
  nodes[0].a << Vector3::Zero(), -m.gravity;
  const auto single = [&](int b) {
    switch (m.bodies[U(b)].nv) {
      case 0:
        SingleAcceleration<0>(b, qdd);
        break;
      case 1:
        SingleAcceleration<1>(b, qdd);
        break;
      case 2:
        SingleAcceleration<2>(b, qdd);
        break;
      case 3:
        SingleAcceleration<3>(b, qdd);
        break;
      default:
        SingleAcceleration<6>(b, qdd);
        break;
    }
  };
  if (cluster_of.empty()) {
    for (int b = 1; b < static_cast<int>(m.bodies.size()); ++b) single(b);
    return DynamicsStatus::kOk;
  }
  for (const int a : order) {
    const Aggregate& g = m.aggregates[U(a)];
    if (cluster_of[U(a)] < 0) {
      single(g.bodies.front());
      continue;
    }
    Cluster& c = clusters[U(cluster_of[U(a)])];
    switch (c.m) {
      case 1:
        ClusterAcceleration<1>(g, c, qdd);
        break;
      case 2:
        ClusterAcceleration<2>(g, c, qdd);
        break;
      case 3:
        ClusterAcceleration<3>(g, c, qdd);
        break;
      default:
        ClusterAcceleration<Eigen::Dynamic>(g, c, qdd);
        break;
    }
  }
  return DynamicsStatus::kOk;
}

ConstraintEmbeddingDynamics::ConstraintEmbeddingDynamics(const Mechanism& mechanism, const Coordinates& coordinates)
    : impl_(std::make_unique<Impl>(mechanism, &coordinates)) {}
ConstraintEmbeddingDynamics::ConstraintEmbeddingDynamics(const Mechanism& mechanism) : impl_(std::make_unique<Impl>(mechanism, nullptr)) {}
ConstraintEmbeddingDynamics::~ConstraintEmbeddingDynamics() = default;
int ConstraintEmbeddingDynamics::body_at_fault() const { return impl_->fault; }

DynamicsStatus ConstraintEmbeddingDynamics::ForwardDynamics(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& tau,
                                                            Eigen::VectorXd& qdd, const ExternalForces* forces) {
  qdd.resize(impl_->m.nv);
  DynamicsStatus status = DynamicsStatus::kNotFinite;
  if (q.allFinite() && v.allFinite() && tau.allFinite()) status = impl_->Run(q.data(), v.data(), tau.data(), qdd.data(), forces);
  if (status == DynamicsStatus::kOk && !qdd.allFinite()) status = DynamicsStatus::kNotFinite;
  if (status != DynamicsStatus::kOk) qdd.setZero();
  return status;
}

Eigen::MatrixXd MassFactorization::Inverse() const {
  const Eigen::LDLT<Eigen::MatrixXd> D_ldlt(D);
  return F * D_ldlt.solve(F.transpose());
}

MassFactorization ConstraintEmbeddingDynamics::Factorize(const Eigen::VectorXd& q) {
  Impl& w = *impl_;
  MassFactorization out;
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(w.m.nv);
  out.status = w.Inertias(q.data(), zero.data(), zero.data(), nullptr);
  if (out.status != DynamicsStatus::kOk) return out;
  // Aggregates in the order of the mechanism; every one reacts to the acceleration of the body it hangs on: ydd = nu - D^-1 U^T a_p.
  struct Block {
    int first = 0, size = 0;
  };
  std::vector<Block> blocks;
  Eigen::Index size = 0;
  const std::size_t count = w.cluster_of.empty() ? w.m.bodies.size() : w.m.aggregates.size();
  for (std::size_t i = 0; i < count; ++i) {
    const int nv = w.cluster_of.empty()   ? w.m.bodies[i].nv
                   : w.cluster_of[i] >= 0 ? w.clusters[U(w.cluster_of[i])].m
                                          : w.m.bodies[U(w.m.aggregates[i].bodies.front())].nv;
    blocks.push_back({static_cast<int>(size), nv});
    size += nv;
  }
  out.D = Eigen::MatrixXd::Zero(size, size), out.F = Eigen::MatrixXd::Zero(size, size);
  std::vector<Matrix6X> a(w.m.bodies.size(), Matrix6X::Zero(6, size));  // response of every body to every nu
  for (std::size_t i = 0; i < count; ++i) {
    const Block block = blocks[i];
    const bool alone = w.cluster_of.empty() || w.cluster_of[i] < 0;
    const int body = w.cluster_of.empty() ? static_cast<int>(i) : w.m.aggregates[i].bodies.front();
    if (alone && body == 0) continue;
    Eigen::MatrixXd ydd = Eigen::MatrixXd::Zero(block.size, size);
    ydd.middleCols(block.first, block.size).setIdentity();
    if (alone) {
      const Body& b = w.m.bodies[U(body)];
      Matrix6X& a_b = a[U(body)];
      for (Eigen::Index k = 0; k < size; ++k) a_b.col(k) = InverseTransformMotion(w.joints.X_PB[U(body)], a[U(b.parent)].col(k));
      const Single& single = w.singles[U(body)];
      ydd -= single.W.leftCols(b.nv).transpose() * a_b;
      if (b.nv > 0) a_b += w.joints.S.middleCols(b.v, b.nv) * ydd;
      out.D.block(block.first, block.first, block.size, block.size) = single.D.topLeftCorner(b.nv, b.nv);
    } else {
      const Aggregate& g = w.m.aggregates[i];
      const Cluster& c = w.clusters[U(w.cluster_of[i])];
      const Matrix6X& a_p = a[U(std::max(g.parent, 0))];
      ydd -= c.W.transpose() * a_p;
      for (std::size_t j = 0; j < g.bodies.size(); ++j) {
        const Matrix6X a_j = a_p + c.J.middleCols(static_cast<Eigen::Index>(j) * c.m, c.m) * ydd;
        for (Eigen::Index k = 0; k < size; ++k) a[U(g.bodies[j])].col(k) = InverseTransformMotion(c.kinematics.X[j], a_j.col(k));
      }
      out.D.block(block.first, block.first, block.size, block.size) = c.D;
    }
    out.F.middleRows(block.first, block.size) = ydd;
  }
  return out;
}

}  // namespace kinemorph

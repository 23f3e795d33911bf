#include "kinemorph/gateway/mechanics.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "kinemorph/formats/capability_table.h"
#include "kinemorph/graph/mechanics/closure.h"
#include "kinemorph/graph/mechanics/constraint_embedding.h"

namespace kinemorph {
namespace {

// Everything here is a call into the graph layer with q moved by the file's offset; q, v and tau
// have the order of the spanning tree, and spatial vectors are angular first. Objects are const
// after construction and work space is local, which is what makes calls from many threads safe.

// By velocity: whether the loops leave it free.
// Columns of an aggregate are local; `velocity` leads to the index in v.
std::vector<bool> LeftFree(const Mechanism& m, const Coordinates& coordinates) {
  std::vector<bool> independent(static_cast<std::size_t>(m.nv), true);
  for (std::size_t a = 0; a < m.aggregates.size(); ++a)
    for (const int column : coordinates.aggregates[a].dependent)
      independent[static_cast<std::size_t>(
          m.aggregates[a].velocity[static_cast<std::size_t>(column)])] = false;
  return independent;
}

}  // namespace

Mechanics::Mechanics(const Model& model)
    : m_(Compile(model)), analysis_(AnalyseCoordinates(m_)), joints_(JointPlaces(model, m_)) {
  m_.gravity = GravityMeantBy(model).value_or(m_.gravity);
  DescribeCoordinates();

  // Rows of K are stacked by aggregate, as the names must be.
  rows_.resize(static_cast<std::size_t>(m_.rows));
  for (const Aggregate& aggregate : m_.aggregates) {
    const std::vector<std::string> names = RowNames(aggregate);
    std::copy(names.begin(), names.end(), rows_.begin() + aggregate.row);
  }
}

void Mechanics::DescribeCoordinates() {
  const std::vector<bool> free = LeftFree(m_, analysis_);
  offset_ = Eigen::VectorXd::Zero(m_.nq);
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  for (const JointPlace& joint : joints_) {
    const Body& body = m_.bodies[static_cast<std::size_t>(joint.body)];
    const bool scalar = body.nq == body.nv;
    for (int i = 0; i < body.nq; ++i) {
      CoordinateInfo& info = coordinates_.emplace_back();
      const double offset = offset_[body.q + i] = joint.offset[static_cast<std::size_t>(i)];
      info.name = ColumnName(joint.name, i, body.nq), info.joint = joint.name;
      info.length = IsLength(m_, joint.body, i, false);
      info.quaternion = !scalar && i < 4;
      // A quaternion has one number more than there are turns: its last is taken with the third
      // turn, and the positions behind it with their own velocities.
      const std::size_t v = static_cast<std::size_t>(body.v + (scalar || i < 3 ? i : i - 1));
      info.independent = free[v];
      info.lower = scalar ? m_.lower[v] + offset : -kInfinite;
      info.upper = scalar ? m_.upper[v] + offset : kInfinite;
    }
    for (int i = 0; i < body.nv; ++i) {
      if (free[static_cast<std::size_t>(body.v + i)]) independent_.push_back(body.v + i);
      velocities_.push_back({ColumnName(joint.name, i, body.nv), joint.name,
                             IsLength(m_, joint.body, i, true),
                             free[static_cast<std::size_t>(body.v + i)]});
    }
  }
}

Mechanics Mechanics::WithGravity(const Vector3& gravity) const {
  Mechanics other = *this;
  other.m_.gravity = gravity;
  return other;
}

double Mechanics::Residual(const Eigen::VectorXd& q) const {
  return ClosureSolver(m_).Residual(FromFile(q));
}

// Several links may be one body, so that poses are handed out by link.
std::vector<RigidTransform> Mechanics::LinkPoses(const Eigen::VectorXd& q) const {
  const std::vector<RigidTransform> X_WB = Poses(m_, FromFile(q));
  std::vector<RigidTransform> poses;
  poses.reserve(m_.body_of.size());
  for (const int body : m_.body_of) poses.push_back(X_WB[static_cast<std::size_t>(body)]);
  return poses;
}

// The origin of F is carried along by the link: its velocity is v + omega x p.
Matrix6X Mechanics::Jacobian(const Eigen::VectorXd& q, LinkId link, JacobianFrame frame,
                             const RigidTransform& X_LF) const {
  JointCache joints(m_);
  const Eigen::VectorXd own = FromFile(q);
  UpdateJoints(m_, own.data(), nullptr, joints);
  const int body = m_.body_of[Index(link)];
  const bool in_body = frame == JacobianFrame::kBody;
  std::vector<RigidTransform> X_WB;
  ComputePoses(m_, joints, X_WB);
  const Vector3 p = in_body ? X_LF.p : X_WB[static_cast<std::size_t>(body)].R * X_LF.p;
  Matrix6X J = LinkJacobian(m_, joints, body, frame);
  for (Eigen::Index c = 0; c < J.cols(); ++c) J.col(c).tail<3>() += J.col(c).head<3>().cross(p);
  if (!in_body) return J;
  J.topRows<3>() = (X_LF.R.transpose() * J.topRows<3>()).eval();
  J.bottomRows<3>() = (X_LF.R.transpose() * J.bottomRows<3>()).eval();
  return J;
}

MassCentre Mechanics::MassCentreAt(const Eigen::VectorXd& q) const {
  return CentreOfMass(m_, FromFile(q));
}

ConstraintRows Mechanics::Rows(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const {
  return Constraints(m_, FromFile(q), v);
}

Embedding Mechanics::Explicit(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const {
  // Embed gives G by aggregate; callers index columns by `independent`, which is ascending.
  Embedding found = Embed(m_, analysis_, FromFile(q), v);
  std::vector<std::size_t> order(found.independent.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return found.independent[a] < found.independent[b];
  });
  Embedding sorted = found;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted.independent[i] = found.independent[order[i]];
    sorted.G.col(static_cast<Eigen::Index>(i)) = found.G.col(static_cast<Eigen::Index>(order[i]));
  }
  return sorted;
}

Eigen::VectorXd Mechanics::Integrate(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                     double dt) const {
  return ToFile(m_.Integrate(FromFile(q), v, dt));
}

Eigen::MatrixXd Mechanics::Mass(const Eigen::VectorXd& q) const {
  return MassMatrix(m_, FromFile(q));
}

Eigen::VectorXd Mechanics::BiasForces(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const {
  return Bias(m_, FromFile(q), v);
}

Eigen::VectorXd Mechanics::Passive(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const {
  return PassiveForces(m_, FromFile(q), v);
}

Energy Mechanics::EnergyAt(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const {
  return EnergyOf(m_, FromFile(q), v);
}

DynamicsStatus Mechanics::Forward(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                  const Eigen::VectorXd& tau, Eigen::VectorXd& qdd) const {
  const Eigen::VectorXd own = FromFile(q);
  // Springs and viscous damping act as applied forces. Coulomb friction does not: at v = 0 it is a
  // set of forces, not one.
  qdd = Eigen::VectorXd::Zero(m_.nv);
  return ConstraintEmbeddingDynamics(m_, analysis_)
      .ForwardDynamics(own, v, tau + PassiveForces(m_, own, v), qdd);
}

DynamicsStatus Mechanics::Inverse(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                  const Eigen::VectorXd& qdd, Eigen::VectorXd& tau) const {
  const Eigen::VectorXd own = FromFile(q);
  tau = Eigen::VectorXd::Zero(m_.nv);
  // tau of the tree (recursive Newton-Euler) projected by G^T: the constraint forces drop out,
  // since K G = 0 and they are K^T lambda. The other coordinates have no drive and get zero.
  const Embedding at = Embed(m_, analysis_, own, v);
  if (at.status != DynamicsStatus::kOk) return at.status;
  const Eigen::VectorXd tree = InverseDynamics(m_, own, v, qdd) - PassiveForces(m_, own, v);
  const Eigen::VectorXd of_independent = at.G.transpose() * tree;
  for (std::size_t i = 0; i < at.independent.size(); ++i)
    tau[at.independent[i]] = of_independent[static_cast<Eigen::Index>(i)];
  return tau.allFinite() ? DynamicsStatus::kOk : DynamicsStatus::kNotFinite;
}

}  // namespace kinemorph

// What the exported functions must give, from the library's own dynamics: another algorithm for
// each, on numbers from the start.
#pragma once

#include <Eigen/LU>
#include <Eigen/SVD>
#include <map>
#include <string>
#include <vector>

#include "kinemorph/graph/emit/equations.h"
#include "kinemorph/graph/mechanics/constraint_embedding.h"
#include "states.h"

namespace kinemorph::test {

using Values = std::vector<double>;

/// Inputs of all functions at one state, and outputs by function and output name.
struct EquationsAt {
  std::map<std::string, Values> inputs;
  std::map<std::string, std::map<std::string, Values>> outputs;
};

inline Values ValuesOf(const Eigen::VectorXd& v) { return {v.data(), v.data() + v.size()}; }
inline Values RowByRow(const Eigen::MatrixXd& M) {
  Values values;
  for (Eigen::Index i = 0; i < M.rows(); ++i) {
    for (Eigen::Index j = 0; j < M.cols(); ++j) values.push_back(M(i, j));
  }
  return values;
}

/// dstate/dt of the singularly perturbed formulation by dense matrices, SPF paper form.
inline Eigen::VectorXd SpfReference(const Mechanism& m, const Equations& e,
                                    const Eigen::VectorXd& q, const Eigen::VectorXd& v_q,
                                    const Eigen::VectorXd& tau, double epsilon) {
  std::vector<int> dependent;
  for (int i = 0; i < m.nv; ++i) {
    if (e.dependent[static_cast<std::size_t>(i)]) dependent.push_back(i);
  }
  const auto solve = [&](const Eigen::MatrixXd& K, const Eigen::MatrixXd& B) -> Eigen::MatrixXd {
    if (dependent.empty()) return Eigen::MatrixXd(0, B.cols());
    return K(Eigen::all, dependent).fullPivLu().solve(B);
  };
  const ConstraintRows still = Constraints(m, q, Eigen::VectorXd::Zero(m.nv));
  const Eigen::MatrixXd K = still.K(e.kept, Eigen::all);
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(m.nv, static_cast<Eigen::Index>(e.independent.size()));
  for (std::size_t i = 0; i < e.independent.size(); ++i)
    G(e.independent[i], static_cast<Eigen::Index>(i)) = 1;
  G(dependent, Eigen::all) = -solve(K, K(Eigen::all, e.independent));
  const Eigen::VectorXd v = G * v_q;
  Eigen::VectorXd g = Eigen::VectorXd::Zero(m.nv), rate = v;
  g(dependent) = solve(K, Constraints(m, q, v).k(e.kept));
  const Eigen::VectorXd closing = solve(K, still.phi(e.kept));
  rate(dependent) -= closing / epsilon;
  const Eigen::MatrixXd M = MassMatrix(m, q);
  const Eigen::VectorXd right =
      G.transpose() * (tau + PassiveForces(m, q, v) - Bias(m, q, v) - M * g);
  const Eigen::VectorXd ydd = (G.transpose() * M * G).ldlt().solve(right);
  Eigen::VectorXd out(m.nq + v_q.size());
  for (const Body& body : m.bodies) {
    if (body.nq == body.nv) {
      out.segment(body.q, body.nq) = rate.segment(body.v, body.nv);
      continue;
    }
    const Eigen::Quaterniond Q(q[body.q], q[body.q + 1], q[body.q + 2], q[body.q + 3]);
    const Vector3 omega = rate.segment<3>(body.v);
    const Eigen::Quaterniond turn = Q * Eigen::Quaterniond(0, omega.x(), omega.y(), omega.z());
    const double pull = (1 - Q.squaredNorm()) / (2 * epsilon);
    out.segment<4>(body.q) << 0.5 * turn.w() + pull * Q.w(), 0.5 * turn.x() + pull * Q.x(),
        0.5 * turn.y() + pull * Q.y(), 0.5 * turn.z() + pull * Q.z();
    if (body.nq == 7)
      out.segment<3>(body.q + 4) = Q.normalized() * Vector3(rate.segment<3>(body.v + 3));
  }
  out.tail(v_q.size()) = ydd;
  return out;
}

/// By Newton from here, as many steps as it takes.
inline Eigen::VectorXd ClosedReference(const Mechanism& m, const Equations& e,
                                       const Eigen::VectorXd& guess, const Eigen::VectorXd& tau) {
  const Eigen::VectorXd still = Eigen::VectorXd::Zero(std::ssize(e.independent));
  Eigen::VectorXd q = guess;
  // At rest and with epsilon 1 the positions change by a Newton step.
  for (int i = 0; i < 20; ++i) q += SpfReference(m, e, q, still, tau, 1).head(m.nq);
  return q;
}

/// Two ways to close lie within some hundredths (rad, m) of each other: which of them is near a
/// guess is anybody's.
inline bool IsNearDeadCentre(const Mechanism& m, const Equations& e, const Eigen::VectorXd& q) {
  std::vector<int> dependent;
  for (int v = 0; v < m.nv; ++v)
    if (e.dependent[static_cast<std::size_t>(v)]) dependent.push_back(v);
  if (dependent.empty()) return false;
  const Eigen::MatrixXd K = Constraints(m, q, Eigen::VectorXd::Zero(m.nv)).K(e.kept, dependent);
  return Eigen::JacobiSVD<Eigen::MatrixXd>(K).singularValues().tail<1>()[0] < 2e-3;
}

/// At a random closed state; the state of spf_rhs is opened by a little.
inline EquationsAt ReferenceAt(const Mechanism& m, const Coordinates& coordinates,
                               const Equations& e, ClosureSolver& solver, Random& random) {
  const State state = RandomClosedState(m, coordinates, solver, random, 0.3);
  const Eigen::VectorXd v_q = state.v(e.independent);
  EquationsAt at;
  const Embedding embedding = Embed(m, coordinates, state.q, state.v);
  const Eigen::VectorXd v = embedding.G * v_q;
  const Embedding moving = Embed(m, coordinates, state.q, v);
  const ConstraintRows rows = Constraints(m, state.q, v);
  const double epsilon = 0.05;
  Eigen::VectorXd opened = state.q;
  for (double& x : opened) x += random.Uniform(-1e-3, 1e-3);
  Eigen::VectorXd spf(m.nq + v_q.size());
  spf << opened, v_q;
  at.inputs = {
      {"q", ValuesOf(state.q)}, {"guess", ValuesOf(opened)},  {"v", ValuesOf(v)},
      {"v_q", ValuesOf(v_q)},   {"tau", ValuesOf(state.tau)}, {"t", {0.25}},
      {"epsilon", {epsilon}},   {"state", ValuesOf(spf)},     {"gravity", ValuesOf(m.gravity)}};
  Values R, p;
  const std::vector<RigidTransform> X_WB = Poses(m, state.q);
  for (std::size_t b = 1; b < X_WB.size(); ++b) {
    const Values rotation = RowByRow(X_WB[b].R), origin = ValuesOf(X_WB[b].p);
    R.insert(R.end(), rotation.begin(), rotation.end());
    p.insert(p.end(), origin.begin(), origin.end());
  }
  at.outputs["kin"] = {{"R", R}, {"p", p}};
  at.outputs["phi"] = {{"phi", ValuesOf(rows.phi(e.kept))}};
  at.outputs["K"] = {{"K", RowByRow(rows.K(e.kept, Eigen::all))}};
  at.outputs["k_rhs"] = {{"k", ValuesOf(rows.k(e.kept))}};
  at.outputs["G"] = {{"G", RowByRow(moving.G)}};
  at.outputs["g_rhs"] = {{"g", ValuesOf(moving.g)}};
  at.outputs["M"] = {{"M", RowByRow(MassMatrix(m, state.q))}};
  at.outputs["bias"] = {{"h", ValuesOf(Bias(m, state.q, v))}};
  const Eigen::VectorXd passive = PassiveForces(m, state.q, v);
  at.outputs["passive"] = {{"tau_p", ValuesOf(passive)}};
  ConstraintEmbeddingDynamics dynamics(m, coordinates);
  Eigen::VectorXd qdd;
  if (dynamics.ForwardDynamics(state.q, v, state.tau + passive, qdd) == DynamicsStatus::kOk)
    at.outputs["fd"] = {{"qdd", ValuesOf(qdd)}};
  at.outputs["spf_rhs"] = {
      {"dstate", ValuesOf(SpfReference(m, e, opened, v_q, state.tau, epsilon))}};
  if (!IsNearDeadCentre(m, e, state.q))
    at.outputs["close"] = {{"q", ValuesOf(ClosedReference(m, e, opened, state.tau))}};
  return at;
}

inline double LargestDifference(const Values& a, const Values& b) {
  double scale = 1, difference = 0;
  for (const double x : b) scale = std::max(scale, std::abs(x));
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double d = std::abs(a[i] - b[i]);
    difference = std::isfinite(d) ? std::max(difference, d) : 1e300;
  }
  return difference / scale;
}

}  // namespace kinemorph::test

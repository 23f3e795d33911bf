// What the C++ functions say of a mechanism at seeded closed states, as JSON: the Python module is
// held against it. values FILE; values FILE --speed N prints the seconds of N closings.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "kinemorph/gateway.h"
#include "kinemorph/graph/mechanics/closure.h"
#include "kinemorph/graph/mechanics/constraint_embedding.h"

namespace kinemorph {
namespace {

using Json = nlohmann::ordered_json;

template <class Matrix>
Json Numbers(const Matrix& matrix) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.push_back(matrix(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json Poses4(const Model& model, const Mechanism& m, const Eigen::VectorXd& q) {
  const std::vector<RigidTransform> X_WB = Poses(m, q);
  Json out = Json::array();
  for (const LinkId link : Links(model)) {
    if (model.link(link).synthetic) continue;
    const RigidTransform& X = X_WB[static_cast<std::size_t>(m.body_of[Index(link)])];
    Eigen::Matrix4d pose = Eigen::Matrix4d::Identity();
    pose.topLeftCorner<3, 3>() = X.R;
    pose.topRightCorner<3, 1>() = X.p;
    out.push_back(Numbers(pose));
  }
  return out;
}

Json StateJson(const Model& model, const Mechanism& m, const Coordinates& coordinates,
               const Eigen::VectorXd& q) {
  Eigen::VectorXd yd = Eigen::VectorXd::LinSpaced(coordinates.mobility, 0.2, 0.7), qdd;
  const Embedding still = Embed(m, coordinates, q, Eigen::VectorXd::Zero(m.nv));
  const Eigen::VectorXd v = still.G * yd, tau = Eigen::VectorXd::LinSpaced(m.nv, -0.3, 0.4);
  const Embedding moving = Embed(m, coordinates, q, v);
  const ConstraintRows rows = Constraints(m, q, v);
  qdd = Eigen::VectorXd::Zero(m.nv);
  const DynamicsStatus status = ConstraintEmbeddingDynamics(m, coordinates)
                                    .ForwardDynamics(q, v, tau + PassiveForces(m, q, v), qdd);
  JointCache joints(m);
  UpdateJoints(m, q.data(), nullptr, joints);
  const int last = m.body_of[Index(LinkId{static_cast<std::uint32_t>(model.num_links() - 1)})];
  const Energy energy = EnergyOf(m, q, v);
  return {{"q", Numbers(q.transpose())[0]},
          {"v", Numbers(v.transpose())[0]},
          {"tau", Numbers(tau.transpose())[0]},
          {"residual", ClosureSolver(m).Residual(q)},
          {"poses", Poses4(model, m, q)},
          {"jacobian_world", Numbers(LinkJacobian(m, joints, last, JacobianFrame::kWorldAligned))},
          {"jacobian_body", Numbers(LinkJacobian(m, joints, last, JacobianFrame::kBody))},
          {"phi", Numbers(rows.phi.transpose())[0]},
          {"K", Numbers(rows.K)},
          {"k", Numbers(rows.k.transpose())[0]},
          {"G", Numbers(moving.G)},
          {"columns", moving.independent},
          {"g", Numbers(moving.g.transpose())[0]},
          {"M", Numbers(MassMatrix(m, q))},
          {"bias", Numbers(Bias(m, q, v).transpose())[0]},
          {"passive", Numbers(PassiveForces(m, q, v).transpose())[0]},
          {"energy", {energy.kinetic, energy.potential}},
          {"status", Name(status)},
          {"qdd", Numbers(qdd.transpose())[0]}};
}

int Print(const Model& model) {
  const Mechanism m = Compile(model);
  const Coordinates coordinates = AnalyseCoordinates(m);
  Json out = {{"mobility", coordinates.mobility}, {"states", Json::array()}};
  ClosureSolver solver(m);
  Random random(7);
  out["states"].push_back(StateJson(model, m, coordinates, coordinates.assembled));
  for (int i = 0; i < 4; ++i)
    out["states"].push_back(
        StateJson(model, m, coordinates,
                  solver.RandomState(coordinates.assembled, 0.3, coordinates.Ranks(), random)));
  std::cout << out.dump() << '\n';
  return 0;
}

// The first independent coordinate goes from where it is 0.2 further and back.
int Speed(const Model& model, int count) {
  Articulation posture(model);
  std::size_t at = 0;
  while (!posture.coordinates()[at].independent || posture.coordinates()[at].quaternion) ++at;
  const double start = posture.values()[at];
  const std::string name = posture.coordinates()[at].name;
  std::string why;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) {
    if (posture.Set(name, start + 0.1 - 0.1 * std::abs(1 - 2.0 * i / count), why)) continue;
    std::cerr << why << '\n';
    return 1;
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::cout << seconds.count() << '\n';
  return 0;
}

}  // namespace
}  // namespace kinemorph

int main(int argc, char** argv) {
  using namespace kinemorph;
  if (argc < 2) return 2;
  const Loaded loaded = LoadFile(argv[1]);
  if (!loaded.robot) return std::cerr << MessagesJson(loaded.diagnostics) << '\n', 1;
  return argc > 3 ? Speed(loaded.robot->model, std::atoi(argv[3])) : Print(loaded.robot->model);
}

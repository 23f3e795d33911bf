// Functions of arrays: what kinemorph/gateway/mechanics.h computes.
#include <algorithm>

#include "description.h"
#include "interruption.h"

namespace kinemorph::python {
namespace {

// Many functions take rows of states at once: the loop runs here, without the interpreter's lock.
// Compiling happens once for each description (Description::mechanics).
// Of the interpreter's lock nothing is held while a model is compiled.
std::shared_ptr<const Mechanics> Compiled(const Description& robot) {
  const py::gil_scoped_release unlocked;
  return robot.mechanics();
}

py::list CoordinateList(const Description& robot) {
  py::list list;
  for (const CoordinateInfo& info : Compiled(robot)->coordinates())
    list.append(py::make_tuple(info.name, info.joint, info.length, info.quaternion,
                               info.independent, info.lower, info.upper));
  return list;
}

py::list VelocityList(const Description& robot) {
  py::list list;
  for (const VelocityInfo& info : Compiled(robot)->velocities())
    list.append(py::make_tuple(info.name, info.joint, info.length, info.independent));
  return list;
}

// By state and link 4 x 4 numbers, row by row.
Rows PosesOf(const Description& robot, const Rows& q) {
  const std::shared_ptr<const Mechanics> mechanics = MechanicsFor(robot, q.cols());
  const Eigen::Index links = static_cast<Eigen::Index>(robot.links().size());
  Rows out(q.rows(), links * 16);
  for (Eigen::Index state = 0; state < q.rows(); ++state) {
    // By the order of the user's links; synthetic ones have no row.
    const std::vector<RigidTransform> poses = mechanics->LinkPoses(q.row(state));
    for (Eigen::Index i = 0; i < links; ++i) {
      const RigidTransform& X = poses[Index(robot.links()[static_cast<std::size_t>(i)])];
      Eigen::Map<Eigen::Matrix<double, 4, 4, Eigen::RowMajor>> pose(&out(state, i * 16));
      pose.setIdentity();
      pose.topLeftCorner<3, 3>() = X.R;
      pose.topRightCorner<3, 1>() = X.p;
    }
  }
  return out;
}

Vector ResidualsOf(const Description& robot, const Rows& q) {
  const std::shared_ptr<const Mechanics> mechanics = MechanicsFor(robot, q.cols());
  Vector out(q.rows());
  for (Eigen::Index i = 0; i < q.rows(); ++i) out[i] = mechanics->Residual(q.row(i));
  return out;
}

// Each posture is reached from the one before by small steps along the mechanism, so a series stays
// on one branch of the loops.
// One after the other, each from where the one before stands. The rows that closed, and why there
// are no more; empty: they all did.
std::pair<Rows, std::string> ClosedStates(const Description& robot, const Vector& start,
                                          const std::vector<std::size_t>& coordinates,
                                          const Rows& values) {
  Interruption interruption;
  const py::gil_scoped_release unlocked;
  const std::shared_ptr<const Mechanics> mechanics = MechanicsFor(robot, start.size());
  const auto is_one = [&](std::size_t i) { return i < mechanics->coordinates().size(); };
  // Checked without the lock, as pybind11 takes it again for what is thrown.
  if (static_cast<std::size_t>(values.cols()) != coordinates.size() ||
      !std::all_of(coordinates.begin(), coordinates.end(), is_one))
    throw py::value_error(
        "values has no column for each coordinate, or there is no such coordinate");
  Articulation posture(mechanics);
  posture.InterruptBy([&] { return interruption.Asked(); });
  posture.StandAt(start);
  Rows out(values.rows(), start.size());
  std::vector<std::pair<std::size_t, double>> targets(coordinates.size());
  std::string why;
  for (Eigen::Index row = 0; row < values.rows(); ++row) {
    for (std::size_t i = 0; i < targets.size(); ++i)
      targets[i] = {coordinates[i], values(row, static_cast<Eigen::Index>(i))};
    const bool set = posture.Set(targets, why);
    // The exception that the signal handler of Python has set is passed on; it belongs to the
    // interpreter, so the lock is taken first.
    if (interruption.pressed()) {
      const py::gil_scoped_acquire locked;
      throw py::error_already_set();
    }
    if (!set) return {out.topRows(row), why};
    const std::vector<double> at = posture.values();
    out.row(row) = Eigen::Map<const Eigen::RowVectorXd>(at.data(), start.size());
  }
  return {out, ""};
}

// Empty: there is an answer.
std::string WhyNot(DynamicsStatus status) {
  return status == DynamicsStatus::kOk ? "" : std::string(Name(status));
}

using Answer = std::pair<Vector, std::string>;

Answer ForwardOf(const Description& robot, const Vector& q, const Vector& v, const Vector& tau) {
  Vector qdd;
  const DynamicsStatus status =
      MechanicsFor(robot, q.size(), {v.size(), tau.size()})->Forward(q, v, tau, qdd);
  return {qdd, WhyNot(status)};
}

Answer InverseOf(const Description& robot, const Vector& q, const Vector& v, const Vector& qdd) {
  Vector tau;
  const DynamicsStatus status =
      MechanicsFor(robot, q.size(), {v.size(), qdd.size()})->Inverse(q, v, qdd, tau);
  return {tau, WhyNot(status)};
}

}  // namespace

// noconvert: an array of another kind is an error instead of a copy for each call. What the letters
// mean: q positions, v velocities, tau forces of the spanning tree, phi, K and k of K qdd = k, G
// and g of the independent velocities (kinemorph/gateway/mechanics.h).
void BindMechanics(DescriptionClass& type) {
  const auto q = py::arg("q").noconvert(), v = py::arg("v").noconvert();
  type.def("coordinates", &CoordinateList)
      .def("velocities", &VelocityList)
      .def(
          "rows", [](const Description& r) { return r.mechanics()->rows(); }, WithoutLock())
      .def(
          "assembled", [](const Description& r) { return r.mechanics()->Assembled(); },
          WithoutLock())
      .def("poses", &PosesOf, q, WithoutLock())
      .def("residuals", &ResidualsOf, q, WithoutLock())
      .def("close", &ClosedStates, py::arg("start").noconvert(), py::arg("coordinates"),
           py::arg("values").noconvert())
      // 6 x nv, angular rows first, about the origin of the link; in its axes or those of the world,
      // as if the loops were open.
      .def(
          "jacobian",
          [](const Description& r, const Vector& at, std::size_t link, bool in_body) {
            const JacobianFrame frame =
                in_body ? JacobianFrame::kBody : JacobianFrame::kWorldAligned;
            if (link >= r.links().size()) throw py::value_error("there is no such link");
            return Eigen::MatrixXd(
                MechanicsFor(r, at.size())->Jacobian(at, r.links()[link], frame));
          },
          q, py::arg("link"), py::arg("in_body"), WithoutLock())
      .def(
          "constraints",
          [](const Description& r, const Vector& at, const Vector& rate) {
            const ConstraintRows rows = MechanicsFor(r, at.size(), {rate.size()})->Rows(at, rate);
            return std::make_tuple(rows.phi, rows.K, rows.k);
          },
          q, v, WithoutLock())
      .def(
          "explicit",
          [](const Description& r, const Vector& at, const Vector& rate) {
            const Embedding found = MechanicsFor(r, at.size(), {rate.size()})->Explicit(at, rate);
            return std::make_tuple(found.G, found.g, WhyNot(found.status));
          },
          q, v, WithoutLock())
      .def(
          "integrate",
          [](const Description& r, const Vector& at, const Vector& rate, double dt) {
            return MechanicsFor(r, at.size(), {rate.size()})->Integrate(at, rate, dt);
          },
          q, v, py::arg("dt"), WithoutLock())
      .def(
          "mass_matrix",
          [](const Description& r, const Vector& at) {
            return MechanicsFor(r, at.size())->Mass(at);
          },
          q, WithoutLock())
      .def(
          "bias",
          [](const Description& r, const Vector& at, const Vector& rate) {
            return MechanicsFor(r, at.size(), {rate.size()})->BiasForces(at, rate);
          },
          q, v, WithoutLock())
      .def(
          "passive_forces",
          [](const Description& r, const Vector& at, const Vector& rate) {
            return MechanicsFor(r, at.size(), {rate.size()})->Passive(at, rate);
          },
          q, v, WithoutLock())
      .def(
          "energy",
          [](const Description& r, const Vector& at, const Vector& rate) {
            const Energy energy = MechanicsFor(r, at.size(), {rate.size()})->EnergyAt(at, rate);
            return std::make_pair(energy.kinetic, energy.potential);
          },
          q, v, WithoutLock())
      .def("forward_dynamics", &ForwardOf, q, v, py::arg("tau").noconvert(), WithoutLock())
      .def("inverse_dynamics", &InverseOf, q, v, py::arg("qdd").noconvert(), WithoutLock());
}

}  // namespace kinemorph::python

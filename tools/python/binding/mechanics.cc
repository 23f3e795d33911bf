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

// By state and place 4 x 4 numbers, row by row.
Rows PosesOf(const Description& robot, const Rows& q) {
  const std::shared_ptr<const Mechanics> mechanics = MechanicsFor(robot, q.cols());
  const std::vector<Place>& places = robot.places();
  Rows out(q.rows(), static_cast<Eigen::Index>(16 * places.size()));
  for (Eigen::Index state = 0; state < q.rows(); ++state) {
    // By the order of the user's links; synthetic ones have no row.
    const std::vector<RigidTransform> poses = mechanics->LinkPoses(q.row(state));
    for (std::size_t i = 0; i < places.size(); ++i) {
      const RigidTransform X = poses[Index(places[i].link)] * places[i].X_LF;
      Eigen::Map<Eigen::Matrix<double, 4, 4, Eigen::RowMajor>> pose(
          &out(state, static_cast<Eigen::Index>(16 * i)));
      pose.setIdentity();
      pose.topLeftCorner<3, 3>() = X.R;
      pose.topRightCorner<3, 1>() = X.p;
    }
  }
  return out;
}

// 6 x nv, angular rows first, about a point of the place (m, in its axes); in its axes or those of
// the world, as if the loops were open.
Eigen::MatrixXd JacobianOf(const Description& robot, const Vector& q, std::size_t place,
                           const Vector3& point, bool in_body) {
  if (place >= robot.places().size()) throw py::value_error("there is no such place");
  const auto& [link, X_LF] = robot.places()[place];
  return MechanicsFor(robot, q.size())
      ->Jacobian(q, link, in_body ? JacobianFrame::kBody : JacobianFrame::kWorldAligned,
                 X_LF * RigidTransform::Translation(point));
}

// By state, from the world's origin (m).
Rows MassCentresOf(const Description& robot, const Rows& q) {
  const std::shared_ptr<const Mechanics> mechanics = MechanicsFor(robot, q.cols());
  Rows out(q.rows(), 3);
  for (Eigen::Index i = 0; i < q.rows(); ++i)
    out.row(i) = mechanics->MassCentreAt(q.row(i)).p.transpose();
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

using Gravity = std::optional<Vector3>;

// Under the gravity of the robot, or under another one (m/s^2, world axes).
std::shared_ptr<const Mechanics> MechanicsUnder(const Gravity& gravity, const Description& robot,
                                                Eigen::Index positions,
                                                std::initializer_list<Eigen::Index> velocities) {
  std::shared_ptr<const Mechanics> own = MechanicsFor(robot, positions, velocities);
  return gravity ? std::make_shared<const Mechanics>(own->WithGravity(*gravity)) : own;
}

// Empty: there is an answer.
std::string WhyNot(DynamicsStatus status) {
  return status == DynamicsStatus::kOk ? "" : std::string(Name(status));
}

using Answer = std::pair<Vector, std::string>;

Answer ForwardOf(const Description& robot, const Vector& q, const Vector& v, const Vector& tau,
                 const Gravity& gravity) {
  Vector qdd;
  const DynamicsStatus status =
      MechanicsUnder(gravity, robot, q.size(), {v.size(), tau.size()})->Forward(q, v, tau, qdd);
  return {qdd, WhyNot(status)};
}

Answer InverseOf(const Description& robot, const Vector& q, const Vector& v, const Vector& qdd,
                 const Gravity& gravity) {
  Vector tau;
  const DynamicsStatus status =
      MechanicsUnder(gravity, robot, q.size(), {v.size(), qdd.size()})->Inverse(q, v, qdd, tau);
  return {tau, WhyNot(status)};
}

}  // namespace

// noconvert: an array of another kind is an error instead of a copy for each call. What the letters
// mean: q positions, v velocities, tau forces of the spanning tree, phi, K and k of K qdd = k, G
// and g of the independent velocities (kinemorph/gateway/mechanics.h).
void BindMechanics(DescriptionClass& type) {
  const auto q = py::arg("q").noconvert(), v = py::arg("v").noconvert();
  const auto gravity = py::arg("gravity") = py::none();
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
      .def("jacobian", &JacobianOf, q, py::arg("place"), py::arg("point"), py::arg("in_body"),
           WithoutLock())
      .def("mass_centres", &MassCentresOf, q, WithoutLock())
      .def(
          "mass_centre",
          [](const Description& r, const Vector& at) {
            const MassCentre found = MechanicsFor(r, at.size())->MassCentreAt(at);
            return std::make_pair(found.mass, Eigen::MatrixXd(found.J));
          },
          q, WithoutLock())
      .def(
          "gravity",
          [](const Description& r) { return Vector(r.mechanics()->mechanism().gravity); },
          WithoutLock())
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
          [](const Description& r, const Vector& at, const Vector& rate, const Gravity& under) {
            return MechanicsUnder(under, r, at.size(), {rate.size()})->BiasForces(at, rate);
          },
          q, v, gravity, WithoutLock())
      .def(
          "passive_forces",
          [](const Description& r, const Vector& at, const Vector& rate) {
            return MechanicsFor(r, at.size(), {rate.size()})->Passive(at, rate);
          },
          q, v, WithoutLock())
      .def(
          "energy",
          [](const Description& r, const Vector& at, const Vector& rate, const Gravity& under) {
            const Energy energy =
                MechanicsUnder(under, r, at.size(), {rate.size()})->EnergyAt(at, rate);
            return std::make_pair(energy.kinetic, energy.potential);
          },
          q, v, gravity, WithoutLock())
      .def("forward_dynamics", &ForwardOf, q, v, py::arg("tau").noconvert(), gravity, WithoutLock())
      .def("inverse_dynamics", &InverseOf, q, v, py::arg("qdd").noconvert(), gravity,
           WithoutLock());
}

}  // namespace kinemorph::python

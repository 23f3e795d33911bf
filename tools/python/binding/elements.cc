// Links, joints, loops and couplings as dicts: what dataclasses of the package are made of.
#include "description.h"
#include "kinemorph/graph/model/fields.h"

namespace kinemorph::python {
namespace {

// Plain values only: tuples, dicts and arrays, of which the package makes its dataclasses. A pose
// is 4 x 4; masses in kg, lengths in m, angles in rad; inertia about the centre of mass, in axes of
// the link.

py::object Numbers(const Vector3& v) { return py::make_tuple(v.x(), v.y(), v.z()); }

Eigen::Matrix4d Matrix(const RigidTransform& X) {
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
  matrix.topLeftCorner<3, 3>() = X.R;
  matrix.topRightCorner<3, 1>() = X.p;
  return matrix;
}

py::dict PlaceInFile(const Model& model, SourceLocation where) {
  py::dict out;
  out["file"] = model.FileName(where), out["line"] = where.line;
  return out;
}

py::list LinkList(const Description& robot) {
  py::list list;
  for (const LinkId id : robot.links()) {
    const Link& link = robot.model().link(id);
    py::dict out = PlaceInFile(robot.model(), link.where);
    out["name"] = link.name;
    // A link without an inertial has no mass, which is not the mass zero.
    out["mass"] = py::none(), out["center_of_mass"] = py::none(), out["inertia"] = py::none();
    if (link.inertial) {
      const SpatialInertia inertia = link.inertial->InLink();
      out["mass"] = inertia.mass;
      out["center_of_mass"] = Numbers(inertia.p_BoBcm);
      out["inertia"] = inertia.I_BBcm;
    }
    list.append(out);
  }
  return list;
}

py::list AxisList(const Joint& joint) {
  const std::vector<Vector3> directions = AxesOf(joint.kind);
  py::list list;
  for (std::size_t i = 0; i < joint.axes.size(); ++i) {
    const JointAxis& axis = joint.axes[i];
    py::dict out;
    out["axis"] = i < directions.size() ? Numbers(directions[i]) : py::none();

    // In the file a position counts from the joint's own zero, in the model from that of the
    // mechanism.
    // What is authored; positions count as in the file.
    py::dict numbers;
    for (const auto& field : kAxisNumbers)
      if (const std::optional<double>& number = axis.*field.member)
        numbers[py::str(std::string(field.key))] =
            *number + (field.units == unit::kPosition ? axis.position_offset : 0);
    out["numbers"] = numbers;
    list.append(out);
  }
  return list;
}

py::dict JointDict(const Model& model, JointId id) {
  const Joint& joint = model.joint(id);
  py::dict out = PlaceInFile(model, joint.where);
  out["name"] = joint.name;
  out["type"] = std::string(KindName(joint.kind));
  out["parent"] = model.link(model.predecessor(id)).name;
  out["child"] = model.link(model.successor(id)).name;
  out["parent_frame"] = Matrix(joint.X_PF), out["child_frame"] = Matrix(joint.X_SM);
  out["axes"] = AxisList(joint);
  out["declared_independent"] = joint.independent, out["implicit"] = joint.implicit;
  return out;
}

py::list FrameList(const Description& robot) {
  py::list list;
  for (const Frame& frame : robot.model().frames) {
    py::dict out = PlaceInFile(robot.model(), frame.where);
    out["name"] = frame.name, out["type"] = frame.native_type;
    out["link"] = robot.model().link(frame.link).name;
    out["pose_in_link"] = Matrix(frame.X_LF);
    list.append(out);
  }
  return list;
}

// By the spanning tree that the mechanics use, not by the role in the file: the two may differ
// where the file has no tree.
// Joints of the tree, and those that close loops.
std::pair<py::list, py::list> JointLists(const Description& robot) {
  const Model& model = robot.model();
  const SpanningTree tree = ChooseSpanningTree(model);
  std::vector<bool> loop(model.num_joints(), false);
  for (const JointId id : tree.loop_joints) loop[Index(id)] = true;
  py::list joints, loops;
  for (const JointId id : Joints(model)) {
    // A weld that nobody wrote is no joint of the user.
    if (loop[Index(id)])
      loops.append(JointDict(model, id));
    else if (!model.joint(id).implicit || NumVelocities(model.joint(id).kind) > 0)
      joints.append(JointDict(model, id));
  }
  return {joints, loops};
}

py::list CouplingList(const Description& robot) {
  const Model& model = robot.model();
  py::list list;
  for (const Coupling& coupling : model.couplings) {
    py::dict out = PlaceInFile(model, coupling.where);
    out["name"] = coupling.name, out["form"] = std::string(Name(coupling.form));
    out["constant"] = coupling.constant;
    py::list terms;
    for (const CouplingTerm& term : coupling.terms) {
      const Joint& joint = model.joint(term.coordinate.joint);
      terms.append(
          py::make_tuple(ColumnName(joint.name, term.coordinate.axis, NumPositions(joint.kind)),
                         py::make_tuple(term.coefficients[0], term.coefficients[1],
                                        term.coefficients[2], term.coefficients[3])));
    }
    out["terms"] = terms;
    list.append(out);
  }
  return list;
}

}  // namespace

void BindElements(DescriptionClass& type) {
  type.def("links", &LinkList)
      .def("frames", &FrameList)
      .def("joints", &JointLists)
      .def("couplings", &CouplingList);
}

}  // namespace kinemorph::python

// Joints with their axes, mimics and gearboxes.
#include <cmath>
#include <map>
#include <numbers>

#include "fragment.h"
#include "kinemorph/formats/gazebo_blocks.h"
#include "write/text_writer.h"

namespace kinemorph::sdformat {

// A joint is written with its frame on the child (X_SM) and its axes in that frame; the parent's
// frame follows from the poses of the links, which is why a loop has to be closed at zero
// (poses.cc). Gearboxes are the exception: they are no edge of the graph, and their axes are
// recovered from the coupling.

namespace {

// What <axis> holds of a joint that has no axis.
bool HasAxisData(const JointAxis& a) {
  return a.damping || a.friction || a.effort || a.velocity || a.spring_stiffness ||
         a.spring_reference || a.limit_stiffness || a.limit_dissipation || a.lower || a.upper;
}

}  // namespace

// The joint as the source has it: gz sim makes it when it starts.
// The names of the links may have changed since the plugin was read; all else of it stays.
void TextWriter::WriteWeldPlugin(NativeElement plugin, int scope, const std::string& parent,
                                 const std::string& child) {
  xml::SetLeaf(plugin, "parent_link", parent);
  const std::size_t nested = child.rfind("::");
  xml::SetLeaf(plugin, "child_link",
               nested == std::string::npos ? child : child.substr(nested + 2));
  // A link of a nested model is named by that model and its own name; a robot that is spawned under
  // another name loses a <child_model> with the old one, so __model__ stays where it was written.
  if (nested != std::string::npos)
    xml::SetLeaf(plugin, "child_model", child.substr(0, nested));
  else if (const NativeElement* const model = plugin.Child("child_model");
           model != nullptr && model->Text() != "__model__")
    xml::SetLeaf(plugin, "child_model", plan_.scopes()[static_cast<std::size_t>(scope)].name);
  out_.Native(plugin);
}

void TextWriter::WriteJoint(int scope, JointId id) {
  const Joint& joint = model_.joint(id);
  const WrittenJoint& written = plan_.Written(id);
  const std::optional<std::string> parent = plan_.NameFrom(scope, written.parent),
                                   child = plan_.NameFrom(scope, written.child);
  if (!parent || !child || written.child == kWorld) {
    plan_.Refuse(joint.where, {"joint", joint.name,
                               "its links cannot be named from model '" +
                                   plan_.scopes()[static_cast<std::size_t>(scope)].name + "'"});
    return;
  }
  if (const NativeData* const plugin = WeldPluginOf(joint); plugin != nullptr && !plan_.drake())
    return WriteWeldPlugin(plugin->content, scope, *parent, *child);
  // A hinge without bounds is a revolute joint without them, as libsdformat's own converter of URDF
  // says it: of `continuous` gz sim's engines make a fixed joint, and Gazebo Classic none.
  std::string type(KindName(written.kind));
  if (std::holds_alternative<Universal>(written.kind) && joint.native_type == "revolute2" &&
      !plan_.drake())
    type = "revolute2";
  out_.Open("joint").Attribute("name", plan_.Local(scope, joint.name)).Attribute("type", type);
  WritePose(out_, written.X_SM);
  out_.Leaf("parent", *parent).Leaf("child", *child);
  // Pitch is metres per radian in the model, right-handed; metres per turn from 1.10 on, radians
  // per metre and left-handed before.
  if (const auto* screw = std::get_if<Screw>(&written.kind)) {
    if (version_ >= Version{1, 10})
      out_.Leaf("screw_thread_pitch", xml::Rounded(2 * std::numbers::pi * screw->pitch));
    else if (screw->pitch != 0)
      out_.Leaf("thread_pitch", xml::Rounded(-1 / screw->pitch));
    else
      plan_.Refuse(joint.where,
                   {"joint", joint.name,
                    " is a screw of pitch 0, which thread_pitch cannot say; use a revolute joint"});
  }
  // From the joint frame to the world, for versions that want axes in the model frame.
  const Matrix3 R_WM = plan_.PoseOf(written.child).R * written.X_SM.R;
  const std::vector<Vector3> axes = AxesOf(written.kind);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    WriteAxis(scope, i == 0 ? "axis" : "axis2", axes[i], R_WM, &written.axes[i],
              {id, static_cast<int>(i)});
  }
  // A ball has no direction, but the specification lets it have an <axis> for limits and damping.
  if (std::holds_alternative<Ball>(written.kind) && !written.axes.empty() &&
      HasAxisData(written.axes[0])) {
    WriteAxis(scope, "axis", Vector3::UnitZ(), R_WM, &written.axes[0], {id, 0});
  }
  if (plan_.drake()) WriteDrakeJoint(scope, id);
  WriteJointPhysics(joint);
  WriteSensors(plan_.SensorsOf(id));
  for (const NativeData& data : joint.native)
    if (data.format == "sdf" && data.element != "physics" && !IsWeldPlugin(data))
      out_.Native(data.content);
  out_.Close();
}

void TextWriter::WriteAxis(int scope, const char* element, const Vector3& axis_M,
                           const Matrix3& R_WM, const JointAxis* properties,
                           Coordinate coordinate) {
  // Up to 1.4 the axis is given in the model frame.
  Vector3 axis = axis_M;
  if (version_ < Version{1, 5})
    axis = plan_.scopes()[static_cast<std::size_t>(scope)].X_WM.R.transpose() * (R_WM * axis_M);
  out_.Open(element);
  // Noise of the products of rotations is rounded off: 1 0 0 and not 1 1e-17 0.
  out_.Leaf("xyz", xml::VectorText(axis.unaryExpr([](double v) { return xml::Rounded(v); })));
  if (properties) {
    const JointAxis& p = *properties;
    if (p.initial_position) {
      if (version_ >= Version{1, 6} && version_ < Version{1, 9})
        out_.Leaf("initial_position", *p.initial_position);
      else
        plan_.Refuse(model_.joint(coordinate.joint).where,
                     "initial_position of joint '" + model_.joint(coordinate.joint).name +
                         "' can be said in SDFormat 1.6 to 1.8 only");
    }
    const auto leaf = [&](const char* name, const std::optional<double>& value) {
      if (value) out_.Leaf(name, *value);
    };
    const bool accelerates = plan_.drake() && p.acceleration;
    if (p.lower || p.upper || p.effort || p.velocity || p.limit_stiffness || p.limit_dissipation ||
        accelerates) {
      out_.Open("limit");
      leaf("lower", p.lower);
      leaf("upper", p.upper);
      leaf("effort", p.effort);
      leaf("velocity", p.velocity);
      if (accelerates) leaf("drake:acceleration", p.acceleration);
      leaf("stiffness", p.limit_stiffness);
      leaf("dissipation", p.limit_dissipation);
      out_.Close();
    }
    const bool spring = p.spring_stiffness || p.spring_reference;
    if (spring && version_ < Version{1, 5}) {
      plan_.Refuse(model_.joint(coordinate.joint).where, "the spring of joint '" +
                                                             model_.joint(coordinate.joint).name +
                                                             "' can be said since SDFormat 1.5");
    }
    if (p.damping || p.friction || (spring && version_ >= Version{1, 5})) {
      out_.Open("dynamics");
      leaf("damping", p.damping);
      leaf("friction", p.friction);
      if (version_ >= Version{1, 5}) {
        leaf("spring_reference", p.spring_reference);
        leaf("spring_stiffness", p.spring_stiffness);
      }
      out_.Close();
    }
    if (!plan_.drake()) WriteMimic(scope, coordinate);
  }
  out_.Close();
}

void TextWriter::WriteMimic(int scope, Coordinate coordinate) {
  const WrittenMimic* const mimic = plan_.MimicOf(coordinate);
  if (mimic == nullptr) return;
  out_.Open("mimic").Attribute("joint", plan_.Local(scope, model_.joint(mimic->leader.joint).name));
  if (mimic->leader.axis == 1) out_.Attribute("axis", "axis2");
  out_.Leaf("multiplier", mimic->multiplier).Leaf("offset", mimic->offset).Leaf("reference", 0.0);
  out_.Close();
}

// Loop joints ask simulators with trees to cut them; that also keeps the cut over a round trip.
void TextWriter::WriteJointPhysics(const Joint& joint) {
  const bool cut = joint.cut_hint || joint.role == JointRole::kLoop;
  for (const NativeData& data : joint.native) {
    if (data.format != "sdf" || data.element != "physics") continue;
    NativeElement physics = data.content;
    // In a <physics> of the author's own, if there is one: two would be one too many.
    const NativeElement* const simbody = physics.Child("simbody");
    if (cut && (simbody == nullptr || simbody->Child("must_be_loop_joint") == nullptr))
      physics.Add("simbody").Add("must_be_loop_joint", "true");
    out_.Native(physics);
    return;
  }
  if (cut) out_.Open("physics").Open("simbody").Leaf("must_be_loop_joint", "true").Close().Close();
}

// The directions in which a gearbox measures its angles: those that give its terms back. Along the
// way from the reference body each joint turns by +-q; the coefficient of a joint that only one of
// the two ways uses tells the sign.
bool TextWriter::GearboxAxes(const Coupling& coupling, Vector3& axis1_W, Vector3& axis2_W) const {
  std::map<std::uint32_t, double> coefficient;
  for (const CouplingTerm& term : coupling.terms)
    coefficient[static_cast<std::uint32_t>(Index(term.coordinate.joint))] = term.coefficients[0];
  // Joints from the reference to a link with the sign of traversal, by climbing to the nearest
  // common ancestor in a forest.
  const auto world_axis = [&](std::uint32_t j) {
    const JointId id{j};
    return Vector3(plan_.PoseOf(model_.successor(id)).R * model_.joint(id).X_SM.R *
                   AxesOf(model_.joint(id).kind)[0]);
  };
  const std::map<std::uint32_t, double> way1 = plan_.Way(coupling.reference, coupling.predecessor),
                                        way2 = plan_.Way(coupling.reference, coupling.successor);
  const auto value = [](const std::map<std::uint32_t, double>& map, std::uint32_t key) {
    const auto it = map.find(key);
    return it == map.end() ? 0.0 : it->second;
  };
  bool found1 = false, found2 = false;
  // theta_2 + ratio theta_1 = 0: a joint that only turns the child has the coefficient +-1, by the
  // direction of its axis against axis2.
  for (const auto& [j, direction] : way2) {
    if (way1.count(j) || found2) continue;
    axis2_W = world_axis(j) * (value(coefficient, j) * direction > 0 ? 1 : -1);
    found2 = true;
  }
  // A joint that only turns the parent has +-ratio.
  for (const auto& [j, direction] : way1) {
    if (way2.count(j) || found1) continue;
    axis1_W = world_axis(j) * (value(coefficient, j) / coupling.ratio * direction > 0 ? 1 : -1);
    found1 = true;
  }
  // One way holds the other: the shared joints turn both, c = ratio s1 + s2 with the known one
  // taken off.
  if (!found1 && found2 && !way1.empty()) {
    const auto& [j, direction] = *way1.begin();
    const double s2 = direction * (world_axis(j).dot(axis2_W) > 0 ? 1 : -1);
    axis1_W =
        world_axis(j) * ((value(coefficient, j) - s2) / coupling.ratio * direction > 0 ? 1 : -1);
    found1 = true;
  } else if (!found2 && found1 && !way2.empty()) {
    const auto& [j, direction] = *way2.begin();
    const double s1 = direction * (world_axis(j).dot(axis1_W) > 0 ? 1 : -1);
    axis2_W =
        world_axis(j) * ((value(coefficient, j) - coupling.ratio * s1) * direction > 0 ? 1 : -1);
    found2 = true;
  }
  // Where one way is empty its link is the reference body itself, whose angle is zero in any
  // direction.
  if (!found1) axis1_W = axis2_W;
  if (!found2) axis2_W = axis1_W;
  return found1 || found2;
}

void TextWriter::WriteGearbox(int scope, const Coupling& coupling) {
  const auto parent = plan_.NameFrom(scope, coupling.predecessor),
             child = plan_.NameFrom(scope, coupling.successor),
             reference = plan_.NameFrom(scope, coupling.reference);
  Vector3 axis1_W = Vector3::UnitZ(), axis2_W = Vector3::UnitZ();
  if (!parent || !child || !reference || !GearboxAxes(coupling, axis1_W, axis2_W)) {
    plan_.Refuse(coupling.where,
                 {"gearbox", coupling.name, "no joints turn its links against its reference body"});
    return;
  }
  const Matrix3 R_WM = plan_.PoseOf(coupling.successor).R;
  out_.Open("joint")
      .Attribute("name", plan_.Local(scope, coupling.name))
      .Attribute("type", "gearbox");
  out_.Leaf("parent", *parent).Leaf("child", *child);
  out_.Leaf("gearbox_ratio", coupling.ratio).Leaf("gearbox_reference_body", *reference);
  WriteAxis(scope, "axis", R_WM.transpose() * axis1_W, R_WM, nullptr, {});
  WriteAxis(scope, "axis2", R_WM.transpose() * axis2_W, R_WM, nullptr, {});
  out_.Close();
}

}  // namespace kinemorph::sdformat

// Loops of plain URDF: joints of SDFormat in a <gazebo> block without reference, which libsdformat
// appends to the model, with links and frames that stood there. Readers of URDF pass over them and see
// the tree.
#include <numbers>

#include "detachable.h"
#include "kinemorph/formats/gazebo_blocks.h"
#include "kinemorph/graph/checks/contacts.h"
#include "pose_text.h"
#include "sdf_model/link_text.h"
#include "write/writer.h"

namespace kinemorph::urdf_format {
namespace {

// Its name in SDFormat; empty where it has none. No engine of Gazebo knows `continuous`: `revolute`
// without limits is the same.
std::string_view SdformatType(const Joint& joint) {
  if (std::holds_alternative<Fixed>(joint.kind)) return "fixed";
  if (std::holds_alternative<Prismatic>(joint.kind)) return "prismatic";
  if (std::holds_alternative<Ball>(joint.kind)) return "ball";
  if (std::holds_alternative<Universal>(joint.kind)) return "universal";
  if (std::holds_alternative<Screw>(joint.kind)) return "screw";
  return std::holds_alternative<Revolute>(joint.kind) ? "revolute" : "";
}

// Who runs the loops as they are written, and what is for the others.
constexpr std::string_view kClassicAlone =
    "loops in <gazebo>: Gazebo Classic simulates them, Gazebo (gz sim) does not";
constexpr std::string_view kForGzSim = "--loops detachable writes welds, which gz sim makes";
constexpr std::string_view kGzSimAlone =
    "loops as welds: Gazebo (gz sim) simulates them, Gazebo Classic does not";
constexpr std::string_view kForClassic = "--loops gazebo writes joints for Gazebo Classic";

}  // namespace

void RobotWriter::CheckGazeboLoop(JointId id) {
  if (detachable_) return CheckWeld(id);
  const Joint& joint = model_.joint(id);
  // Kinds that SDFormat lacks should have been split. A pitch of 0 would be an infinite
  // thread_pitch.
  const std::string subject = About("loop", joint.name);
  if (SdformatType(joint).empty())
    Refuse("loop-type-not-lowered", joint.where,
           {subject, "SDFormat has no joint of kind '" + std::string(KindName(joint.kind)) + "'"});
  if (const auto* screw = std::get_if<Screw>(&joint.kind); screw != nullptr && screw->pitch == 0)
    Refuse("loop-type-not-lowered", joint.where,
           {subject, "is a screw of pitch 0, which thread_pitch cannot say"});
  if (IsWorld(model_, model_.successor(id)))
    Refuse("loop-child-world", joint.where,
           {subject, "the world cannot be the child of a joint in <gazebo>"});
}

void RobotWriter::WriteGazeboLoops() {
  if (!gazebo_) return;
  // One block holds it all: links and frames first, which the joints name. None is written where
  // nothing stands in it.
  std::vector<JointId> loops;
  for (const JointId id : Joints(model_))
    if (model_.joint(id).role == JointRole::kLoop && IsWritten(id)) loops.push_back(id);
  std::vector<LinkId> links;
  for (const LinkId id : Links(model_))
    if (beside_tree_[Index(id)]) links.push_back(id);
  std::vector<JointId> floating;
  for (const JointId id : Joints(model_))
    if (std::holds_alternative<Free>(model_.joint(id).kind) &&
        model_.joint(id).role != JointRole::kLoop && IsWritten(id))
      floating.push_back(id);
  if (loops.empty() && links.empty() && model_.frames.empty() && floating.empty()) return;
  out_.Open("gazebo");
  for (const LinkId id : links) WriteGazeboLink(id);
  for (const Frame& frame : model_.frames) WriteGazeboFrame(frame);
  for (const JointId id : loops)
    detachable_ ? WriteWeld(id, loops.size() > 1) : WriteGazeboLoop(id);
  if (!floating.empty()) WriteFloatingFrames(floating);
  out_.Close();
  if (loops.empty()) return;
  diagnostics_.Add({Severity::kNote,
                    "gazebo-loops",
                    "",
                    0,
                    "",
                    std::string(detachable_ ? kGzSimAlone : kClassicAlone),
                    {std::string(detachable_ ? kForClassic : kForGzSim)}});
}

// libsdformat leaves a floating joint out, which is right: in SDFormat what no joint holds is free.
// But it places the link in the joint's frame, and then refuses the file for want of that.
void RobotWriter::WriteFloatingFrames(const std::vector<JointId>& floating) {
  const std::vector<RigidTransform> X_W = ZeroPoses(model_, tree_);
  for (const JointId id : floating) {
    const Joint& joint = model_.joint(id);
    out_.Open("frame").Attribute("name", joint.name);
    out_.Open("pose").Text(xml::PoseNumbers(X_W[Index(model_.successor(id))])).Close().Close();
  }
}

// In the model's frame, which is the root's.
void RobotWriter::WriteGazeboLink(LinkId id) {
  const Link& link = model_.link(id);
  out_.Open("link").Attribute("name", link.name);
  sdformat::WritePose(out_, PoseAtZero(model_.joint(tree_.parent_joint[Index(id)])));
  sdformat::LinkText(out_, model_, sdformat::kOfBlocks, [&](SourceLocation where, Statement why) {
    Refuse("shape-not-lowered", where, std::move(why));
  }).Write(link, link.name);
  for (const Sensor& sensor : model_.sensors)
    if (sensor.link == id && sensor.native.format == "sdf") WriteSdfSensor(sensor);
  sdformat::WriteNative(out_, link.native);
  out_.Close();
}

void RobotWriter::WriteGazeboFrame(const Frame& frame) {
  out_.Open("frame").Attribute("name", frame.name);
  if (frame.link != kWorld) out_.Attribute("attached_to", LinkName(frame.link));
  sdformat::WritePose(out_, frame.X_LF);
  out_.Close();
}

void RobotWriter::WriteGazeboLoop(JointId id) {
  const Joint& joint = model_.joint(id);
  const LinkId P = model_.predecessor(id), S = model_.successor(id);
  // In the frame of a link that is named, so that nothing depends on which one is the child.
  const bool from_world = IsWorld(model_, P);
  const std::string frame = LinkName(from_world ? S : P);
  const RigidTransform& X = from_world ? joint.X_SM : joint.X_PF;
  out_.Open("joint").Attribute("name", joint.name).Attribute("type", SdformatType(joint));
  const std::array<double, 6> pose = xml::PoseNumbers(X);
  out_.Open("pose").Attribute("relative_to", frame).Text(pose).Close();
  out_.Leaf("parent", LinkName(P)).Leaf("child", LinkName(S));
  // The word that every libsdformat reads: radians per metre, left-handed.
  if (const auto* screw = std::get_if<Screw>(&joint.kind))
    out_.Leaf("thread_pitch", xml::Rounded(-1 / screw->pitch));
  const std::vector<Vector3> axes = AxesOf(joint.kind);
  for (std::size_t i = 0; i < axes.size(); ++i)
    WriteGazeboAxis(i == 0 ? "axis" : "axis2", X.R * axes[i], frame,
                    i < joint.axes.size() ? &joint.axes[i] : nullptr);
  for (const NativeData& data : joint.native)
    if (data.format == "sdf" && !IsWeldPlugin(data)) out_.Native(data.content, 2);
  // A reference to a joint of a block means nothing.
  for (const NativeData& data : joint.native)
    if (data.format == "urdf" && data.element == "gazebo")
      for (const NativeElement& tag : data.content.children) out_.Native(tag, 2);
  for (const Sensor& sensor : model_.sensors)
    if (sensor.joint == id && sensor.native.format == "sdf") WriteSdfSensor(sensor);
  out_.Close();
}

// The plugin welds two links as they stand, and only where their frames coincide this holds.
void RobotWriter::CheckWeld(JointId id) {
  const Joint& joint = model_.joint(id);
  if (!std::holds_alternative<Fixed>(joint.kind) ||
      !(joint.X_PF * joint.X_SM.inverse()).IsNearIdentity(1e-9))
    Refuse("loop-not-welded", joint.where,
           {"loop", joint.name, "the plugin of gz sim welds links whose frames coincide"});
}

void RobotWriter::WriteWeld(JointId id, bool several) {
  xml::WriteWeld(out_, model_.name, several ? model_.joint(id).name : "",
                 LinkName(model_.predecessor(id)), LinkName(model_.successor(id)));
}

// A fixed joint to a link that a plugin welds: the link must be there.
bool RobotWriter::KeepsWeldedApart(JointId id) const {
  return std::holds_alternative<Fixed>(model_.joint(id).kind) &&
         model_.joint(id).role != JointRole::kLoop &&
         welded_.count(static_cast<std::uint32_t>(model_.successor(id))) > 0;
}

void RobotWriter::WriteGazeboAxis(const char* element, const Vector3& axis,
                                  const std::string& expressed_in, const JointAxis* said) {
  out_.Open(element);
  out_.Open("xyz").Attribute("expressed_in", expressed_in);
  out_.Text(xml::VectorText(axis.unaryExpr([](double v) { return xml::Rounded(v); }))).Close();
  const auto leaf = [&](const char* name, const std::optional<double>& value) {
    if (value) out_.Leaf(name, *value);
  };
  if (said && (said->lower || said->upper || said->effort || said->velocity)) {
    out_.Open("limit");
    leaf("lower", said->lower), leaf("upper", said->upper);
    leaf("effort", said->effort), leaf("velocity", said->velocity);
    out_.Close();
  }
  if (said &&
      (said->damping || said->friction || said->spring_stiffness || said->spring_reference)) {
    out_.Open("dynamics");
    leaf("damping", said->damping), leaf("friction", said->friction);
    leaf("spring_reference", said->spring_reference);
    leaf("spring_stiffness", said->spring_stiffness);
    out_.Close();
  }
  out_.Close();
}

void RobotWriter::WriteSdfSensor(const Sensor& sensor) {
  NativeElement element = sensor.native.content;
  xml::SetPose(element, sensor.X_LS);
  out_.Native(element, 2);
}

}  // namespace kinemorph::urdf_format

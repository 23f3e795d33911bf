// <gazebo> blocks: SDFormat's own elements in them are kept as such, links, joints and frames are parts
// of the robot (gazebo_parts.cc), the rest is text.
#include <algorithm>
#include <array>

#include "kinemorph/graph/base/disjoint_sets.h"
#include "kinemorph/graph/base/text.h"
#include "read/reader.h"
#include "sdf_model/builder.h"
#include "sdf_model/sensor_words.h"

namespace kinemorph::urdf_format {
namespace {

// What is in a block falls into three: tags of libsdformat's URDF reader, collected by
// TakeGazeboTag (gazebo_tags.cc); parts of the robot (gazebo_parts.cc); and SDFormat's own
// elements, kept by link, joint or model under the format "sdf". The rest stays a block of text;
// what no reader heeds is kept as idle, so that losing it is no loss.

// "x y z roll pitch yaw"; the identity where it is missing.
RigidTransform ReadSdformatPose(const xml::Element& pose) {
  RigidTransform X;
  if (const auto numbers = pose.TextNumbers(6, 6)) {
    X.p = Vector3((*numbers)[0], (*numbers)[1], (*numbers)[2]);
    X.R = RotationFromRpy(Vector3((*numbers)[3], (*numbers)[4], (*numbers)[5]));
  }
  return X;
}

}  // namespace

// What SDFormat has under a link, a joint or a model by the same name, elements of its users' name
// spaces among it: Gazebo's URDF converter copies them as they are. The rest of a block are tags of
// that converter, or of a Gazebo before SDFormat ("controller:...").
bool RobotReader::IsSdformat(std::string_view name) {
  constexpr std::array<std::string_view, 6> kParts = {
      "sensor", "plugin", "light", "projector", "audio_source", "particle_emitter"};
  constexpr std::array<std::string_view, 8> kSettings = {
      "allow_auto_disable", "battery",           "enable_wind",  "gravity",
      "kinematic",          "must_be_base_link", "self_collide", "velocity_decay"};
  return std::find(kParts.begin(), kParts.end(), name) != kParts.end() ||
         std::find(kSettings.begin(), kSettings.end(), name) != kSettings.end() ||
         name.starts_with("gz:") || name.starts_with("ignition:") || name.starts_with("drake:");
}

NativeData RobotReader::GazeboBlock(const std::string& reference,
                                    const std::vector<xml::Element>& children, bool idle) {
  NativeData block = children.front().Native();
  block.element = "gazebo";
  block.content = {.name = "gazebo"};
  if (!reference.empty()) block.content.attributes = {{"reference", reference}};
  for (const xml::Element& child : children)
    block.content.children.push_back(child.Native().content);
  block.idle = idle;
  return block;
}

// What a block says of a link or joint, or of both where they have one name.
void RobotReader::ReadGazeboOf(const xml::Element& gazebo, LinkId link, JointId joint) {
  std::vector<NativeData>& native =
      link != kNoLink ? model_.link(link).native : model_.joint(joint).native;
  const std::string reference(*gazebo.Attribute("reference"));
  std::vector<xml::Element> rest, idle;
  bool whole = true;  // all of it stays text
  // libsdformat knows nothing of URDF+'s loops: what is said of one is SDFormat as it stands.
  const bool of_loop = link == kNoLink && model_.joint(joint).role == JointRole::kLoop;
  for (const xml::Element child : gazebo.Children()) {
    if (link != kNoLink) link_tags_[link].of = reference;
    if (joint != kNoJoint) joint_tags_[joint].of = reference;
    if ((link != kNoLink && TakeGazeboTag(child, link_tags_[link], true)) ||
        (joint != kNoJoint && !of_loop && TakeGazeboTag(child, joint_tags_[joint], false))) {
      whole = false;
    } else if (of_loop && child.name() == "physics") {
      native.push_back(sdformat::NativeOf(child));
      whole = false;
    } else if (HasNoEffect(child.name(), link != kNoLink)) {
      idle.push_back(child);
    } else if (!IsSdformat(child.name())) {
      if (child.name() == "joint")
        child.Warn("gazebo-joint-reference",
                   {"joint", std::string(child.Attribute("name", "")),
                    "in <gazebo reference=\"" + reference +
                        "\">, where libsdformat ignores it; remove the reference"});
      rest.push_back(child);
    } else if (child.name() != "sensor") {
      sdformat::TellWeldOf(child, reference);
      native.push_back(sdformat::NativeOf(child));
      whole = false;
    } else {
      ReadSdfSensor(child, link, link == kNoLink ? joint : kNoJoint);
      whole = false;
    }
  }
  if (whole && (rest.empty() || idle.empty())) {  // as it stands, comments and all
    native.push_back(gazebo.Native());
    native.back().idle = rest.empty();
    return;
  }
  if (!rest.empty()) native.push_back(GazeboBlock(reference, rest, false));
  if (!idle.empty()) native.push_back(GazeboBlock(reference, idle, true));
}

void RobotReader::ReadSdfSensor(const xml::Element& element, LinkId link, JointId joint) {
  Sensor sensor;
  sensor.name = element.Attribute("name", "");
  sensor.link = link, sensor.joint = joint;
  sensor.X_LS = ReadSdformatPose(element.Child("pose"));
  sensor.native = sdformat::NativeOf(element);
  static_cast<void>(sdformat::ReadSensorWords(sensor.native.content, sensor));
  sensor.where = element.where();
  model_.sensors.push_back(std::move(sensor));
}

void RobotReader::ReadGazebo(const xml::Element& gazebo) {
  gazebo.Consume();
  // A name may be a link's and a joint's at once, and then the block speaks of both, as libsdformat
  // takes it.
  const auto reference = gazebo.Attribute("reference");
  if (!reference || reference->empty()) return ReadGazeboOfRobot(gazebo);
  const std::string name(*reference);
  const LinkId* const link = links_.Find(name);
  const bool in_block = taken_parts_.count(name) > 0;  // it is no link or joint of URDF
  const JointId* const joint = in_block ? nullptr : joints_.Find(name);
  if (link || joint) return ReadGazeboOf(gazebo, link ? *link : kNoLink, joint ? *joint : kNoJoint);
  if (in_block) {  // as text, it would count where the part is written outside of blocks
    gazebo.Note("gazebo-reference-part",
                {"gazebo", name,
                 "a <gazebo> block defines this link or joint, and libsdformat ignores a reference "
                 "to it, as kinemorph does; write the content into that <link> or <joint>"});
    return gazebo.ConsumeAll();
  }
  if (!IsToldOf(name)) {
    std::vector<std::string> names = LinkNames();
    names.insert(names.end(), JointNames().begin(), JointNames().end());
    Diagnostic& warning = gazebo.Warn(
        "gazebo-reference-unknown",
        {"gazebo", name, "no link or joint has this name; kinemorph keeps the block as text"});
    warning.suggestion = NearestName(name, names);
  }
  model_.native.push_back(gazebo.Native());
  model_.native.back().idle = true;
}

// Of the model itself. libsdformat passes over the tags of links and joints here; up to 12.6, a
// further block without reference that does not say so makes a static model movable again.
void RobotReader::ReadGazeboOfRobot(const xml::Element& gazebo) {
  std::vector<xml::Element> rest, idle;
  bool whole = true, says_static = false;
  // Unlike blocks of links, each child here is an element of the model in the SDFormat text that
  // libsdformat makes.
  Scope& scope = model_.scopes[0];
  for (const xml::Element child : gazebo.Children()) {
    const std::string_view name = child.name();
    if (name == "static") {
      says_static = true;
      GazeboTags tags;
      tags.of = model_.name;
      scope.is_static = GazeboBoolean(child, tags);
      static_ = scope.is_static ? child : xml::Element();
      if (scope.is_static)
        child.ConsumeAll(), whole = false;
      else
        idle.push_back(child);
    } else if (name == "self_collide" && !scope.self_collide) {
      const std::string word = LowerCase(child.Text());
      child.ConsumeAll();
      scope.self_collide = word == "true" || word == "1";
      whole = false;
    } else if (IsGazeboTag(name) && name != "gravity" && name != "self_collide") {
      idle.push_back(child);
      child.Warn("gazebo-tag-idle", "<" + std::string(name) +
                                        ">: in a <gazebo> without reference, where libsdformat "
                                        "ignores it; name the link or joint");
    } else if (name == "plugin") {
      parts_.plugins.push_back({0, child});
      whole = false;
    } else if ((IsSdformat(name) && name != "sensor") || name == "pose") {
      scope.native.push_back(sdformat::NativeOf(child));
      whole = false;
    } else if ((name == "joint" || name == "link" || name == "frame") && TakeGazeboPart(child)) {
      whole = false;
    } else {
      if (name == "model" || name == "include")
        child.Warn(
            "gazebo-model-kept",
            {std::string(name), child.Attribute("name", child.Child("uri").Text()),
             "in <gazebo>, is a model within the robot; kinemorph does not read it and keeps "
             "it as text"});
      rest.push_back(child);
    }
  }
  // The file is read as it is meant, and in later versions as it is read here.
  if (static_ && !says_static)
    static_.Warn("gazebo-static-forgotten",
                 {"<static> of", model_.name,
                  "libsdformat before 12.7 forgets it at the <gazebo> in line " +
                      std::to_string(gazebo.where().line) +
                      ", which does not say it again; the model is read as static"});
  if (whole && (rest.empty() || idle.empty())) {
    model_.native.push_back(gazebo.Native());
    model_.native.back().idle = rest.empty();
    return;
  }
  for (const xml::Element& child : rest) model_.native.push_back(GazeboBlock("", {child}, false));
  if (!idle.empty()) model_.native.push_back(GazeboBlock("", idle, true));
}

// Joints that no file names hold a static model: one for every group of links on fixed joints, as
// SDFormat's have them.
void RobotReader::HoldStill() {
  if (!model_.scopes[0].is_static) return;
  // What fixed joints join is one body, and gets one joint more: first that of a root, on which the
  // others hang. Where a joint leads to the link in the tree, that one is a loop joint, which
  // restrains it all the same.
  DisjointSets rigid(model_.num_links());
  for (const JointId id : Joints(model_))
    if (std::holds_alternative<Fixed>(model_.joint(id).kind))
      rigid.Unite(Index(model_.predecessor(id)), Index(model_.successor(id)));
  std::vector<LinkId> links = tree_.roots;
  for (const LinkId id : Links(model_)) links.push_back(id);
  for (const LinkId id : links) {
    if (!rigid.Unite(0, Index(id))) continue;
    Joint joint;
    joint.name = "world_to_" + model_.link(id).name;
    if (joints_.Has(joint.name) || constraints_.Has(joint.name))
      joint.name = UnusedName(joint.name);
    joint.kind = Fixed{};
    joint.X_PF = X_WL_[Index(id)];
    joint.implicit = true;
    joint.role = joint_to_[Index(id)] == kNoJoint ? JointRole::kTree : JointRole::kLoop;
    joint.scope = ScopeId{0};
    joint.where = model_.link(id).where;
    model_.AddJoint(kWorld, id, std::move(joint));
  }
}

}  // namespace kinemorph::urdf_format

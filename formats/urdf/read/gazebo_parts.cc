// Links, joints and frames in <gazebo> blocks without reference: parts of the robot, read as the
// version of SDFormat that libsdformat 9 to 13 takes them for.
#include <algorithm>
#include <array>
#include <span>

#include "kinemorph/formats/gazebo_blocks.h"
#include "read/reader.h"
#include "sdf_model/builder.h"

namespace kinemorph::urdf_format {
namespace {

using sdformat::kOfBlocks;

// A joint without reference is appended to the model by libsdformat: with both links in the URDF it
// closes a loop, the usual way to write one for Gazebo. Links and frames may stand there too. They
// are read by the reader of SDFormat (sdf_model), which needs to see the robot's own links and
// joints as frames; FindPartNames runs first and settles which joints have ends at all.
constexpr std::array<std::string_view, 9> kJointTypes = {"ball",     "continuous", "fixed",
                                                         "gearbox",  "prismatic",  "screw",
                                                         "revolute", "revolute2",  "universal"};
// What SDFormat has in a joint, its users' name spaces apart.
constexpr std::array<std::string_view, 11> kOfJoints = {"parent",
                                                        "child",
                                                        "pose",
                                                        "axis",
                                                        "axis2",
                                                        "thread_pitch",
                                                        "screw_thread_pitch",
                                                        "gearbox_ratio",
                                                        "gearbox_reference_body",
                                                        "sensor",
                                                        "physics"};

bool IsAmong(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string SubjectOf(const xml::Element& part) {
  return std::string(part.name()) + " '" + std::string(part.Attribute("name", "")) + "'";
}

// The blocks are copied into a file of that version as they stand. Words of older ones have no
// meaning in it.
void TellOldWords(const std::string& subject, const xml::Element& element) {
  const auto tell = [&](const xml::Element& at, const std::string& what) {
    at.Warn("gazebo-old-word",
            {subject, what + "; libsdformat 9 and later ignore it in <gazebo>, which they read as "
                             "SDFormat 1.7, and so does kinemorph"});
  };
  for (const xml::Element child : element.Children()) {
    if (child.name() == "use_parent_model_frame") {
      if (child.TextBoolean().value_or(false))
        tell(child,
             "<use_parent_model_frame> is of SDFormat 1.6; its numbers are read in the joint's "
             "frame "
             "(for the model's write expressed_in=\"__model__\" at <xyz>)");
      child.ConsumeAll();
    } else if (child.name() == "pose" && child.Has("frame")) {
      const std::string frame = child.Attribute("frame", "");
      if (!frame.empty() && !child.Has("relative_to"))
        tell(child, "frame=\"" + frame + "\" at <pose> is of SDFormat 1.6 (write relative_to=\"" +
                        frame + "\")");
    }
    TellOldWords(subject, child);
  }
}

}  // namespace

// Joints may name what follows them, other joints too: each has a frame. One that is not taken has
// none, nor what ends on it.
void RobotReader::FindPartNames(const std::vector<xml::Element>& others) {
  std::vector<xml::Element> joints;
  for (const xml::Element& other : others) {
    if (other.name() != "gazebo" || !other.Attribute("reference", "").empty()) continue;
    for (const xml::Element child : other.Children()) {
      if (child.name() == "joint")
        joints.push_back(child);
      else if (child.name() != "link" && child.name() != "frame")
        continue;
      part_names_.insert(child.Attribute("name", ""));
    }
  }
  std::multimap<std::string, xml::Element> on;
  std::vector<xml::Element> fallen;
  for (const xml::Element& joint : joints) {
    // Which joints end on each name, and the joints that cannot be taken whatever happens.
    for (const char* end : {"parent", "child"}) on.emplace(joint.Child(end).Text(), joint);
    if (!JoinsFrames(joint) || !IsAmong(kJointTypes, joint.Attribute("type", "")))
      fallen.push_back(joint);
  }
  // A joint that falls takes the frame of its name with it, and so joints that end on that. Each
  // name is erased once, so that the walk ends.
  while (!fallen.empty()) {
    const std::string name = fallen.back().Attribute("name", "");
    fallen.pop_back();
    if (part_names_.erase(name) == 0) continue;
    const auto [first, last] = on.equal_range(name);
    for (auto it = first; it != last; ++it) fallen.push_back(it->second);
  }
}

bool RobotReader::IsOfRobot(const std::string& name) const {
  return name == "__model__" || links_.Has(name) || joints_.Has(name) ||
         part_names_.count(name) > 0;
}

bool RobotReader::JoinsFrames(const xml::Element& joint) const {
  const std::string name = joint.Attribute("name", ""), parent(joint.Child("parent").Text()),
                    child(joint.Child("child").Text());
  // The frame of a joint stands on its child: a joint that ends on its own frame has no place.
  const bool by_itself = !links_.Has(name) && (parent == name || child == name);
  return (IsOfRobot(parent) || parent == "world") && IsOfRobot(child) && parent != child &&
         !by_itself;
}

// Whether a part is taken; else it is kept as text, which was said.
bool RobotReader::TakeGazeboPart(const xml::Element& part) {
  const std::string kind(part.name());
  std::string name = part.Attribute("name", "");
  const bool is_joint = kind == "joint";
  if (kind == "frame" && IsFloatingFrame(name)) {
    part.ConsumeAll();
    return true;
  }
  const std::string subject = SubjectOf(part);
  if (is_joint && !JoinsLinks(part, subject)) return false;
  // SDFormat has one space of names for links, joints and frames, where URDF has two.
  if (is_joint && links_.Has(name)) {
    name = UnusedName(name + "_joint");
    part.Warn("name-made-up", {subject,
                               "in <gazebo>, has the name of a link, and libsdformat "
                               "refuses the file; kinemorph calls the joint '" +
                                   name + "'"});
  }
  const bool own = !name.empty() && !links_.Has(name) && !joints_.Has(name) &&
                   !constraints_.Has(name) && taken_parts_.insert(name).second;
  if (!own) {
    part.Warn("gazebo-joint-kept", subject +
                                       ": in <gazebo>, has no name of its own; kinemorph "
                                       "keeps the " +
                                       kind + " as text");
    return false;
  }
  part.Consume();
  TellOldWords(subject, part);
  if (kind == "link") {
    parts_.links.push_back(sdformat::ReadLinkItem(part, 0, kOfBlocks));
  } else if (kind == "frame") {
    parts_.frames.push_back(sdformat::ReadFrameItem(part, 0, kOfBlocks));
  } else {
    parts_.joints.push_back(sdformat::ReadJointItem(part, 0, kOfBlocks));
    parts_.joints.back().name = name;
  }
  return true;
}

// The frame of a floating joint, which libsdformat asks for and makes no joint of.
bool RobotReader::IsFloatingFrame(const std::string& name) const {
  const JointId* const joint = joints_.Find(name);
  return joint != nullptr && std::holds_alternative<Free>(model_.joint(*joint).kind);
}

bool RobotReader::JoinsLinks(const xml::Element& joint, const std::string& subject) const {
  const std::string type = joint.Attribute("type", ""), parent(joint.Child("parent").Text()),
                    child(joint.Child("child").Text());
  if (!JoinsFrames(joint)) {
    joint.Warn("gazebo-joint-foreign",
               {subject, "in <gazebo>, joins '" + parent + "' and '" + child +
                             "', which are not two links of this robot; kinemorph keeps the joint "
                             "as text"});
    return false;
  }
  if (IsAmong(kJointTypes, type)) return true;
  joint.Warn("gazebo-joint-kept",
             {subject, "in <gazebo>, is of type '" + type +
                           "', which kinemorph does not read here and keeps as text"});
  return false;
}

// The robot's own links and joints come first, as frames that the parts may name.
void RobotReader::BuildGazeboParts() {
  X_WL_ = ZeroPoses(model_, tree_);
  if (parts_.links.empty() && parts_.joints.empty() && parts_.frames.empty() &&
      parts_.plugins.empty())
    return;
  const auto num_links = model_.num_links(), num_joints = model_.num_joints();
  // The robot as SDFormat would have it: links at their zero poses in the frame of the model, which
  // is the root's, and joints where their children stand. Only the parts behind them are built into
  // the model.
  sdformat::Description all;
  sdformat::ModelItem& robot = all.models.emplace_back();
  robot.name = model_.name;
  robot.name_space = 0;
  robot.version = kOfBlocks;
  robot.element = robot_;
  if (!tree_.roots.empty()) robot.canonical_link = model_.link(tree_.roots.front()).name;
  for (const LinkId id : Links(model_)) {
    sdformat::LinkItem& item = all.links.emplace_back();
    item.name = model_.link(id).name;
    item.pose.X = X_WL_[Index(id)];
  }
  for (const JointId id : Joints(model_)) {
    sdformat::JointItem& item = all.joints.emplace_back();
    item.name = model_.joint(id).name;
    item.child = model_.link(model_.successor(id)).name;
    item.pose.X = model_.joint(id).X_SM;
  }
  all.links.insert(all.links.end(), parts_.links.begin(), parts_.links.end());
  all.joints.insert(all.joints.end(), parts_.joints.begin(), parts_.joints.end());
  all.frames = parts_.frames;
  all.plugins = parts_.plugins;
  const sdformat::FrameGraph frames(all);
  sdformat::Builder(all, frames, model_).BuildPart();
  // Links of the blocks stand where their poses say. Index 0 is the world, which the description
  // has no link for.
  X_WL_.resize(model_.num_links());
  for (std::size_t i = num_links; i < X_WL_.size(); ++i)
    X_WL_[i] = frames.InWorld(frames.of_link(i - 1));
  joint_to_.resize(model_.num_links(), kNoJoint);
  for (std::size_t i = num_joints; i < model_.num_joints(); ++i)
    JudgeRole(JointId{static_cast<std::uint32_t>(i)}, num_links);
  for (const sdformat::JointItem& item : parts_.joints) KeepOldTags(item.element, item.name);
}

// Between two of the robot's own links it closes a loop. Others may hold parts, or the robot itself;
// which of them do is not said.
void RobotReader::JudgeRole(JointId id, std::size_t num_links) {
  const LinkId P = model_.predecessor(id), S = model_.successor(id);
  Joint& joint = model_.joint(id);
  if (joint.implicit) {
    joint.role = JointRole::kTree;
  } else if (P == kWorld && Index(S) < num_links && joint_to_[Index(S)] == kNoJoint) {
    joint.role = JointRole::kTree;  // it fixes the base
    joint_to_[Index(S)] = id;
  } else if (P == kWorld || Index(P) >= num_links || Index(S) >= num_links) {
    joint.role = JointRole::kUndecided;
  } else {
    joint.role = JointRole::kLoop;
  }
  // What SDFormat says about cuts does not count here: the roles are decided by the tree of the
  // URDF.
  joint.cut_hint = false;
  constraints_.Add(joint.name, joint.where.line);
  joints_.Add(joint.name, id);
}

// libsdformat merges links on fixed joints, and then does not find the names of those that went.
void RobotReader::TellMergedEnds() const {
  for (const sdformat::JointItem& item : parts_.joints) {
    // One warning per joint, for the first name that goes. Versions from 12.6 on rename the ends,
    // but leave the pose.
    for (const std::string& name : {item.parent, item.child, item.pose.relative_to}) {
      const LinkId* const link = links_.Find(name);
      const JointId up = link == nullptr ? kNoJoint : joint_to_[Index(*link)];
      if (up == kNoJoint || !IsLumped(model_, up)) continue;
      item.element.Warn(
          "gazebo-joint-merged",
          {"joint", item.name,
           "in <gazebo>, names link '" + name + "', which libsdformat merges with '" +
               model_.link(model_.predecessor(up)).name +
               "' before it reads the joint: versions before 12.6 lose the joint (write "
               "preserveFixedJoint for '" +
               model_.joint(up).name + "')"});
      break;
    }
  }
  for (const JointId id : Joints(model_)) {
    // The plugin of gz sim is told names of links as text, which no version renames.
    const Joint& weld = model_.joint(id);
    if (WeldPluginOf(weld) == nullptr) continue;
    for (const LinkId end : {model_.predecessor(id), model_.successor(id)}) {
      const JointId up = joint_to_[Index(end)];
      if (up == kNoJoint || !IsLumped(model_, up)) continue;
      robot_.context().diagnostics->Add(
          MessageAt(model_, weld.where, Severity::kWarning, "gazebo-weld-merged",
                    {"weld", weld.name,
                     "names link '" + model_.link(end).name + "', which libsdformat merges with '" +
                         model_.link(model_.predecessor(up)).name +
                         "', and gz sim then finds no such link: the weld is lost there (write "
                         "preserveFixedJoint for '" +
                         model_.joint(up).name + "')"}));
      break;
    }
  }
}

// Tags that nothing reads in a joint of SDFormat stay remarks of this file.
void RobotReader::KeepOldTags(const xml::Element& element, const std::string& name) {
  const JointId* const joint = joints_.Find(name);
  for (const xml::Element child : element.Children())
    if (joint != nullptr && !IsAmong(kOfJoints, child.name()) && !IsSdformat(child.name()))
      model_.joint(*joint).native.push_back(GazeboBlock(name, {child}, false));
}

}  // namespace kinemorph::urdf_format

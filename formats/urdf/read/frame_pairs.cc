// Adding pairs of frames to a model that was read from URDF.
#include "kinemorph/formats/frame_pairs.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "kinemorph/graph/base/unique_names.h"
#include "kinemorph/graph/model/fields.h"
#include "kinemorph/graph/model/subject.h"
#include "link_tree.h"
#include "read/made_links.h"
#include "read/side_car_addition.h"
#include "three_hinges.h"

namespace kinemorph {
namespace urdf_format {
namespace {

// Frame pairs come from three places: robot.yaml of Gepetto's parallel robots, that of other tools,
// and names of links alone (closing_x_1 and closing_x_2 of onshape-to-robot). In all of them the
// URDF is a tree whose loops were cut; each pair of frames coincides when the loop is closed,
// wholly (6d) or in a point (3d). PairAddition makes a loop joint of each. Neutral postures of such
// robots are rarely closed, which is no error here.

constexpr std::size_t kMostErrors = 100;  // of one file, which repeats its mistakes

class PairAddition : private SideCarAddition {
 public:
  PairAddition(const FramePairs& file, Model& model, Diagnostics& diagnostics)
      : SideCarAddition(file.file, "frame-pairs-unknown", model, diagnostics), file_(file) {}

  bool Run() {
    const std::size_t errors_before = diagnostics_.num_errors();
    if (model_.format != "urdf" && model_.format != "urdf+") {
      Say(Severity::kError, "frame-pairs-format", 0,
          "goes with a URDF, and this is " + model_.format);
      return false;
    }
    Begin();
    for (const JointId id : Joints(model_)) {
      names_.Add(model_.joint(id).name);
      if (model_.joint(id).role == JointRole::kLoop) authored_.push_back(id);
    }
    tree_ = BuildLinkTree(model_);
    // Kinds first: poses and loops are those of the retyped robot. At zero the poses are the same.
    for (const RetypedJoint& each : file_.retyped) Retype(each);
    X_WL_ = ZeroPoses(model_, tree_);
    for (const FramePair& pair : file_.pairs) {
      Close(pair);
      if (diagnostics_.num_errors() > errors_before + kMostErrors) return false;
    }
    TellOfJoints();
    // Then what is said of coordinates, drives after declarations: an unknown name is told once, by
    // the first list that has it.
    Declare();
    driven_.assign(model_.num_joints(), false);
    for (const Actuator& actuator : model_.actuators)
      if (actuator.joint != kNoJoint) driven_[Index(actuator.joint)] = true;
    for (const ListedName& motor : file_.motors) Drive(motor);
    TellOfThreeHinges();
    for (const ListedName& each : file_.made)
      static_cast<void>(Find(links_, each.name, "link", each.line));
    if (diagnostics_.num_errors() > errors_before) return false;
    // Last, as it renumbers links and joints.
    DissolveMade(file_.made, tree_, model_);
    model_.format = "urdf+";
    model_.unsaid =
        file_.all_declared ? UnsaidIndependence::kEverywhere : UnsaidIndependence::kNothing;
    return true;
  }

 private:
  void Retype(const RetypedJoint& each) {
    const auto id = Find(joints_, each.joint, "joint", each.line);
    if (!id) return;
    Joint& joint = model_.joint(*id);
    if (NumVelocities(joint.kind) != 1) {
      Say(Severity::kError, "frame-pairs-type", each.line,
          "joint '" + joint.name + "' is " + std::string(KindName(joint.kind)) +
              " in the URDF, and only a joint of one coordinate can be retyped");
      return;
    }
    // A coupling counts one coordinate, and a ball has none of its own.
    for (const Coupling& coupling : model_.couplings) {
      for (const CouplingTerm& term : coupling.terms) {
        if (term.coordinate.joint != *id) continue;
        Say(Severity::kError, "frame-pairs-type", each.line,
            "joint '" + joint.name + "' is coupled in the URDF and cannot be retyped");
        return;
      }
    }
    if (!IsPassive(joint))
      Say(Severity::kWarning, "frame-pairs-limits", each.line,
          "joint '" + joint.name + "' becomes " + std::string(KindName(each.kind)) +
              ": its limits and dynamics are those of one coordinate and are not read");
    if (std::holds_alternative<Fixed>(each.kind))
      Say(Severity::kNote, "frame-pairs-fixed", each.line,
          "joint '" + joint.name + "' stays at its zero position");
    joint.kind = each.kind;
    joint.native_type.clear();
    joint.axes.assign(static_cast<std::size_t>(NumAxes(each.kind)), JointAxis());
  }

  void Close(const FramePair& pair) {
    const auto P = FindFrame(pair.a, pair.line), S = FindFrame(pair.b, pair.line);
    if (!P || !S) return;
    if (*P == *S) {
      Say(Severity::kError, "self-joint", pair.line, "a pair joins '" + pair.a + "' to itself");
      return;
    }
    // A URDF+ with a robot.yaml beside it says its loops twice; they must not close twice.
    if (IsKnown(*P, *S, pair.kind)) {
      Say(Severity::kNote, "frame-pairs-loop-known", pair.line,
          "a loop between '" + pair.a + "' and '" + pair.b +
              "' is in the URDF too; kinemorph reads the one in the URDF");
      return;
    }
    Joint joint;
    // The place of the loop joint: the frames themselves, or X given in the frame of the first one
    // or of the root. In the latter cases the joint is closed at zero, and the second pose follows
    // from that.
    if (pair.place != PairPlace::kFrames) {
      const LinkId at =
          pair.place == PairPlace::kFirst || tree_.roots.empty() ? *P : tree_.roots.front();
      const RigidTransform X_WF = X_WL_[Index(at)] * pair.X;
      joint.X_PF = at == *P ? pair.X : X_WL_[Index(*P)].inverse() * X_WF;
      joint.X_SM = X_WL_[Index(*S)].inverse() * X_WF;
    }
    joint.kind = pair.kind;
    joint.name = names_.Take(pair.name.empty() ? NameOf(pair.a) : pair.name);
    joint.role = JointRole::kLoop;
    joint.scope = ScopeId{0};
    joint.where = {file_index_, pair.line};
    joint.axes.assign(static_cast<std::size_t>(NumAxes(pair.kind)), JointAxis());
    if (joint.axes.size() == 1) joint.axes[0] = pair.axis;
    model_.AddJoint(*P, *S, std::move(joint));
  }

  [[nodiscard]] bool IsKnown(LinkId P, LinkId S, const JointKind& kind) const {
    return std::any_of(authored_.begin(), authored_.end(), [&](JointId id) {
      const LinkId a = model_.predecessor(id), b = model_.successor(id);
      return ((a == P && b == S) || (a == S && b == P)) &&
             model_.joint(id).kind.index() == kind.index();
    });
  }

  // To whom a frame is a link, it is told where a joint stands for one.
  void TellOfJoints() {
    const FramePair* first = nullptr;
    std::string name;
    std::unordered_set<std::string> more;
    for (const FramePair& pair : file_.pairs) {
      // Pinocchio looks for a frame by name, and a joint has one too.
      for (const std::string& frame : {pair.a, pair.b}) {
        if (links_.contains(frame) || !joints_.contains(frame)) continue;
        if (first == nullptr) first = &pair, name = frame;
        if (frame != name) more.insert(frame);
      }
    }
    if (first == nullptr) return;
    Say(Severity::kNote, "frame-pairs-joint", first->line,
        "frame '" + name + "' is a joint of the URDF, and stands for the link '" +
            model_.link(model_.successor(joints_.at(name))).name +
            "' that the joint leads to, as in Pinocchio" +
            (more.empty() ? "" : " (and " + std::to_string(more.size()) + " more)"));
  }

  // closedloop1_A: closedloop1.
  static std::string NameOf(const std::string& frame) {
    std::string name = frame;
    // At most the two last characters go, up to a digit; where nothing can go, the whole name and
    // "_loop".
    while (!name.empty() && std::isdigit(static_cast<unsigned char>(name.back())) == 0 &&
           name.size() + 2 > frame.size())
      name.pop_back();
    return name.empty() || name == frame ? frame + "_loop" : name;
  }

  void Declare() {
    // A list of independent joints that means to be complete makes all others dependent; a list of
    // motors does not.
    if (file_.all_declared)
      for (const JointId id : Joints(model_))
        if (model_.joint(id).role != JointRole::kLoop && NumVelocities(model_.joint(id).kind) > 0)
          model_.joint(id).independent = false;
    std::unordered_set<std::string> told;
    for (const ListedName& each : file_.independent) {
      if (diagnostics_.num_errors() > kMostErrors) return;
      if (!told.insert(each.name).second) {
        Say(Severity::kError, "frame-pairs-joint-twice", each.line,
            "joint '" + each.name + "' is twice in one list");
        continue;
      }
      const auto id = Find(joints_, each.name, "joint", each.line);
      if (id && NumVelocities(model_.joint(*id).kind) > 0) model_.joint(*id).independent = true;
    }
  }

  // A joint that has a drive keeps it. What is missing was told by Declare.
  void Drive(const ListedName& each) {
    const auto found = joints_.find(each.name);
    if (found == joints_.end()) return;
    const JointId id = found->second;
    if (NumVelocities(model_.joint(id).kind) != 1) {
      Say(Severity::kWarning, "frame-pairs-motor", each.line,
          "joint '" + each.name + "' has not one coordinate that a motor could drive");
      return;
    }
    if (driven_[Index(id)]) return;
    driven_[Index(id)] = true;
    Actuator motor;
    motor.name = each.name + "_motor";
    motor.type = "motor";
    motor.kind = DriveKind::kEffort;
    motor.joint = id;
    motor.where = {file_index_, each.line};
    model_.actuators.push_back(std::move(motor));
  }

  void TellOfThreeHinges() {
    for (const auto& joints : HingesThatMeet(model_, tree_)) {
      const Joint& first = model_.joint(joints[0]);
      diagnostics_.Add(MessageAt(
          model_, first.where, Severity::kNote, "frame-pairs-three-hinges",
          {"joint", first.name,
           "Gepetto's loader makes one ball joint of it, '" + model_.joint(joints[1]).name +
               "' and '" + model_.joint(joints[2]).name + "'; here they stay three"}));
    }
  }

  const FramePairs& file_;
  UniqueNames names_;
  LinkTree tree_;
  std::vector<RigidTransform> X_WL_;
  std::vector<JointId> authored_;  // loop joints of the URDF itself
  std::vector<bool> driven_;       // by joint
};

// What the two names of a pair share, and which end each is; nothing for other names.
struct EndName {
  std::string pair;
  bool first = false;
  JointKind kind;
};
std::optional<EndName> EndOf(const std::string& name) {
  constexpr std::string_view kClosing = "closing_", kLoop = "closedloop";
  if (name.starts_with(kClosing) && name.size() > kClosing.size() + 2 &&
      (name.ends_with("_1") || name.ends_with("_2")))
    return EndName{name.substr(0, name.size() - 2), name.back() == '1', Ball{}};
  const std::size_t at = name.find(kLoop);
  if (at == std::string::npos || (name.back() != 'A' && name.back() != 'B')) return std::nullopt;
  std::string pair = name.substr(0, name.size() - 1);
  if (pair.back() == '_') pair.pop_back();
  if (std::isdigit(static_cast<unsigned char>(pair.back())) == 0) return std::nullopt;
  return EndName{std::move(pair), name.back() == 'A', Fixed{}};
}

}  // namespace
}  // namespace urdf_format

bool LooksLikeFramePairs(std::string_view text) {
  // Keys of the known files, at the start of a line: YAML in which one of them stands deeper is
  // another.
  for (const std::string_view key : {"closed_loop:", "closing_joints:", "closures:", "name_mot:"})
    for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1))
      if (at == 0 || text[at - 1] == '\n') return true;
  return false;
}

FramePairs PairsByName(const Model& model, const std::string& file) {
  struct Ends {
    std::string a, b;
    JointKind kind;
    std::uint32_t line = 0;
  };
  std::map<std::string, Ends> found;
  const auto look = [&](const std::string& name, std::uint32_t line) {
    const auto end = urdf_format::EndOf(name);
    if (!end) return;
    Ends& ends = found[end->pair];
    std::string& frame = end->first ? ends.a : ends.b;
    if (!frame.empty()) return;
    frame = name, ends.kind = end->kind;
    if (end->first) ends.line = line;
  };
  // A frame may have the name of a link or of a joint; where both have it, the link's line is told.
  for (const LinkId id : Links(model)) look(model.link(id).name, model.link(id).where.line);
  for (const JointId id : Joints(model)) look(model.joint(id).name, model.joint(id).where.line);
  FramePairs out;
  out.file = file;
  for (const auto& [name, ends] : found) {
    if (ends.a.empty() || ends.b.empty()) continue;
    FramePair pair;
    pair.name = name;
    pair.a = ends.a, pair.b = ends.b;
    pair.kind = ends.kind;
    pair.line = ends.line;
    out.pairs.push_back(std::move(pair));
  }
  return out;
}

bool AddFramePairs(const FramePairs& file, Model& model, Diagnostics& diagnostics) {
  return urdf_format::PairAddition(file, model, diagnostics).Run();
}

std::vector<std::string> UnknownNames(const FramePairs& file, const Model& model,
                                      std::size_t most) {
  std::unordered_set<std::string_view> joints, links;
  for (const JointId id : Joints(model)) joints.insert(model.joint(id).name);
  for (const LinkId id : Links(model)) links.insert(model.link(id).name);
  std::vector<std::string> unknown;
  const auto look = [&](const std::unordered_set<std::string_view>& known,
                        const std::string& name) {
    if (unknown.size() < most && !known.contains(name)) unknown.push_back(name);
  };
  for (const FramePair& pair : file.pairs)
    for (const std::string& frame : {pair.a, pair.b})
      if (!joints.contains(frame)) look(links, frame);
  for (const ListedName& each : file.motors) look(joints, each.name);
  for (const ListedName& each : file.independent) look(joints, each.name);
  return unknown;
}

}  // namespace kinemorph

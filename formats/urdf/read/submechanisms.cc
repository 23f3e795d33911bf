// Adding what submechanisms.yml says to a model that was read from URDF.
#include "kinemorph/formats/submechanisms.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "kinemorph/graph/base/disjoint_sets.h"
#include "kinemorph/graph/base/unique_names.h"
#include "link_tree.h"
#include "read/side_car_addition.h"
#include "read/submechanism_loops.h"
#include "urdf.h"

namespace kinemorph {
namespace urdf_format {
namespace {

constexpr double kPlanar = 1e-5;                // rad: frames of real files have few digits
constexpr std::size_t kMostSteps = 50'000'000;  // along the paths of loops

// HyRoDyn splits a robot into sub-mechanisms: each lists the joints of its spanning tree, the
// independent and the active ones, and how its loops close, as rows (loop_constraints), by the
// meaning of its type, or by couplings in a URDF of its own. Addition declares coordinates, adds
// drives and loop joints part by part. A name that is not there is an error; a loop that cannot be
// read is a warning, and stays open.
class Addition : private SideCarAddition {
 public:
  Addition(const Submechanisms& file, const ResourceResolver* resolver, Model& model,
           Diagnostics& diagnostics)
      : SideCarAddition(file.file, "submechanisms-unknown", model, diagnostics),
        file_(file),
        resolver_(resolver) {}

  bool Run() {
    const std::size_t errors_before = diagnostics_.num_errors();
    if (model_.format != "urdf" && model_.format != "urdf+") {
      Say(Severity::kError, "submechanisms-format", 0,
          "goes with a URDF, and this is " + model_.format);
      return false;
    }
    Begin();
    // The tree and its zero poses are those of the URDF alone: loops of the file are closed at q =
    // 0 and refer to its frames there.
    for (const JointId id : Joints(model_)) joint_names_.Add(model_.joint(id).name);
    tree_ = BuildLinkTree(model_);
    X_WL_ = ZeroPoses(model_, tree_);
    num_joints_ = model_.num_joints();
    FindWelds();
    for (std::size_t i = 0; i < file_.parts.size(); ++i) AddPart(file_.parts[i], i == 0);
    if (already_ > 0)
      Say(Severity::kNote, "submechanisms-loop-known", 0,
          std::to_string(already_) +
              " of its loops are in the URDF too; kinemorph reads those in the URDF");
    if (diagnostics_.num_errors() > errors_before) return false;
    model_.format = "urdf+";
    // Parts say of their joints what they are; a joint in none of them counts as independent.
    model_.unsaid = UnsaidIndependence::kEverywhere;
    return true;
  }

 private:
  std::vector<JointId> JointsNamed(const std::vector<std::string>& names, std::uint32_t line) {
    std::vector<JointId> ids;
    for (const std::string& name : names)
      if (const auto id = Find(joints_, name, "joint", line)) ids.push_back(*id);
    return ids;
  }

  // Links without a joint of one or more coordinates between them.
  void FindWelds() {
    DisjointSets welds(model_.num_links());
    for (const JointId id : Joints(model_)) {
      const Joint& joint = model_.joint(id);
      if (joint.role != JointRole::kLoop && std::holds_alternative<Fixed>(joint.kind))
        (void)welds.Unite(Index(model_.predecessor(id)), Index(model_.successor(id)));
    }
    welded_.resize(model_.num_links());
    for (std::size_t i = 0; i < welded_.size(); ++i) welded_[i] = welds.Find(i);
  }

  // The base of a robot that floats is no joint of a URDF, unless it is drawn as six.
  bool IsFreeFlyer(const Submechanism& part) const {
    return part.active.empty() &&
           std::none_of(part.spanning.begin(), part.spanning.end(),
                        [&](const std::string& name) { return joints_.contains(name); });
  }

  void AddPart(const Submechanism& part, bool first) {
    if (first && IsFreeFlyer(part)) {
      Say(Severity::kNote, "submechanisms-free-flyer", part.line,
          "the free flyer has no joints in the URDF; --base floating frees the base");
      return;
    }
    const std::vector<JointId> spanning = JointsNamed(part.spanning, part.line);
    const std::vector<JointId> independent = JointsNamed(part.independent, part.line);
    const std::vector<JointId> active = JointsNamed(part.active, part.line);
    // The parts divide the joints of the tree: one that is in two of them would be solved for
    // twice.
    std::unordered_set<std::uint32_t> own;
    for (const JointId id : spanning) {
      own.insert(static_cast<std::uint32_t>(id));
      if (!taken_.insert(static_cast<std::uint32_t>(id)).second)
        Say(Severity::kError, "submechanisms-joint-twice", part.line,
            "joint '" + model_.joint(id).name + "' is in two parts, or twice in one");
    }
    Declare(part, spanning, independent, own);
    Drive(part, active, own);
    // What counts is whether the part gained a closure, of any kind: dependent joints that nothing
    // ties are probably not what the author wanted.
    const std::size_t constraints = loops_ + already_ + not_held_;
    for (const SubmechanismLoop& loop : part.loops) AddLoop(loop);
    if (part.loops.empty()) AddImplied(part, spanning);
    const bool closed = loops_ + already_ + not_held_ > constraints || Coupled(part, own);
    if (!closed && spanning.size() > independent.size())
      Say(Severity::kWarning, "submechanisms-closure-unknown", part.line,
          "the part '" + part.contextual_name + "' of type '" + part.type +
              "' does not say how its loops close: write loop_constraints; its " +
              std::to_string(spanning.size() - independent.size()) +
              " dependent joints are left free");
  }

  [[nodiscard]] bool Has(const std::unordered_set<std::uint32_t>& own, JointId id) const {
    return own.contains(static_cast<std::uint32_t>(id));
  }

  void Declare(const Submechanism& part, const std::vector<JointId>& spanning,
               const std::vector<JointId>& independent,
               const std::unordered_set<std::uint32_t>& own) {
    // Dependent is what is not listed as independent. Fixed joints may be in the lists and have no
    // coordinate.
    for (const JointId id : spanning)
      if (NumVelocities(model_.joint(id).kind) > 0) model_.joint(id).independent = false;
    for (const JointId id : independent) {
      if (!Has(own, id))
        Say(Severity::kError, "submechanisms-not-spanning", part.line,
            "joint '" + model_.joint(id).name +
                "' is independent, but not in the spanning tree of its part");
      else if (NumVelocities(model_.joint(id).kind) > 0)
        model_.joint(id).independent = true;
    }
  }

  // A joint that has a drive keeps it.
  void Drive(const Submechanism& part, const std::vector<JointId>& active,
             const std::unordered_set<std::uint32_t>& own) {
    // Drives of the URDF's own transmissions, which have gears and limits, are worth more than a
    // bare name.
    if (driven_.empty()) {
      driven_.assign(model_.num_joints(), false);
      for (const Actuator& actuator : model_.actuators)
        if (actuator.joint != kNoJoint) driven_[Index(actuator.joint)] = true;
    }
    for (const JointId id : active) {
      if (!Has(own, id))
        Say(Severity::kError, "submechanisms-not-spanning", part.line,
            "joint '" + model_.joint(id).name +
                "' is active, but not in the spanning tree of its part");
      if (driven_[Index(id)] || NumVelocities(model_.joint(id).kind) != 1) continue;
      driven_[Index(id)] = true;
      Actuator motor;
      motor.name = model_.joint(id).name + "_motor";
      motor.type = "motor";
      motor.kind = DriveKind::kEffort;
      motor.joint = id;
      motor.where = {file_index_, part.line};
      model_.actuators.push_back(std::move(motor));
    }
  }

  bool IsPlanar(LinkId a, LinkId b, const Vector3& normal_W, std::uint32_t line) {
    const bool planar = IsPlanarPath(model_, tree_, X_WL_, a, b, normal_W, kPlanar, steps_);
    if (steps_ == 0 && !std::exchange(exhausted_, true))
      Say(Severity::kError, "submechanisms-too-large", line, "too many loops over too many joints");
    return planar;
  }

  void AddLoop(const SubmechanismLoop& loop) {
    const auto cut = Find(joints_, loop.cut_joint, "cut joint", loop.line);
    const auto P = Find(links_, loop.predecessor, "link", loop.line);
    const auto S = Find(links_, loop.successor, "link", loop.line);
    if (!cut || !P || !S) return;
    // The published convention: the loop frame is the frame of the link that the cut joint leads
    // to, at zero, projected onto both bodies. It should be one of the two, but some files name
    // another joint.
    const LinkId frame = model_.successor(*cut);
    if (frame != *P && frame != *S)
      Say(Severity::kWarning, "submechanisms-cut-elsewhere", loop.line,
          "the cut joint '" + loop.cut_joint + "' leads neither to '" + loop.predecessor +
              "' nor to '" + loop.successor +
              "'; kinemorph uses the frame of the link that the joint leads to");
    // Two rows of slides leave the loop open in space, and are a hinge where everything moves in
    // their plane: the others would be redundant there.
    const RowsMeaning meaning = MeaningOf(loop.rows);
    std::optional<JointKind> kind = meaning.kind;
    if (meaning.planar_normal &&
        IsPlanar(*P, *S, X_WL_[Index(frame)].R * *meaning.planar_normal, loop.line))
      kind = Revolute{*meaning.planar_normal};
    if (!kind) return NotHeld(loop);
    const std::string name = LoopNameIn(loop.rows);
    Close(name.empty() ? loop.cut_joint + "_loop" : name, *P, *S, frame, *kind, loop.line);
  }

  // Every target loses it, and says so.
  void NotHeld(const SubmechanismLoop& loop) {
    ++not_held_;
    const std::string rows = RowsText(loop.rows);
    Say(Severity::kWarning, "submechanisms-not-held", loop.line,
        "the rows " + rows + " between '" + loop.predecessor + "' and '" + loop.successor +
            "' are not a joint; this loop stays open");
    model_.native.push_back(
        {"", "loop_constraints", {.name = "loop_constraints"}, {file_index_, loop.line}});
  }

  // A loop joint at the origin of a link's frame.
  void Close(const std::string& name, LinkId P, LinkId S, LinkId frame, const JointKind& kind,
             std::uint32_t line) {
    if (P == S) {
      Say(Severity::kError, "self-joint", line,
          "a loop joins link '" + model_.link(P).name + "' to itself");
      return;
    }
    Joint joint;
    // Both poses come from the zero configuration. One is the identity exactly, so that the loop
    // comes back at the origin of a link where it is written again.
    const auto in = [&](LinkId link) {
      return link == frame ? RigidTransform() : X_WL_[Index(link)].inverse() * X_WL_[Index(frame)];
    };
    joint.X_PF = in(P);
    joint.X_SM = in(S);
    joint.kind = kind;
    if (IsKnown(P, S, joint)) {
      ++already_;
      return;
    }
    joint.name = joint_names_.Take(name);
    joint.role = JointRole::kLoop;
    joint.axes.resize(static_cast<std::size_t>(NumAxes(kind)));
    joint.scope = ScopeId{0};
    joint.where = {file_index_, line};
    const std::string key = joint.name;
    joints_.emplace(key, model_.AddJoint(P, S, std::move(joint)));
    ++loops_;
  }

  // Stands in the URDF already: the same kind between the same links.
  [[nodiscard]] bool IsKnown(LinkId P, LinkId S, const Joint& joint) {
    // The map is filled at the first question; the entry of key 0 says that it has been, in a robot
    // without loops too.
    if (between_.empty()) {
      between_.insert({std::uint64_t{0}, kNoJoint});
      for (std::uint32_t i = 0; i < num_joints_; ++i)
        if (model_.joint(JointId{i}).role == JointRole::kLoop)
          between_.insert(
              {PairOf(model_.predecessor(JointId{i}), model_.successor(JointId{i})), JointId{i}});
    }
    const auto [first, last] = between_.equal_range(PairOf(P, S));
    return std::any_of(first, last, [&](const auto& entry) {
      return entry.second != kNoJoint &&
             model_.joint(entry.second).kind.index() == joint.kind.index();
    });
  }
  static std::uint64_t PairOf(LinkId a, LinkId b) {
    const std::uint64_t x = Index(std::min(a, b)), y = Index(std::max(a, b));
    return x << 32 | y;
  }

  // rrPr, 2SPU+1U and 6UPS: the tips of the slides stand on the last link of the other joints.
  void AddImplied(const Submechanism& part, const std::vector<JointId>& spanning) {
    // How many cylinders each type has: one that turns a crank in a plane (rrPr), two SPU legs
    // beside a universal joint, and a Stewart platform.
    const std::size_t legs = part.type == "rrPr"      ? 1
                             : part.type == "2SPU+1U" ? 2
                             : part.type == "6UPS"    ? 6
                                                      : 0;
    if (legs == 0) return;
    // A tip is a joint of the part from whose link no other one goes on, counted through fixed
    // joints: frames and flanges may hang there.
    std::unordered_set<std::uint32_t> left;  // by weld: a joint of the part goes on from there
    for (const JointId id : spanning) left.insert(welded_[Index(model_.predecessor(id))]);
    std::vector<JointId> tips, ends;
    for (const JointId id : spanning) {
      if (left.contains(welded_[Index(model_.successor(id))])) continue;
      const bool slide = std::holds_alternative<Prismatic>(model_.joint(id).kind);
      (slide ? tips : ends).push_back(id);
    }
    if (tips.size() != legs || ends.size() != 1) {
      Say(Severity::kWarning, "submechanisms-closure-unknown", part.line,
          "the part '" + part.contextual_name + "' is of type '" + part.type + "' with " +
              std::to_string(legs) + " cylinder(s) and one other end, but its joints have " +
              std::to_string(tips.size()) + " and " + std::to_string(ends.size()) +
              ": write loop_constraints; its loops stay open");
      ++not_held_;
      return;
    }
    // A leg holds the end link at a point of it. In the plane of a crank slider a hinge is that,
    // with the crank's axis; in space a ball.
    const LinkId end = model_.successor(ends.front());
    for (const JointId tip : tips) {
      const LinkId link = model_.successor(tip);
      std::optional<JointKind> kind = Ball{};
      if (legs == 1) kind = HingeOf(ends.front(), end, link, part.line);
      if (kind) {
        Close(model_.joint(tip).name + "_loop", end, link, link, *kind, part.line);
        Say(Severity::kNote, "submechanisms-closure-implied", part.line,
            "the type '" + part.type + "' of part '" + part.contextual_name +
                "' means that the end of '" + model_.joint(tip).name + "' is attached to link '" +
                model_.link(end).name + "'");
      } else {
        ++not_held_;
        Say(Severity::kWarning, "submechanisms-closure-unknown", part.line,
            "the part '" + part.contextual_name +
                "' of type 'rrPr' does not move in a plane: write loop_constraints; its loop "
                "stays open");
      }
    }
  }

  // About the axis of the crank, seen from the tip.
  std::optional<JointKind> HingeOf(JointId crank, LinkId end, LinkId tip, std::uint32_t line) {
    const Joint& joint = model_.joint(crank);
    const auto* hinge = std::get_if<Revolute>(&joint.kind);
    if (hinge == nullptr) return std::nullopt;
    const Vector3 axis_W = X_WL_[Index(model_.predecessor(crank))].R * joint.X_PF.R * hinge->axis;
    if (!IsPlanar(end, tip, axis_W, line)) return std::nullopt;
    return Revolute{(X_WL_[Index(tip)].R.transpose() * axis_W).normalized()};
  }

  // By mimics or transmissions of the URDF, or of the part's own URDF.
  bool Coupled(const Submechanism& part, const std::unordered_set<std::uint32_t>& own) {
    // By their first term, the one that follows.
    if (follower_.empty()) {
      follower_.assign(model_.num_joints(), false);
      for (const Coupling& coupling : model_.couplings)
        if (!coupling.terms.empty())
          follower_[Index(coupling.terms.front().coordinate.joint)] = true;
    }
    const bool any = std::any_of(own.begin(), own.end(), [&](std::uint32_t id) {
      return id < follower_.size() && follower_[id];
    });
    return any || (part.type == "TRANSMISSION" && CoupledByFile(part));
  }

  bool CoupledByFile(const Submechanism& part) {
    // A transmission may be in the URDF of the part alone, beside the side-car. It is read quietly:
    // what is wrong with that file is no error of the robot's.
    std::string why = "kinemorph cannot open files here";
    std::optional<Resource> resource;
    if (resolver_ != nullptr) resource = resolver_->Open(part.file_path, file_.file, why);
    if (!resource) {
      Say(Severity::kWarning, "submechanisms-part-missing", part.line,
          "the transmission of part '" + part.contextual_name + "' is in '" + part.file_path +
              "', which cannot be opened: " + why);
      return false;
    }
    ReadOptions options;
    options.file_name = resource->path;
    Diagnostics reading;
    const std::optional<Model> other = ReadUrdf(resource->content, options, reading);
    if (!other || reading.has_errors()) {
      Say(Severity::kWarning, "submechanisms-part-missing", part.line,
          "'" + resource->path + "', which has the transmission of part '" + part.contextual_name +
              "', is not a readable URDF");
      return false;
    }
    // Joints are the same by name. A coupling with one that the robot lacks is left out whole, and
    // those by a ratio of links have their meaning in the tree of that file.
    const auto index = static_cast<std::uint32_t>(model_.files.size());
    bool any = false;
    for (Coupling coupling : other->couplings) {
      bool known = true;
      for (CouplingTerm& term : coupling.terms) {
        const auto id = joints_.find(other->joint(term.coordinate.joint).name);
        known = known && id != joints_.end() && Index(id->second) < num_joints_ &&
                NumVelocities(model_.joint(id->second).kind) == 1;
        if (known) term.coordinate.joint = id->second;
      }
      if (!known || coupling.form == CouplingForm::kRatio) continue;
      coupling.where.file = index;
      model_.couplings.push_back(std::move(coupling));
      any = true;
    }
    if (any) model_.files.push_back(resource->path);
    return any;
  }

  const Submechanisms& file_;
  const ResourceResolver* resolver_;
  UniqueNames joint_names_;
  std::unordered_set<std::uint32_t> taken_;
  std::unordered_multimap<std::uint64_t, JointId> between_;  // loop joints of the URDF, by links
  std::vector<bool> driven_, follower_;
  std::vector<std::uint32_t> welded_;  // by link: one of those it is fixed to
  LinkTree tree_;
  std::vector<RigidTransform> X_WL_;
  std::size_t num_joints_ = 0, steps_ = kMostSteps;
  bool exhausted_ = false;
  std::size_t loops_ = 0, already_ = 0, not_held_ = 0;
};

}  // namespace
}  // namespace urdf_format

bool LooksLikeSubmechanisms(std::string_view text) {
  constexpr std::string_view kKey = "submechanisms:";
  for (std::size_t at = text.find(kKey); at != std::string_view::npos; at = text.find(kKey, at + 1))
    if (at == 0 || text[at - 1] == '\n') return true;
  return false;
}

bool AddSubmechanisms(const Submechanisms& file, const ResourceResolver* resolver, Model& model,
                      Diagnostics& diagnostics) {
  return urdf_format::Addition(file, resolver, model, diagnostics).Run();
}

std::vector<std::string> UnknownJoints(const Submechanisms& file, const Model& model,
                                       std::size_t most) {
  std::unordered_set<std::string_view> known;
  for (const JointId id : Joints(model)) known.insert(model.joint(id).name);
  std::vector<std::string> unknown;
  for (const Submechanism& part : file.parts) {
    // The first part may be the floating base, whose joints no URDF has.
    const bool free_flyer = &part == &file.parts.front() && part.active.empty();
    for (const std::string& name : part.spanning) {
      if (free_flyer || known.contains(name)) continue;
      if (unknown.size() == most) return unknown;
      unknown.push_back(name);
    }
  }
  return unknown;
}

}  // namespace kinemorph

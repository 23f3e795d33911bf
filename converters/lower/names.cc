// Pass `names`: legal and unique names, with a map back.
#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "edit/model_edit.h"
#include "kinemorph/formats/gazebo_blocks.h"
#include "kinemorph/graph/base/text.h"
#include "kinemorph/graph/model/elements.h"
#include "kinemorph/graph/model/scope_names.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Naming renames class by class. Which classes share a space of names, and which characters a name
// may have, is the target's rule: identifiers of C (MBS), any that is shown beside a prim (USD), one
// space per scope (SDFormat), or one per class (URDF, MJCF). What was renamed goes into the report, a map from old
// to new, and kept text that names joints follows.

std::string Identifier(const std::string& name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    // One mark per character outside ASCII, not one per byte.
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;
    out += IsLetter(c) || IsDigit(c) || c == '_' ? c : '_';
  }
  if (out.empty() || IsDigit(out[0])) out.insert(0, "_");
  return out;
}

// "a::b" outside a scope becomes "a__b".
std::string WithoutScopeMarks(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == ':' && i + 1 < name.size() && name[i + 1] == ':') {
      out += "__";
      ++i;
    } else {
      out += name[i];
    }
  }
  return out;
}

// Names stand as the text of elements too, where space around them is no part of them, and an end of
// a line within them is a blank.
std::string WithoutSpaceAround(std::string name) {
  constexpr const char* kSpace = " \t\r\n";
  std::replace_if(
      name.begin(), name.end(), [](char c) { return IsSpace(c) && c != ' '; }, '_');
  const std::size_t first = std::min(name.find_first_not_of(kSpace), name.size());
  const std::size_t end = name.find_last_not_of(kSpace) + 1;  // 0 where all is space
  std::fill(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(first), '_');
  std::fill(name.begin() + static_cast<std::ptrdiff_t>(std::max(first, end)), name.end(), '_');
  return name;
}

std::string Reversed(std::string_view text) { return {text.rbegin(), text.rend()}; }

// By the name before, from its end: names in a scope stand behind what they are called in it.
using NewNames = std::map<std::string, std::string>;

// Of what is called so, else of the first that is so in a scope; null where nothing is.
const std::string* NewName(const NewNames& names, std::string_view text) {
  // The keys are reversed, so that names with one ending stand side by side in the map.
  const std::string end = Reversed(text);
  if (const auto whole = names.find(end); whole != names.end()) return &whole->second;
  const auto scoped = names.lower_bound(end + "::");
  return scoped != names.end() && scoped->first.starts_with(end + "::") ? &scoped->second : nullptr;
}

bool IsDunder(std::string_view name) {
  return name.size() >= 4 && name.substr(0, 2) == "__" && name.substr(name.size() - 2) == "__";
}

// A name that SDFormat does not keep for itself.
std::string Unreserved(std::string name, const std::string& suffix) {
  name = WithoutSpaceAround(WithoutScopeMarks(name));
  if (name == "world") return name + suffix;
  return IsDunder(name) ? "x" + name + suffix : name;
}

class Naming {
 public:
  Naming(Model& model, const LowerNames& asked, PassContext& context)
      : model_(model),
        context_(context),
        asked_(asked),
        rule_(asked.rule),
        own_(model.format == context.options.target.format->name) {
    for (std::uint32_t s = 0; s < model.scopes.size(); ++s)
      prefixes_.push_back(PrefixOf(model, ScopeId{s}));
  }

  void Run() {
    for (const LinkId id : Links(model_)) {
      Link& link = model_.link(id);
      Rename(SubjectKind::kLink, link.where, link.name, link.scope, "_link", links_);
    }
    for (const JointId id : Joints(model_)) {
      Joint& joint = model_.joint(id);
      // One without a name in its file gets none, or is not written, where the target has such too.
      if (joint.implicit &&
          (rule_ == NameRule::kPerClass ||
           (rule_ == NameRule::kShared && std::holds_alternative<Free>(joint.kind))))
        continue;
      // Whether joints share the names of links. Loop joints have a space of their own where the
      // format has elements of their own for them.
      const bool apart = rule_ == NameRule::kPerClass || rule_ == NameRule::kPrims ||
                         (rule_ == NameRule::kIdentifiers && own_);
      const bool loops_apart = joint.role == JointRole::kLoop && rule_ != NameRule::kPrims;
      UniqueNames& taken = apart ? (loops_apart ? loops_ : joints_) : links_;
      Rename(SubjectKind::kJoint, joint.where, joint.name, joint.scope, "_joint", taken,
             rule_ == NameRule::kIdentifiers ? ChainSuffixes(joint) : Suffixes());
    }
    for (Frame& frame : model_.frames)
      Rename(SubjectKind::kFrame, frame.where, frame.name, frame.scope, "_frame",
             rule_ == NameRule::kPerClass || rule_ == NameRule::kPrims ? frames_ : links_);
    for (Coupling& c : model_.couplings) {
      if (c.form == CouplingForm::kMimic && rule_ != NameRule::kIdentifiers)
        continue;  // part of its joint
      if (c.name.empty()) c.name = "coupling";
      Rename(SubjectKind::kCoupling, c.where, c.name, ScopeOf(c), "_coupling",
             rule_ == NameRule::kPerClass || rule_ == NameRule::kPrims ? loops_ : links_);
    }
    if (rule_ == NameRule::kIdentifiers || rule_ == NameRule::kPrims) {
      std::string name = model_.name.empty() ? "model" : model_.name;
      if (rule_ == NameRule::kIdentifiers) name = Identifier(name);
      if (name != model_.name) context_.Renamed(SubjectKind::kModel, {}, model_.name, name);
      model_.name = name;
    }
    // When all names are known: text may name what was renamed last.
    FollowNames();
    if (NoSlashes() || rule_ == NameRule::kIdentifiers) RenameParts();
    if (rule_ != NameRule::kShared) return;
    if (model_.scopes.empty() || !model_.scopes[0].is_world) NameTheModel();
    NameParts();
  }

 private:
  // The names of models are as restricted as those of links.
  void NameTheModel() {
    std::string name = WithoutSpaceAround(WithoutScopeMarks(model_.name));
    if (name.empty()) name = "model";
    if (name == "world" || IsDunder(name)) name = "x" + name + "_model";
    if (name == model_.name) return;
    context_.Renamed(SubjectKind::kModel, {}, model_.name, name);
    model_.name = name;
    if (!model_.scopes.empty()) model_.scopes[0].name = name;
  }

  [[nodiscard]] bool NoSlashes() const { return !own_ && !asked_.keep_slashes; }

  // What stands on a link or a joint: without slashes, or, where names are the text of elements,
  // without space around. The writer names shapes and materials apart.
  void RenameParts() {
    const auto rename = [&](SubjectKind kind, const auto& part, std::string& name,
                            UniqueNames* taken = nullptr) {
      std::string wanted = name;
      if (NoSlashes()) std::replace(wanted.begin(), wanted.end(), '/', '_');
      if (rule_ == NameRule::kIdentifiers) wanted = WithoutSpaceAround(std::move(wanted));
      if (wanted == name) return;
      if (taken != nullptr) wanted = taken->Take(wanted);
      context_.Renamed(kind, part.where, name, wanted);
      name = std::move(wanted);
    };
    for (std::uint32_t v = 0; v < model_.num_links(); ++v) {
      Link& link = model_.link(LinkId{v});
      for (Collision& collision : link.collisions)
        rename(SubjectKind::kCollision, collision, collision.name);
      for (Visual& visual : link.visuals) {
        rename(SubjectKind::kVisual, visual, visual.name);
        if (visual.material)
          rename(SubjectKind::kMaterial, *visual.material, visual.material->name);
      }
    }
    UniqueNames sensors, drives;
    for (const Sensor& sensor : model_.sensors) sensors.Add(sensor.name);
    for (Sensor& sensor : model_.sensors) {
      const bool own = sensor.native.format == context_.options.target.format->name;
      if (!own || sensor.name.find('/') == std::string::npos) continue;
      rename(SubjectKind::kSensor, sensor, sensor.name, &sensors);
      SetAttribute(sensor.native.content.attributes, "name", sensor.name);
    }
    for (const Actuator& drive : model_.actuators) drives.Add(drive.name);
    for (Actuator& drive : model_.actuators)
      rename(SubjectKind::kActuator, drive, drive.name, &drives);
  }

  // So are those of what stands on a link. A writer gives names to shapes that have none.
  void NameParts() {
    const auto rename = [&](SubjectKind kind, const auto& part, std::string& name,
                            const char* suffix) {
      std::string wanted = Unreserved(name, suffix);
      if (wanted == name) return;
      context_.Renamed(kind, part.where, name, wanted);
      name = std::move(wanted);
    };
    for (const LinkId id : Links(model_)) {
      for (Visual& visual : model_.link(id).visuals)
        rename(SubjectKind::kVisual, visual, visual.name, "_visual");
      for (Collision& collision : model_.link(id).collisions)
        rename(SubjectKind::kCollision, collision, collision.name, "_collision");
    }
    UniqueNames taken;
    for (const Sensor& sensor : model_.sensors) taken.Add(sensor.name);
    // A sensor's name is its owner's: two links may each have a "camera".
    std::set<std::tuple<LinkId, JointId, std::string>> on_owner;
    for (Sensor& sensor : model_.sensors) {
      if (sensor.native.format != context_.options.target.format->name) continue;
      std::string wanted = Unreserved(sensor.name.empty() ? "sensor" : sensor.name, "_sensor");
      const bool is_new = on_owner.emplace(sensor.link, sensor.joint, wanted).second;
      if (wanted == sensor.name && is_new) continue;
      wanted = taken.Take(wanted);
      context_.Renamed(SubjectKind::kSensor, sensor.where, sensor.name, wanted);
      SetAttribute(sensor.native.content.attributes, "name", wanted);
      sensor.name = std::move(wanted);
    }
  }

  // The innermost that a gearbox can be written in: all its links are below.
  ScopeId ScopeOf(const Coupling& c) const {
    if (c.form != CouplingForm::kGearbox) return kNoScope;
    ScopeId scope = kNoScope;
    for (const LinkId link : {c.successor, c.predecessor, c.reference}) {
      if (link == kNoLink || link == kWorld) continue;
      const ScopeId of = model_.link(link).scope;
      if (scope == kNoScope) scope = of;
      while (scope != kNoScope && !IsBelow(of, scope)) scope = model_.scopes[Index(scope)].parent;
    }
    return scope;
  }
  bool IsBelow(ScopeId scope, ScopeId outer) const {
    while (scope != kNoScope && scope != outer) scope = model_.scopes[Index(scope)].parent;
    return scope == outer;
  }

  // The scope's prefix as the name has it: that of a world's only model is not shown.
  static std::string PrefixIn(const std::string& name, const std::string& prefix) {
    if (name.rfind(prefix, 0) == 0) return prefix;
    const std::size_t top = prefix.find("::");
    const std::string shown = top == std::string::npos ? "" : prefix.substr(top + 2);
    return name.rfind(shown, 0) == 0 ? shown : "";
  }

  using Suffixes = std::vector<std::string>;

  // A joint of several coordinates is a chain: name_1, name_2 ...; the loop joint of a cut has its
  // chain beside it.
  static Suffixes ChainSuffixes(const Joint& joint) {
    const bool loop = joint.role == JointRole::kLoop;
    // Robotran has one joint per coordinate: names of the pieces that the writer will make.
    if (std::holds_alternative<Free>(joint.kind)) return {"_T1", "_T2", "_T3", "_R1", "_R2", "_R3"};
    Suffixes suffixes;
    const int n = std::holds_alternative<Screw>(joint.kind) ? 2 : NumVelocities(joint.kind);
    if (loop) suffixes.emplace_back("_joint");
    for (int i = 1; i <= n && n > 1; ++i)
      suffixes.push_back(std::string(loop ? "_joint_" : "_") + std::to_string(i));
    return suffixes;
  }

  // `also`: the name followed by each of these must be free too.
  void Rename(SubjectKind kind, SourceLocation where, std::string& name, ScopeId scope,
              const char* suffix, UniqueNames& taken, const Suffixes& also = {}) {
    // The name is taken apart: the scope's prefix is kept, its own part is made legal, and a suffix
    // or a number makes it unique.
    std::string prefix;
    std::string own = name;
    if (rule_ == NameRule::kShared && scope != kNoScope && Index(scope) < prefixes_.size()) {
      prefix = PrefixIn(name, prefixes_[Index(scope)]);
      own = name.substr(prefix.size());
    }
    std::string wanted = own.empty() ? std::string(suffix).substr(1) : own;
    if (rule_ == NameRule::kIdentifiers) {
      wanted = Identifier(WithoutScopeMarks(wanted));
      const bool taken_by_mbs = wanted == "base" || wanted == "origin";
      if (taken_by_mbs) wanted += suffix;
    } else if (!asked_.keep_scope_marks) {
      wanted = WithoutScopeMarks(wanted);
    }
    if (NoSlashes()) std::replace(wanted.begin(), wanted.end(), '/', '_');
    // Where kinds have names of their own only a link could be taken for the world.
    const bool beside_links = rule_ != NameRule::kPerClass || kind == SubjectKind::kLink;
    if (asked_.world_is_reserved && beside_links && wanted == "world") wanted += suffix;
    if (rule_ == NameRule::kShared) wanted = WithoutSpaceAround(std::move(wanted));
    if (rule_ == NameRule::kShared && IsDunder(wanted)) wanted = "x" + wanted + suffix;
    wanted.insert(0, prefix);
    if (taken.Has(wanted) && (rule_ != NameRule::kPerClass)) wanted += suffix;
    // The whole family of names must be free, and stays taken.
    const auto clashes = [&](const std::string& stem) {
      return std::any_of(also.begin(), also.end(),
                         [&](const std::string& s) { return taken.Has(stem + s); });
    };
    std::string free = wanted;
    for (int i = 2; clashes(free); ++i) free = wanted + "_" + std::to_string(i);
    free = taken.Take(free);
    for (const std::string& s : also) taken.Add(free + s);
    if (free == name) return;
    context_.Renamed(kind, where, name, free);
    if (kind == SubjectKind::kLink || kind == SubjectKind::kJoint)
      (kind == SubjectKind::kLink ? new_links_ : new_joints_).emplace(Reversed(name), free);
    name = free;
  }

  // Names stand in kept text too. What blocks of ros2_control mean is known; those of a nested model
  // leave out the names of the models around it.
  void FollowNames() {
    if (new_links_.empty() && new_joints_.empty()) return;
    for (NativeData& data : model_.native) FollowIn(data, kNoScope);
    for (std::size_t s = 0; s < model_.scopes.size(); ++s)
      for (NativeData& data : model_.scopes[s].native)
        FollowIn(data, ScopeId{static_cast<std::uint32_t>(s)});
    ForEachNative(model_, [&](const std::vector<NativeData>& list, const auto& owner) {
      for (const NativeData& data : list)
        ForEachIn(data.content, [&](const NativeElement& element) {
          if (element.name == "plugin" && !IsWeldPlugin(data))
            TellOldNames(element, SubjectOf(data, owner()));
        });
    });
  }

  void FollowIn(NativeData& data, ScopeId scope) {
    NameJointsOfControl(data, [&](const std::string& name) {
      // From the innermost scope outwards, as ros2_control is told names without those of the
      // models around.
      std::string prefix = scope == kNoScope ? "" : prefixes_[Index(scope)];
      for (;;) {
        const auto found = new_joints_.find(Reversed(prefix + name));
        if (found != new_joints_.end())
          return found->second.substr(found->second.starts_with(prefix) ? prefix.size() : 0);
        const std::size_t outer = prefix.find("::");
        if (outer == std::string::npos) return name;
        prefix.erase(0, outer + 2);
      }
    });
  }

  void TellOldNames(const NativeElement& plugin, const Subject& subject) {
    std::set<std::string> told;
    const auto look = [&](const std::string& tag, std::string_view text) {
      for (const auto& [kind, names] : {std::pair("joint", &new_joints_), {"link", &new_links_}}) {
        if (text.empty() || LowerCase(tag).find(kind) == std::string::npos) continue;
        const std::string* const to = NewName(*names, text);
        if (to == nullptr || !told.insert(*to).second) continue;
        context_
            .Lose(model_, Feature::kNativeData, subject,
                  "names " + std::string(kind) + " '" + std::string(text) + "', which is called '" +
                      *to + "' in the target",
                  "the text of a plugin stays as it is")
            .weight = Weight::kInterface;
      }
    };
    ForEachIn(plugin, [&](const NativeElement& element) {
      look(element.name, element.Text());
      for (const auto& [name, value] : element.attributes) look(name, value);
    });
  }

  Model& model_;
  PassContext& context_;
  const LowerNames& asked_;
  const NameRule rule_;
  const bool
      own_;  // the source is of the target's format: names of different classes stand as they are
  UniqueNames links_, joints_, loops_, frames_;
  NewNames new_links_, new_joints_;
  std::vector<std::string> prefixes_;
};

}  // namespace

void LowerNames::operator()(Model& model, PassContext& context) const {
  Naming(model, *this, context).Run();
}

}  // namespace kinemorph

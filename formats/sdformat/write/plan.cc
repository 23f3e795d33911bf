// Scopes and names of the text to be written.
#include "write/plan.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "kinemorph/graph/model/subject.h"
#include "sdf_model/description.h"

namespace kinemorph::sdformat {

// Scopes of the model become models of the file, with the names that their members have inside of
// them; links are placed; joints are turned and checked; then everything is dealt out to the model
// that it has to stand in. Each step may refuse; the text of a refused plan is thrown away.
WritePlan::WritePlan(const Model& model, Version version, Loops loops, Diagnostics& diagnostics)
    : model_(model), version_(version), loops_(loops), diagnostics_(diagnostics) {
  PlanScopes();
  PlaceLinks();
  PlanJoints();
  Distribute();
  CheckNames();
}

void WritePlan::Refuse(SourceLocation where, Statement statement) {
  diagnostics_.Add(
      MessageAt(model_, where, Severity::kError, "sdf-not-legal", std::move(statement)));
  legal_ = false;
}

// Nested models exist since 1.5; in a 1.4 file of one model their links are written into it under
// their full names.
void WritePlan::PlanScopes() {
  const bool has_world = !model_.scopes.empty() && model_.scopes[0].is_world;
  if (model_.gravity && !has_world) {
    scopes_.emplace_back();  // gravity has no place outside a world
    scopes_[0].name = "default";
    scopes_[0].is_world = true;
  }
  // How many models a world has, and whether it has something of its own, decides whether names
  // begin with the model's (Builder::Build has the same rule for reading).
  std::size_t tops = 0;
  for (const Scope& scope : model_.scopes) tops += has_world && scope.parent == ScopeId{0} ? 1 : 0;
  bool world_has_own = false;
  for (const Frame& frame : model_.frames)
    world_has_own = world_has_own || (has_world && frame.scope == ScopeId{0});
  planned_of_scope_.assign(model_.scopes.size(), -1);
  for (std::size_t s = 0; s < model_.scopes.size(); ++s) {
    const Scope& scope = model_.scopes[s];
    const int parent = scope.parent == kNoScope ? (scopes_.empty() || scope.is_world ? -1 : 0)
                                                : planned_of_scope_[Index(scope.parent)];
    const bool top = parent < 0 || scopes_[static_cast<std::size_t>(parent)].is_world;
    if (version_ < Version{1, 5} && !top && !scope.is_world) {
      planned_of_scope_[s] = parent;
      // Inside a world readers take such names apart again, and not always correctly.
      if (scopes_[0].is_world)
        Refuse(scope.where,
               {"model", scope.name,
                " is nested in another model of a world, which SDFormat can say since 1.5"});
      continue;
    }
    PlannedScope planned;
    planned.name = scope.name;
    planned.id = ScopeId{static_cast<std::uint32_t>(s)};
    planned.parent = parent;
    planned.is_world = scope.is_world;
    planned.X_WM = scope.X_WM;
    planned.depth = parent < 0 ? 0 : scopes_[static_cast<std::size_t>(parent)].depth + 1;
    // The outermost model adds nothing to names, and neither does the only model of a world.
    // A member of the model arm is called arm::hand where names need it, and hand inside.
    const bool names_members =
        has_world ? !scope.is_world && (!top || tops > 1 || world_has_own) : !top;
    const std::string outer = parent < 0 ? "" : scopes_[static_cast<std::size_t>(parent)].prefix;
    planned.prefix = names_members ? outer + scope.name + "::" : outer;
    planned_of_scope_[s] = static_cast<int>(scopes_.size());
    if (parent >= 0)
      scopes_[static_cast<std::size_t>(parent)].children.push_back(
          static_cast<int>(scopes_.size()));
    scopes_.push_back(std::move(planned));
  }
  // Links without a scope go to the first model; there is one even when the source knows no scopes.
  default_scope_ = -1;
  for (std::size_t s = 0; s < scopes_.size() && default_scope_ < 0; ++s)
    if (!scopes_[s].is_world) default_scope_ = static_cast<int>(s);
  // A model without scopes comes from another format.
  if (default_scope_ < 0 && (model_.num_links() > 1 || scopes_.empty())) {
    PlannedScope planned;
    planned.name = model_.name.empty() ? "model" : model_.name;
    planned.parent = scopes_.empty() ? -1 : 0;
    planned.depth = scopes_.empty() ? 0 : 1;
    default_scope_ = static_cast<int>(scopes_.size());
    if (planned.parent == 0) scopes_[0].children.push_back(default_scope_);
    scopes_.push_back(std::move(planned));
  }
  default_scope_ = std::max(default_scope_, 0);
}

int WritePlan::Planned(ScopeId id) const {
  if (id == kNoScope || Index(id) >= planned_of_scope_.size()) return default_scope_;
  return planned_of_scope_[Index(id)];
}

int WritePlan::CommonScope(int a, int b) const {
  while (a != b) {
    const PlannedScope& sa = scopes_[static_cast<std::size_t>(a)];
    const PlannedScope& sb = scopes_[static_cast<std::size_t>(b)];
    if (sa.depth >= sb.depth)
      a = sa.parent;
    else
      b = sb.parent;
    if (a < 0 || b < 0) return 0;
  }
  return a;
}

std::string WritePlan::Local(int scope, const std::string& full) const {
  const std::string& prefix = scopes_[static_cast<std::size_t>(scope)].prefix;
  return full.compare(0, prefix.size(), prefix) == 0 ? full.substr(prefix.size()) : full;
}

std::optional<std::string> WritePlan::NameFrom(int from, LinkId link) const {
  if (link == kWorld) return "world";
  const int home = ScopeOf(link);
  std::string path;
  // A path from `from` down to the link's model; there is none where `from` does not enclose it.
  for (int s = home; s != from; s = scopes_[static_cast<std::size_t>(s)].parent) {
    if (s < 0 || scopes_[static_cast<std::size_t>(s)].parent < 0) return std::nullopt;
    path = scopes_[static_cast<std::size_t>(s)].name + "::" + path;
  }
  return path + Local(home, model_.link(link).name);
}

// Joints of SDFormat's own making are not written: they come back on reading.
bool WritePlan::IsWritten(JointId id) const {
  const Joint& joint = model_.joint(id);
  // Joints to the world that reading makes by itself: free ones, and the fixed ones of static
  // models.
  if (model_.predecessor(id) != kWorld) return true;
  if (std::holds_alternative<Free>(joint.kind)) return false;
  const ScopeId scope = model_.link(model_.successor(id)).scope;
  for (ScopeId s = scope; joint.implicit && s != kNoScope && Index(s) < model_.scopes.size();
       s = model_.scopes[Index(s)].parent) {
    if (model_.scopes[Index(s)].is_static) return false;
  }
  return true;
}

// A joint stands in the innermost model that encloses both links, and in its own one where that is
// possible.
int WritePlan::HomeOf(JointId id) const {
  const WrittenJoint& written = Written(id);
  const int child = ScopeOf(written.child);
  // A joint to the world stands with its child, since a world can hold joints only from 1.10 on.
  const int common = written.parent == kWorld ? child : CommonScope(ScopeOf(written.parent), child);
  const int wanted = Planned(model_.joint(id).scope);
  const bool encloses = CommonScope(wanted, common) == wanted;
  return encloses && !(scopes_[static_cast<std::size_t>(wanted)].is_world &&
                       !scopes_[static_cast<std::size_t>(common)].is_world)
             ? wanted
             : common;
}

void WritePlan::Distribute() {
  scope_of_link_.assign(model_.num_links(), default_scope_);
  // A link cannot stand in a world itself.
  for (const LinkId link : Links(model_)) {
    int scope = Planned(model_.link(link).scope);
    if (scopes_[static_cast<std::size_t>(scope)].is_world) scope = default_scope_;
    scope_of_link_[Index(link)] = scope;
    scopes_[static_cast<std::size_t>(scope)].links.push_back(link);
  }
  for (const JointId id : Joints(model_)) {
    if (IsWeld(id)) PlanWeld(id);
    if (!IsWritten(id) || IsDrakeLoop(id) || IsWeld(id)) continue;
    const int home = HomeOf(id);
    if (scopes_[static_cast<std::size_t>(home)].is_world && version_ < Version{1, 10}) {
      Refuse(model_.joint(id).where,
             {"joint", model_.joint(id).name,
              " joins two models of a world, which SDFormat can say since 1.10 (--to sdf@1.10)"});
    }
    scopes_[static_cast<std::size_t>(home)].joints.push_back(id);
  }
  // In their own model, or further out where their link is not inside of it.
  for (std::size_t f = 0; f < model_.frames.size(); ++f) {
    const Frame& frame = model_.frames[f];
    int home = Planned(frame.scope);
    if (frame.link != kWorld) home = CommonScope(home, ScopeOf(frame.link));
    scopes_[static_cast<std::size_t>(home)].frames.push_back(f);
  }
  DistributeCouplings();
  if (drake()) DistributeDrake();
  sensors_of_link_.resize(model_.num_links());
  sensors_of_joint_.resize(model_.num_joints());
  // Sensors of other formats were given words of SDFormat by a pass, or are losses.
  for (std::size_t s = 0; s < model_.sensors.size(); ++s) {
    const Sensor& sensor = model_.sensors[s];
    if (sensor.native.format != "sdf") continue;
    if (sensor.joint != kNoJoint)
      sensors_of_joint_[Index(sensor.joint)].push_back(s);
    else if (sensor.link != kNoLink)
      sensors_of_link_[Index(sensor.link)].push_back(s);
  }
  // So were drives.
  for (std::size_t a = 0; a < model_.actuators.size(); ++a) {
    const Actuator& drive = model_.actuators[a];
    if (drive.native.format == "sdf" && drive.joint != kNoJoint)
      scopes_[static_cast<std::size_t>(Planned(model_.joint(drive.joint).scope))].drives.push_back(
          a);
  }
}

// The plugin welds two links of the model that it stands in, as they stand.
void WritePlan::PlanWeld(JointId id) {
  const LinkId tip = model_.predecessor(id), half = model_.successor(id);
  const Joint& joint = model_.joint(id);
  if (!std::holds_alternative<Fixed>(joint.kind) || tip == kWorld || half == kWorld ||
      ScopeOf(tip) != ScopeOf(half))
    Refuse(joint.where,
           {"loop", joint.name, "the plugin of gz sim welds two links of one model only"});
  else
    scopes_[static_cast<std::size_t>(ScopeOf(tip))].welds.push_back(id);
}

void WritePlan::DistributeCouplings() {
  for (std::size_t c = 0; c < model_.couplings.size(); ++c) {
    const Coupling& coupling = model_.couplings[c];
    double constant = coupling.constant;
    for (const CouplingTerm& term : coupling.terms) {
      const Coordinate at = InText(term.coordinate);
      constant -= term.coefficients[0] * Written(at.joint).zero[static_cast<std::size_t>(at.axis)];
    }
    if (coupling.form == CouplingForm::kMimic && coupling.terms.size() == 2) {
      const Coordinate follower = InText(coupling.terms[0].coordinate);
      mimics_.emplace(std::pair{static_cast<std::uint32_t>(Index(follower.joint)), follower.axis},
                      WrittenMimic{InText(coupling.terms[1].coordinate),
                                   0 - coupling.terms[1].coefficients[0], constant});
      if (version_ < Version{1, 11} && !drake())
        Refuse(coupling.where, {"mimic", coupling.name,
                                " needs SDFormat 1.11; write gearbox joints or choose sdf@1.11"});
    } else if (drake() && coupling.form == CouplingForm::kTendon) {
      continue;
    } else if (!drake() && coupling.form == CouplingForm::kGearbox &&
               coupling.predecessor != kNoLink && coupling.successor != kNoLink &&
               coupling.successor != kWorld && coupling.reference != kNoLink &&
               coupling.ratio != 0 && std::abs(constant) <= 1e-12) {
      int home = ScopeOf(coupling.successor);
      for (const LinkId other : {coupling.predecessor, coupling.reference})
        if (other != kWorld) home = CommonScope(home, ScopeOf(other));
      scopes_[static_cast<std::size_t>(home)].gearboxes.push_back(c);
    } else {
      Refuse(coupling.where, {"coupling", coupling.name,
                              " is neither a mimic nor a gearbox; SDFormat has no other"});
    }
  }
}

const WrittenMimic* WritePlan::MimicOf(Coordinate follower) const {
  const auto found =
      mimics_.find({static_cast<std::uint32_t>(Index(follower.joint)), follower.axis});
  return found == mimics_.end() ? nullptr : &found->second;
}

Coordinate WritePlan::InText(Coordinate coordinate) const {
  const WrittenJoint& written = Written(coordinate.joint);
  if (written.exchanged && written.axes.size() == 2) coordinate.axis = 1 - coordinate.axis;
  return coordinate;
}

// Names of one model are unique across links, joints, frames and models; "::" and "__x__" are not
// for the author. Only models that 1.4 dissolves leave their "::" in the names of their members.
void WritePlan::CheckNames() {
  const auto delimiters = [](const std::string& name) {
    int count = 0;
    for (std::size_t at = name.find("::"); at != std::string::npos; at = name.find("::", at + 2))
      ++count;
    return count;
  };
  const auto dissolved = [&](ScopeId id) {
    int count = 0;
    for (ScopeId s = id; s != kNoScope && Index(s) < model_.scopes.size();
         s = model_.scopes[Index(s)].parent) {
      const int planned = planned_of_scope_[Index(s)];
      count += planned >= 0 && scopes_[static_cast<std::size_t>(planned)].id != s ? 1 : 0;
    }
    return count;
  };
  for (std::size_t s = 0; s < scopes_.size(); ++s) {
    const PlannedScope& scope = scopes_[s];
    std::set<std::string> names;
    const auto check = [&](const std::string& name, const char* what, ScopeId home,
                           SourceLocation where) {
      const bool reserved = IsReservedName(name);
      if (name.empty() || reserved)
        Refuse(where,
               {what, name,
                std::string("the name is ") + (reserved ? "reserved" : "empty") + " in SDFormat"});
      if (delimiters(name) > dissolved(home))
        Refuse(where, {what, name, "'::' is not allowed in a name"});
      if (!names.insert(name).second)
        Refuse(where, {what, name, "another element of model '" + scope.name + "' has that name"});
    };
    const int index = static_cast<int>(s);
    for (const LinkId link : scope.links)
      check(Local(index, model_.link(link).name), "link", model_.link(link).scope,
            model_.link(link).where);
    for (const JointId joint : scope.joints)
      check(Local(index, model_.joint(joint).name), "joint", model_.joint(joint).scope,
            model_.joint(joint).where);
    for (const std::size_t f : scope.frames)
      check(Local(index, model_.frames[f].name), "frame", model_.frames[f].scope,
            model_.frames[f].where);
    for (const std::size_t c : scope.gearboxes)
      check(Local(index, model_.couplings[c].name), "gearbox",
            model_.link(model_.couplings[c].successor).scope, model_.couplings[c].where);
    for (const int child : scope.children)
      check(scopes_[static_cast<std::size_t>(child)].name, "model", kNoScope, {});
  }
}

}  // namespace kinemorph::sdformat

// Plugins that hold links together or couple joints, wherever they stand: loop joints and couplings.
#include <algorithm>
#include <array>
#include <cmath>

#include "detachable.h"
#include "kinemorph/formats/gazebo_blocks.h"
#include "kinemorph/formats/native_weight.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/base/text.h"
#include "kinemorph/graph/base/unique_names.h"
#include "sdf_model/builder.h"
#include "sdf_model/drive_words.h"

namespace kinemorph::sdformat {

// Some plugins of Gazebo are constraints in disguise: DetachableJoint welds two links of a model (a
// loop, where they hang together already), mimic plugins make one joint follow another. Those whose
// source is known are read as loop joints and couplings, and their text stays for Gazebo; those
// that are known to do something else are told. Simulators match them by library and class, and so
// does this file.

namespace {

std::string LibraryOf(const xml::Element& plugin) {
  return PluginLibrary(plugin.Attribute("filename", ""));
}

// Its library is the one of welds.
bool IsOfDetachableLibrary(const xml::Element& plugin) {
  return LibraryOf(plugin).ends_with("-detachable-joint-system");
}

// Its class, also with the version that its true name has ("gz::sim::v8::systems::..."), or the
// library alone, whose only class it is.
bool IsDetachableJoint(const xml::Element& plugin) {
  std::string name = plugin.Attribute("name", "");
  if (name.empty()) return IsOfDetachableLibrary(plugin);
  if (const std::size_t at = name.find("::v"); at != std::string::npos) {
    std::size_t end = at + 3;
    while (end < name.size() && IsDigit(name[end])) ++end;
    if (end > at + 3 && name.compare(end, 2, "::") == 0) name.erase(at, end - at);
  }
  return name == xml::kDetachable || name == "ignition::gazebo::systems::DetachableJoint";
}

// Plugins that are known to couple joints, and are not read; with what they do.
struct UnreadPlugin {
  std::string_view library, does;
};
constexpr std::array<UnreadPlugin, 4> kUnread = {{
    {"leo_gz_differential_plugin", "couples two joints by a force"},
    {"roboticsgroup_gazebo_disable_link_plugin", "takes a link out of the simulation"},
    {"pegasus_gazebo_closed_loop_plugin", "closes a loop with a hinge"},
    {"attach-links", "welds two links"},
}};

std::string_view WhatUnreadDoes(const std::string& library) {
  for (const UnreadPlugin& each : kUnread)
    if (each.library == library) return each.does;
  for (const std::string_view word : {"mimic", "underactuated"})
    if (library.find(word) != std::string::npos) return "couples joints";
  return {};
}

// q_follower = multiplier * q_leader + offset.
struct Following {
  std::string leader, follower;
  double multiplier = 1, offset = 0;
};

// The joint says all that the plugin does; its topics are none, or those that our writer gives several
// welds.
bool SaysOnlyEnds(const xml::Element& plugin) {
  for (const xml::Element child : plugin.Children()) {
    const std::string_view name = child.name();
    if (name != "parent_link" && name != "child_model" && name != "child_link" &&
        name != "suppress_child_warning" &&
        !(name.ends_with("_topic") && xml::IsWeldTopic(child.Text())))
      return false;
  }
  return true;
}

double NumberOr(const std::optional<double>& number, double fallback) {
  return number.value_or(fallback);
}

// What a plugin of a known library makes follow what. Copies of the same code have several names.
// The names of the tags are those of roboticsgroup, whose `joint` leads and `mimicJoint` follows;
// of a plugin with <mimic> children, whose text follows; and of PAL's fingers, whose virtual joints
// follow the actuated one. q_follower = multiplier q_leader + offset, in rad or m.
std::vector<Following> FollowingsOf(const xml::Element& plugin) {
  const std::string library = LibraryOf(plugin);
  std::vector<Following> all;
  const bool mimic_library = library.find("mimic") != std::string::npos;
  if (mimic_library && plugin.HasChild("mimicJoint")) {
    all.push_back(
        {plugin.ChildText("joint").value_or(""), plugin.ChildText("mimicJoint").value_or(""),
         NumberOr(plugin.ChildNumber("multiplier"), 1), NumberOr(plugin.ChildNumber("offset"), 0)});
  } else if (mimic_library) {
    for (const xml::Element mimic : plugin.Children("mimic"))
      all.push_back({mimic.Attribute("joint", ""), std::string(mimic.Text()),
                     mimic.Number("multiplier", 1), mimic.Number("offset", 0)});
  } else if (library == "gazebo_underactuated_finger") {
    for (const xml::Element joint : plugin.Children("virtualJoint"))
      all.push_back({plugin.ChildText("actuatedJoint").value_or(""),
                     joint.ChildText("name").value_or(""),
                     NumberOr(joint.ChildNumber("scale_factor"), 1), 0});
  }
  return all;
}

// What the parameters of ros2_control make follow what.
std::vector<Following> FollowingsOfControl(const xml::Element& control) {
  std::vector<Following> all;
  // Here the multiplier stands beside the leader; there is no offset in this dialect.
  for (const xml::Element joint : control.Children()) {
    if (joint.name() != "joint") continue;
    Following following;
    following.follower = joint.Attribute("name", "");
    for (const xml::Element param : joint.Children()) {
      if (param.name() != "param") continue;
      const std::string name = param.Attribute("name", "");
      if (name == "mimic") following.leader = param.Text();
      if (name == "multiplier") following.multiplier = NumberOr(param.TextNumber(), 1);
    }
    if (!following.leader.empty()) all.push_back(std::move(following));
  }
  return all;
}

// Where a joint's coordinate comes from: q = multiplier * q_root + offset.
struct Source {
  JointId root = kNoJoint;
  double multiplier = 1, offset = 0;
};

// Through chains of mimics to the joint that they end at. The count of steps ends a walk in a
// circle.
Source SourceOf(const Model& model, JointId joint) {
  Source source{joint};
  for (std::size_t step = 0; step <= model.couplings.size(); ++step) {
    const auto mimic =
        std::find_if(model.couplings.begin(), model.couplings.end(), [&](const Coupling& coupling) {
          return coupling.form == CouplingForm::kMimic && coupling.terms.size() == 2 &&
                 coupling.terms[0].coordinate.joint == source.root;
        });
    if (mimic == model.couplings.end()) break;
    source.offset += source.multiplier * mimic->constant;
    source.multiplier *= -mimic->terms[1].coefficients[0];
    source.root = mimic->terms[1].coordinate.joint;
  }
  return source;
}

// Multipliers of two spellings of one coupling (mimic and plugin) come from different decimals.
bool AreEqual(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(a)); }

std::string Relation(const std::string& follower, const std::string& leader, double multiplier,
                     double offset) {
  return "'" + follower + "' = " + FormatNumber(multiplier) + " '" + leader + "' + " +
         FormatNumber(offset);
}

bool HasOneCoordinate(const Joint& joint) {
  return NumVelocities(joint.kind) == 1 && !joint.axes.empty();
}

// False: it is not read.
bool TellNoWeld(const xml::Element& plugin, const std::string& why, Severity severity) {
  const Statement said{"plugin", plugin.Attribute("name", ""),
                       "does not weld link '" + plugin.ChildText("parent_link").value_or("") +
                           "' to link '" + plugin.ChildText("child_link").value_or("") +
                           "' here, because " + why + "; kinemorph keeps the plugin as text"};
  if (severity == Severity::kWarning)
    plugin.Warn("weld-not-read", said);
  else
    plugin.Note("weld-not-read", said);
  return false;
}

}  // namespace

void TellWeldOf(const xml::Element& plugin, const std::string& owner) {
  if (plugin.name() == "plugin" && IsDetachableJoint(plugin))
    TellNoWeld(plugin, "it stands at '" + owner + "', and gz sim welds for a model only",
               Severity::kNote);
}

// After all links, joints and mimics, in the order of the file: a plugin may name anything of its
// model.
void Builder::BuildPlugins() {
  for (const PluginItem& item : description_.plugins) {
    NativeData kept = NativeOf(item.element);
    if (item.element.name() == "ros2_control") {
      for (const Following& each : FollowingsOfControl(item.element))
        static_cast<void>(Couple(item, each.leader, each.follower, each.multiplier, each.offset));
    } else if (IsDetachableJoint(item.element)) {
      if (BuildWeld(item)) continue;
    } else if (IsOfDetachableLibrary(item.element)) {
      TellNoWeld(item.element, "its class is not in that library, and gz sim does not load it",
                 Severity::kNote);
    } else if (const std::vector<Following> followings = FollowingsOf(item.element);
               !followings.empty()) {
      // The text stays for the plugin to be written back, and is idle for the account of losses as
      // long as every coupling of it was read.
      kept.idle = true;  // the couplings say it
      for (const Following& each : followings)
        if (!Couple(item, each.leader, each.follower, each.multiplier, each.offset))
          kept.idle = false;
    } else if (BuildDrive(item)) {
      continue;
    } else if (const std::string_view does = WhatUnreadDoes(LibraryOf(item.element));
               !does.empty()) {
      item.element.Warn("plugin-not-read",
                        {"plugin", item.element.Attribute("name", ""),
                         "library '" + LibraryOf(item.element) + "' " + std::string(does) +
                             " in Gazebo; kinemorph does not read that and keeps the plugin as "
                             "text, so that the model moves otherwise"});
    }
    model_.scopes[Index(scope_ids_[static_cast<std::size_t>(item.model)])].native.push_back(
        std::move(kept));
  }
}

// A controller of a joint of one coordinate of its own model; another one stays as text.
bool Builder::BuildDrive(const PluginItem& item) {
  std::string joint;
  NativeData kept = NativeOf(item.element);
  std::optional<Actuator> drive = DriveOfPlugin(std::move(kept.content), joint);
  const std::optional<JointId> id =
      drive ? model_.FindJoint(Shown(item.model, joint)) : std::nullopt;
  if (!id || !HasOneCoordinate(model_.joint(*id)) ||
      model_.joint(*id).scope != scope_ids_[static_cast<std::size_t>(item.model)])
    return false;
  drive->joint = *id;
  drive->name = model_.joint(*id).name;
  drive->where = drive->native.where = item.element.where();
  model_.actuators.push_back(*std::move(drive));
  return true;
}

// The models of that name in the outermost model around `from`, itself and what it holds first; as gz
// sim finds it, by its own name or one with the names of models around it.
std::vector<int> Builder::ModelsNamed(int from, const std::string& name) const {
  const auto is_outermost = [&](int m) {
    const int parent = description_.model(m).parent;
    return parent < 0 || description_.model(parent).is_world;
  };
  const auto outermost = [&](int m) {
    while (!is_outermost(m)) m = description_.model(m).parent;
    return m;
  };
  std::vector<int> below, others;
  for (std::size_t i = 0; i < description_.models.size(); ++i) {
    const int m = static_cast<int>(i);
    const ModelItem& item = description_.model(m);
    // A world is no model to gz sim, and a merged include has no name of its own there.
    if (item.is_world || item.merged || outermost(m) != outermost(from)) continue;
    std::string full = item.name;
    for (int at = m; !is_outermost(at);)
      full = description_.model(at = description_.model(at).parent).name + "::" + full;
    if (full != name && !full.ends_with("::" + name)) continue;
    // Those that the plugin's model holds come before the others, as the search of gz sim begins
    // there.
    (Holds(from, m) ? below : others).push_back(m);
  }
  below.insert(below.end(), others.begin(), others.end());
  return below;
}

bool Builder::Holds(int outer, int model) const {
  while (model >= 0 && model != outer) model = description_.model(model).parent;
  return model == outer;
}

// A weld between a link of the model that holds the plugin and another one of that model, of one that
// it holds, or of one that holds it.
bool Builder::BuildWeld(const PluginItem& item) {
  const xml::Element& plugin = item.element;
  const std::string tip = plugin.ChildText("parent_link").value_or(""),
                    half = plugin.ChildText("child_link").value_or(""),
                    other = plugin.ChildText("child_model").value_or("");
  const auto refuse = [&](Severity severity, const std::string& why) {
    return TellNoWeld(plugin, why, severity);
  };
  // A weld that is not made at the start is no part of the mechanism.
  if (plugin.Child("initial_attach").TextBoolean() == false)
    return refuse(Severity::kNote, "<initial_attach> says that it starts detached");
  const ModelItem& own = description_.name_space(item.model);
  const int home = own.name_space;
  std::vector<int> models =
      other == xml::kOwnModel || other == own.name ? std::vector{home} : ModelsNamed(home, other);
  // A weld to a model beside this one is a gripper's, or a payload's: those are two robots.
  std::erase_if(models, [&](int m) { return !Holds(home, m) && !Holds(m, home); });
  if (models.empty())
    return refuse(Severity::kNote, other.empty() ? "it names no <child_model>"
                                                 : "model '" + other + "' is not '" + own.name +
                                                       "', the one that holds the plugin");
  // Names with models in them are not what gz sim takes for a link.
  const auto find = [&](int model, const std::string& name) {
    const auto found = name.find("::") == std::string::npos && !name.empty()
                           ? model_.FindLink(Shown(model, name))
                           : std::nullopt;
    return found && *found != kWorld ? *found : kNoLink;
  };
  const auto with_link =
      std::find_if(models.begin(), models.end(), [&](int m) { return find(m, half) != kNoLink; });
  const int there = with_link == models.end() ? models.front() : *with_link;
  LinkId T = find(home, tip), H = find(there, half);
  for (const auto& [link, name] : {std::pair(T, tip), std::pair(H, half)})
    if (link == kNoLink)
      return refuse(Severity::kWarning, "the model has no link '" + name + "' of its own");
  if (T == H) return refuse(Severity::kWarning, "both are one link");
  // In the outer one of both models, from a link of its own.
  const bool outwards = there != home && Holds(there, home);
  if (outwards) std::swap(T, H);
  const int outer = outwards ? there : home;
  UniqueNames names;
  for (const JointId id : Joints(model_)) names.Add(model_.joint(id).name);
  Joint weld;
  weld.name = names.Take(Shown(outer, (outwards ? tip : half) + "_weld"));
  weld.kind = Fixed{};
  weld.native_type = "fixed";
  // Welded as they stand at zero: gz sim fixes the relative pose of the first step, so the two
  // frames need not meet.
  weld.X_PF = frames_.Relative(NodeOf(T), NodeOf(H));
  // A weld is where the author cut the loop: the cut stays there.
  weld.cut_hint = true;
  weld.scope = scope_ids_[static_cast<std::size_t>(outer)];
  weld.where = plugin.where();
  weld.native.push_back(NativeOf(plugin));
  weld.native.back().idle = SaysOnlyEnds(plugin);
  model_.AddJoint(T, H, std::move(weld));
  return true;
}

// A coupling that is said already is said once; false where it was not read, which was told.
bool Builder::Couple(const PluginItem& item, const std::string& leader, const std::string& follower,
                     double multiplier, double offset) {
  const xml::Element& said = item.element;
  const Statement subject{std::string(said.name()), said.Attribute("name", ""), ""};
  const std::string relation = Relation(follower, leader, multiplier, offset);
  const auto warn = [&](std::string code, const std::string& problem) {
    said.Warn(std::move(code), {std::string(said.name()), said.Attribute("name", ""),
                                "couples " + relation + ", " + problem});
    return false;
  };
  JointId ends[2] = {kNoJoint, kNoJoint};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string& name = i == 0 ? follower : leader;
    const std::optional<JointId> found = model_.FindJoint(Shown(item.model, name));
    if (!found || !HasOneCoordinate(model_.joint(*found)) || follower == leader)
      return warn("plugin-not-read",
                  "but '" + name +
                      "' is not a joint of one coordinate here; kinemorph does not "
                      "read this coupling");
    ends[i] = *found;
  }
  // Both joints are followed to the ones that they depend on: two spellings of one coupling may go
  // through different leaders.
  const Source of_follower = SourceOf(model_, ends[0]), of_leader = SourceOf(model_, ends[1]);
  if (of_follower.root == of_leader.root) {  // nothing is free between them
    if (AreEqual(of_follower.multiplier, multiplier * of_leader.multiplier) &&
        AreEqual(of_follower.offset, multiplier * of_leader.offset + offset))
      return true;
    // q_f = a r + b and q_l = c r + d, so q_f = (a / c) q_l + b - (a / c) d.
    const double k = of_follower.multiplier / of_leader.multiplier;
    return warn("plugin-contradicts",
                "but elsewhere the file says " +
                    Relation(follower, leader, k, of_follower.offset - k * of_leader.offset) +
                    ", which counts");
  }
  // A second leader would be a second equation for the same coordinate, which no simulator obeys.
  if (of_follower.root != ends[0])
    return warn("plugin-contradicts", "but '" + follower + "' follows '" +
                                          model_.joint(of_follower.root).name +
                                          "' already; kinemorph does not read this coupling");
  Coupling coupling;
  coupling.name = model_.joint(ends[0]).name;
  coupling.form = CouplingForm::kMimic;
  // q_follower - multiplier q_leader = offset.
  coupling.terms = {{{ends[0], 0}, {1, 0, 0, 0}}, {{ends[1], 0}, {-multiplier, 0, 0, 0}}};
  coupling.constant = offset;
  coupling.native_type = said.name() == "plugin" ? kByPlugin : kByRos2Control;
  coupling.where = said.where();
  model_.couplings.push_back(std::move(coupling));
  return true;
}

namespace {

// The joint that leads to the part; kNoJoint where something else is said of the part, or hangs on it.
JointId LeadToPart(const Model& model, JointId weld) {
  const LinkId tip = model.predecessor(weld), half = model.successor(weld);
  const Link& part = model.link(half);
  JointId lead = kNoJoint;
  bool leaf = part.visuals.empty() && part.collisions.empty() && part.native.empty();
  for (const JointId id : Joints(model)) {
    // The part is a leaf: the weld on one side, one joint on the other, and nothing else that names
    // it. Only then does joining it with the link lose nothing.
    const bool leads = model.successor(id) == half;
    if (id == weld || (!leads && model.predecessor(id) != half)) continue;
    leaf = leaf && leads && lead == kNoJoint && model.predecessor(id) != tip &&
           model.joint(id).role != JointRole::kLoop && !model.joint(id).implicit;
    lead = id;
  }
  for (const Sensor& sensor : model.sensors) leaf = leaf && sensor.link != half;
  for (const Actuator& actuator : model.actuators) leaf = leaf && actuator.joint != lead;
  for (const Coupling& coupling : model.couplings)
    for (const CouplingTerm& term : coupling.terms) leaf = leaf && term.coordinate.joint != lead;
  return leaf ? lead : kNoJoint;
}

// The sum is about the common centre of mass, in the axes of the link.
void AddMass(const Link& part, const RigidTransform& X_LP, Link& link) {
  if (!part.inertial) return;
  if (!link.inertial) link.inertial.emplace();
  Inertial moved = *part.inertial;
  moved.X_LI = X_LP * moved.X_LI;
  const SpatialInertia sum =
      link.inertial->mass > 0 ? link.inertial->InLink() + moved.InLink() : moved.InLink();
  link.inertial->mass = sum.mass;
  link.inertial->X_LI = RigidTransform::Translation(sum.p_BoBcm);
  link.inertial->I_I = sum.I_BBcm;
}

}  // namespace

void JoinHalves(Model& model, const std::vector<RigidTransform>& X_WL,
                const std::function<bool(const Link&, const Link&)>& is_part) {
  std::vector<bool> joined(model.num_links(), false), gone(model.num_joints(), false);
  std::vector<std::pair<LinkId, LinkId>> ends;
  for (const JointId id : Joints(model))
    ends.emplace_back(model.predecessor(id), model.successor(id));
  bool any = false;
  for (const JointId weld : Joints(model)) {
    const NativeData* const text = WeldPluginOf(model.joint(weld));
    const auto [tip, half] = std::pair(model.predecessor(weld), model.successor(weld));
    if (text == nullptr || !SaysOnlyWeld(*text) || joined[Index(half)] || joined[Index(tip)] ||
        !is_part(model.link(tip), model.link(half)))
      continue;
    const JointId lead = LeadToPart(model, weld);
    if (lead == kNoJoint) continue;
    // The lead joint closes the loop itself now, at the place on the link where the part's frame
    // was.
    const RigidTransform X_TH = X_WL[Index(tip)].inverse() * X_WL[Index(half)];
    Joint& joint = model.joint(lead);
    joint.role = JointRole::kLoop;
    if (!X_TH.IsNearIdentity(1e-12)) joint.X_SM = X_TH * joint.X_SM;
    AddMass(model.link(half), X_TH, model.link(tip));
    ends[Index(lead)].second = tip;
    any = gone[Index(weld)] = joined[Index(half)] = true;
  }
  if (!any) return;
  model.Reconnect([&](JointId id) { return ends[Index(id)]; });
  static_cast<void>(model.RemoveJoints([&](JointId id) { return gone[Index(id)]; }));
  static_cast<void>(model.RemoveLinks([&](LinkId id) { return joined[Index(id)]; }));
}

}  // namespace kinemorph::sdformat

#include "drake.h"

#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "kinemorph/graph/model/fields.h"
#include "pose_text.h"

// Drake's elements have one meaning and two spellings: names and values as attributes in URDF, as
// text in SDFormat (DrakeForm). Loops are made of points that coincide: one for a ball, two along
// its axis for a hinge, three in a plane for a weld. Reading them back is the work of
// point_joint.h.

namespace kinemorph::xml {
namespace {

// The points of a revolute or fixed loop stand as far apart as joints do on the mean, so that its
// rows are of one size. What no file names may be missing when the text is read again.
double MeanJointDistance(const Model& model) {
  double sum = 0;
  std::size_t count = 0;
  for (const JointId id : Joints(model)) {
    const double length = model.joint(id).implicit ? 0 : model.joint(id).X_PF.p.norm();
    if (length > 0) sum += length, ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : 1;
}

std::string NameOf(const Element& element, DrakeForm form, const char* attribute) {
  return form == DrakeForm::kText ? std::string(element.Text()) : element.Attribute(attribute, "");
}

std::optional<double> ValueOf(const Element& element, DrakeForm form) {
  return form == DrakeForm::kText ? element.TextNumber() : element.Number("value");
}

// No stiffness means that nothing gives, and so does more than any limit holds.
bool Gives(const Element& stiffness, DrakeForm form) {
  if (!stiffness) return false;
  const std::optional<double> value = ParseNumber(NameOf(stiffness, form, "value"));
  if (value && !std::isnan(*value)) return *value < FormatLimits::kNone;
  return ValueOf(stiffness, form).has_value();  // reports what is no number
}

std::string WithoutScope(const std::string& name) {
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

struct FilterGroup {
  const DrakeGroup* where = nullptr;
  std::set<LinkId> members;
  std::vector<std::string> groups, ignored;  // by full names
};
using FilterGroups = std::map<std::string, FilterGroup>;

// Members of the groups that a group has as members are its own, however deep; in a circle too. Each
// group that is visited takes one of `steps`.
std::optional<std::set<LinkId>> MembersOf(const FilterGroups& all, const std::string& name,
                                          std::size_t& steps) {
  std::set<LinkId> members;
  std::set<std::string> seen{name};
  std::vector<std::string> open{name};
  while (!open.empty()) {
    const auto found = all.find(open.back());
    open.pop_back();
    if (found == all.end() || steps-- == 0) return std::nullopt;
    members.insert(found->second.members.begin(), found->second.members.end());
    for (const std::string& inner : found->second.groups)
      if (seen.insert(inner).second) open.push_back(inner);
  }
  return members;
}

}  // namespace

bool DrakeHolds(const JointKind& kind) {
  return std::holds_alternative<Ball>(kind) || std::holds_alternative<Revolute>(kind) ||
         std::holds_alternative<Fixed>(kind);
}

DrakeWriter::DrakeWriter(const Model& model, Writer& out, DrakeForm form, LinkNames links,
                         JointNames joints)
    : model_(model),
      out_(out),
      form_(form),
      links_(std::move(links)),
      joints_(std::move(joints)),
      lever_(MeanJointDistance(model)) {}

void DrakeWriter::WriteName(const std::string& element, const char* attribute,
                            const std::string& name) {
  out_.Open(element);
  if (form_ == DrakeForm::kText)
    out_.Text(name);
  else
    out_.Attribute(attribute, name);
  out_.Close();
}

void DrakeWriter::WriteValue(const std::string& element, const Vector3& value) {
  const Vector3 rounded = value.unaryExpr([](double v) { return Rounded(v); });
  WriteName(element, "value", VectorText(rounded));
}

void DrakeWriter::WriteValue(const std::string& element, double value) {
  WriteName(element, "value", NumberText(value));
}

void DrakeWriter::WritePoint(JointId id, const std::string& suffix, const Vector3& p_F) {
  const Joint& joint = model_.joint(id);
  const std::string tag = "drake:ball_constraint";
  // The same point, once on each body: p_F is given in the joint frame F, which is M when the loop
  // is closed.
  out_.Open(tag).Attribute("name", joints_(id) + suffix);
  WriteName(tag + "_body_A", "name", links_(model_.predecessor(id)));
  WriteName(tag + "_body_B", "name", links_(model_.successor(id)));
  WriteValue(tag + "_p_AP", joint.X_PF * p_F);
  WriteValue(tag + "_p_BQ", joint.X_SM * p_F);
  out_.Close();
}

void DrakeWriter::WriteLoop(JointId id) {
  const JointKind& kind = model_.joint(id).kind;
  // Of a weld no point is the origin, where axes of joints meet as a rule: Drake divides by how much
  // the robot can move the two points apart, and in the middle of a Hooke joint it cannot.
  const bool fixed = std::holds_alternative<Fixed>(kind);
  WritePoint(id, "", fixed ? Vector3(lever_ * Vector3::UnitZ()) : Vector3(Vector3::Zero()));
  if (const auto* revolute = std::get_if<Revolute>(&kind))
    WritePoint(id, "_axis", lever_ * revolute->axis);
  if (!fixed) return;
  WritePoint(id, "_x", lever_ * Vector3::UnitX());
  WritePoint(id, "_y", lever_ * Vector3::UnitY());
}

// Both limits are the one length that the sum of the joints has. Drake asks for all five values,
// and its reader of URDF knows no infinity.
void DrakeWriter::WriteTendon(const Coupling& coupling, const std::string& name) {
  const std::string tag = "drake:tendon_constraint";
  out_.Open(tag).Attribute("name", name);
  for (const CouplingTerm& term : coupling.terms)
    out_.Open(tag + "_joint")
        .Attribute("name", joints_(term.coordinate.joint))
        .Attribute("a", term.coefficients[0])
        .Close();
  WriteValue(tag + "_offset", 0);
  WriteValue(tag + "_lower_limit", coupling.constant);
  WriteValue(tag + "_upper_limit", coupling.constant);
  WriteValue(tag + "_stiffness", FormatLimits::kNone);
  WriteValue(tag + "_damping", 0);
  out_.Close();
}

UniqueNames DrakeWriter::OtherNames() const {
  UniqueNames names;
  const auto take = [&](const std::string& name) { names.Add(WithoutScope(name)); };
  for (std::uint32_t v = 0; v < model_.num_links(); ++v) take(model_.link(LinkId{v}).name);
  for (const JointId id : Joints(model_)) take(model_.joint(id).name);
  for (const Frame& frame : model_.frames) take(frame.name);
  for (const Coupling& coupling : model_.couplings) take(coupling.name);
  for (const Scope& scope : model_.scopes) take(scope.name);
  return names;
}

void DrakeWriter::WriteGroups(const std::vector<ContactExclusion>& pairs) {
  // Drake knows pairs of groups only. Links that the same ones are kept from, by a pair or by a
  // joint, are kept from one another too: they are a group, named after its first link.
  std::map<LinkId, std::set<LinkId>> apart;
  for (const ContactExclusion& pair : pairs)
    for (const LinkId link : {pair.a, pair.b}) apart[link].insert({pair.a, pair.b});
  for (const JointId id : Joints(model_)) {
    const LinkId a = model_.predecessor(id), b = model_.successor(id);
    if (model_.joint(id).role != JointRole::kLoop && apart.contains(a) && apart.contains(b))
      apart[a].insert(b), apart[b].insert(a);
  }
  std::map<std::set<LinkId>, std::vector<LinkId>> alike;
  for (const auto& [link, others] : apart) alike[others].push_back(link);
  std::map<LinkId, LinkId> first_of;
  for (const auto& [others, members] : alike)
    for (const LinkId link : members) first_of[link] = members.front();
  std::map<LinkId, std::set<LinkId>> ignored;  // by first links, noted at the smaller one
  for (const ContactExclusion& pair : pairs) {
    if (pair.a == pair.b) continue;
    const LinkId a = first_of[pair.a], b = first_of[pair.b];
    ignored[std::min(a, b)].insert(std::max(a, b));
    ignored[std::max(a, b)];  // which has to be named
  }
  UniqueNames names = OtherNames();
  std::map<LinkId, std::string> groups;
  for (const auto& [link, others] : ignored)
    groups[link] = names.Take(WithoutScope(links_(link)) + "_contacts");
  for (const auto& [link, others] : ignored) {
    out_.Open("drake:collision_filter_group").Attribute("name", groups[link]);
    for (const LinkId member : alike[apart[link]])
      WriteName("drake:member", "link", links_(member));
    for (const LinkId other : others)
      WriteName("drake:ignored_collision_filter_group", "name", groups[other]);
    out_.Close();
  }
}

// lower <= sum of a q + offset <= upper: a coupling where both limits are one and nothing gives.
DrakeTendon ReadDrakeTendon(const Element& element, DrakeForm form, const Model& model,
                            const std::function<JointId(const std::string&)>& joint_named) {
  const std::string tag = "drake:tendon_constraint";
  const auto value = [&](const char* part) {
    return ValueOf(element.Child(tag + "_" + part), form);
  };
  const auto lower = value("lower_limit"), upper = value("upper_limit");
  DrakeTendon out;
  Coupling& coupling = out.coupling;
  const std::string joint_tag = tag + "_joint";
  for (const Element child : element.Children(joint_tag)) {
    const std::string name = child.Attribute("name", "");
    const JointId joint = joint_named(name);
    if (joint == kNoJoint) {
      out.undefined = name;
      out.wrong = "joint '" + name + "' is not defined";
    } else if (model.joint(joint).role == JointRole::kLoop ||
               NumVelocities(model.joint(joint).kind) != 1) {
      out.wrong = "joint '" + name + "' has no single coordinate";
    } else {
      coupling.terms.push_back({{joint, 0}, {child.Number("a", 1), 0, 0, 0}});
    }
  }
  if (out.wrong.empty() && coupling.terms.empty()) out.wrong = "the element names no joint";
  if (out.wrong.empty() && (!lower || !upper || *lower != *upper))
    out.wrong = "its length may change between two limits, which no coupling says";
  if (out.wrong.empty() && Gives(element.Child(tag + "_stiffness"), form))
    out.wrong = "its stiffness lets it give way, which no coupling does";
  if (!out.wrong.empty()) return out;
  coupling.name = element.Attribute("name", "");
  coupling.form = CouplingForm::kTendon;
  coupling.native_type = tag;
  // sum of a q + offset = limit, with the offset on the other side.
  coupling.constant = *lower - value("offset").value_or(0);
  coupling.where = element.where();
  return out;
}

std::optional<std::vector<ContactExclusion>> ReadDrakeGroups(
    const std::vector<DrakeGroup>& groups, DrakeForm form,
    const std::function<LinkId(const DrakeGroup&, const std::string&)>& link_named) {
  constexpr std::size_t kMostPairs = 100'000, kMostSteps = 100'000;
  // All or nothing: a group that is not understood may be named by another one, so nothing is read
  // of any.
  FilterGroups by_name;
  for (const DrakeGroup& each : groups) {
    if (each.element.Attribute("ignore", "") == "true") continue;  // as if it were not there
    FilterGroup group;
    group.where = &each;
    for (const Element child : each.element.Children()) {
      if (child.name() == "drake:member") {
        const LinkId link = link_named(each, NameOf(child, form, "link"));
        if (link == kNoLink) return std::nullopt;
        group.members.insert(link);
      } else if (child.name() == "drake:member_group") {
        group.groups.push_back(each.prefix + NameOf(child, form, "name"));
      } else if (child.name() == "drake:ignored_collision_filter_group") {
        group.ignored.push_back(each.prefix + NameOf(child, form, "name"));
      } else {
        return std::nullopt;
      }
    }
    const std::string name = each.prefix + each.element.Attribute("name", "");
    const bool empty = group.members.empty() && group.groups.empty();
    if (empty || !by_name.emplace(name, std::move(group)).second) return std::nullopt;
  }
  std::map<std::string, std::set<LinkId>> members;
  std::size_t steps = kMostSteps;
  for (const auto& [name, group] : by_name) {
    const auto own = MembersOf(by_name, name, steps);
    if (!own) return std::nullopt;
    members[name] = *own;
  }
  // Each pair once; the product of two large groups is bounded.
  std::map<std::pair<LinkId, LinkId>, SourceLocation> pairs;
  for (const auto& [name, group] : by_name) {
    for (const std::string& other : group.ignored) {
      const auto found = members.find(other);
      if (found == members.end()) return std::nullopt;
      for (const LinkId a : members[name])
        for (const LinkId b : found->second) {
          if (a != b) pairs.emplace(std::minmax(a, b), group.where->element.where());
          if (pairs.size() > kMostPairs) return std::nullopt;
        }
    }
  }
  std::vector<ContactExclusion> out;
  for (const auto& [pair, where] : pairs) out.push_back({pair.first, pair.second, where});
  return out;
}

std::optional<NativeData> ReadDrakeProximity(const Element& element, DrakeForm form,
                                             Collision& collision) {
  const auto mu = ValueOf(element.Child("drake:mu_static"), form),
             mu2 = ValueOf(element.Child("drake:mu_dynamic"), form);
  // One that is not said is as the other.
  if (mu || mu2) collision.mu = mu ? mu : mu2, collision.mu2 = mu2 ? mu2 : mu;
  NativeData rest = element.Native();
  std::erase_if(rest.content.children, [&](const NativeElement& child) {
    return (child.name == "drake:mu_static" && mu) || (child.name == "drake:mu_dynamic" && mu2);
  });
  element.ConsumeAll();
  const bool more = std::any_of(rest.content.children.begin(), rest.content.children.end(),
                                [](const NativeElement& child) { return child.IsElement(); });
  return more ? std::optional(std::move(rest)) : std::nullopt;
}

}  // namespace kinemorph::xml

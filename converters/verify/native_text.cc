#include "verify/native_text.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "kinemorph/formats/capability_table.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/formats/gazebo_blocks.h"
#include "kinemorph/formats/native_canonical.h"
#include "kinemorph/formats/native_weight.h"
#include "kinemorph/graph/model/elements.h"
#include "kinemorph/graph/model/scope_names.h"
#include "verify/says_all.h"

namespace kinemorph::verify {
namespace {

// Nobody here knows what kept content means, so that it is compared as canonical text, bag against
// bag, owner by owner. What finds no partner at its owner may hang elsewhere, name its files from
// another folder, be spelt otherwise or be part of a longer text: these are tried in turn when all
// owners are done.
const std::vector<NativeData> kNothing;

std::string CouplingKey(const Model& model, const Coupling& coupling) {
  if (!coupling.name.empty() || coupling.terms.empty()) return coupling.name;
  return "of " + model.joint(coupling.terms.front().coordinate.joint).name;
}

bool ZerosSayNothing(const Model& model) {
  Target target;
  std::string version;
  target.format = FindFormat(model.format, version);
  target.options.version = model.format_version;
  return target.format != nullptr && TraitsOf(target).native_zeros_say_nothing;
}

const std::vector<NativeData>& OfInertial(const Link& link) {
  return link.inertial ? link.inertial->native : kNothing;
}

// Of a link or joint that content may name.
bool IsPart(const Subject& owner) {
  using enum SubjectKind;
  return owner.kind != kModel && owner.kind != kWorldModel && owner.kind != kSensor;
}

// Models and scopes together. Joints that they name are called as the report says; a nested model
// leaves out the names of the models around it.
std::vector<NativeData> OfWhole(const Model& model, const LossReport* report) {
  std::unordered_map<std::string, std::string> names;
  if (report != nullptr)
    for (const NameChange& change : report->names)
      if (change.kind == SubjectKind::kJoint) names.emplace(change.from, change.to);
  std::vector<NativeData> whole;
  const auto add = [&](NativeData data, ScopeId scope) {
    NameJointsOfControl(data, [&](const std::string& name) {
      const std::string full = JointNameIn(model, scope, name);
      const auto found = names.find(full);
      return found == names.end() ? full : found->second;
    });
    whole.push_back(std::move(data));
  };
  for (const NativeData& data : model.native) add(data, kNoScope);
  for (std::size_t s = 0; s < model.scopes.size(); ++s)
    for (const NativeData& data : model.scopes[s].native)
      add(data, ScopeId{static_cast<std::uint32_t>(s)});
  return whole;
}

// Attributes as a map; a conversion gives names to the nameless.
bool HasAttributesOf(const NativeElement& x, const NativeElement& y) {
  return std::all_of(x.attributes.begin(), x.attributes.end(), [&](const auto& attribute) {
    const auto same =
        std::find_if(y.attributes.begin(), y.attributes.end(),
                     [&](const auto& other) { return other.first == attribute.first; });
    return same == y.attributes.end() ? attribute.first == "name"
                                      : same->second == attribute.second;
  });
}
bool IsSame(const NativeElement& x, const NativeElement& y) {
  return x.kind == y.kind && x.name == y.name && x.text == y.text && HasAttributesOf(x, y) &&
         HasAttributesOf(y, x) &&
         std::equal(x.children.begin(), x.children.end(), y.children.begin(), y.children.end(),
                    IsSame);
}

// What an element says, by its path: "/physics/ode/limit/cfm" -> "0.1".
using Sayings = std::map<std::string, std::set<std::string>>;
void AddSayings(const NativeElement& element, std::string path, Sayings& sayings) {
  path += "/" + element.name;
  for (const auto& [name, value] : element.attributes) sayings[path + "/@" + name].insert(value);
  const std::string& text = element.text;
  if (!text.empty()) sayings[path].insert(text == "true" ? "1" : text == "false" ? "0" : text);
  for (const NativeElement& child : element.children)
    if (child.IsElement()) AddSayings(child, path, sayings);
}
// Both say something of one thing, and not the same.
bool Contradict(const NativeElement& x, const NativeElement& y) {
  Sayings of_x, of_y;
  AddSayings(x, "", of_x), AddSayings(y, "", of_y);
  return std::any_of(of_x.begin(), of_x.end(), [&](const auto& said) {
    const auto other = of_y.find(said.first);
    return other != of_y.end() && other->second != said.second;
  });
}

// The names of files in it, which are taken out.
std::vector<std::string> TakeFiles(NativeElement& element, std::string_view format) {
  std::vector<std::string> files;
  ForEachIn(element, [&](NativeElement& part) {
    for (auto& [name, value] : part.attributes)
      if (NamesFile(format, name)) files.push_back(std::exchange(value, ""));
  });
  return files;
}

}  // namespace

bool NativeText::SaysTheSame(const NativeData& a, const NativeData& b) {
  return Canonical(a.content, a.format) == Canonical(b.content, b.format);
}

void NativeText::Run(std::vector<Worst>& checks) {
  Compare(OfWhole(*a_.original, options_.report), OfWhole(*b_.original, nullptr),
          SubjectOf(*a_.original));
  CompareLinks();
  CompareJoints();
  CompareCouplings();
  MatchLeftOver();
  AddMade({&native_}, checks);
}

void NativeText::CompareLinks() {
  for (std::uint32_t v = 0; v < a_.model.num_links(); ++v) {
    const LinkId id{v}, other = match_.b_of_a[Index(id)];
    const Link& link = a_.model.link(id);
    const Link* const there = other == kNoLink ? nullptr : &b_.model.link(other);
    Compare(link.native, there == nullptr ? kNothing : there->native, SubjectOf(link));
    Compare(OfInertial(link), there == nullptr ? kNothing : OfInertial(*there), SubjectOf(link));
  }
}

void NativeText::CompareJoints() {
  std::vector<bool> met(b_.model.num_joints(), false);
  for (const JointId id : Joints(a_.model)) {
    const JointId other = relations_.b_of_a[Index(id)];
    const Joint& joint = a_.model.joint(id);
    if (other != kNoJoint) met[Index(other)] = true;
    Compare(joint.native, other == kNoJoint ? kNothing : b_.model.joint(other).native,
            SubjectOf(joint), other != kNoJoint);
  }
  for (const JointId id : Joints(b_.model))
    if (!met[Index(id)])
      Compare(kNothing, b_.model.joint(id).native, SubjectOf(b_.model.joint(id)), false);
}

void NativeText::CompareCouplings() {
  std::unordered_map<std::string, const Coupling*> there;
  for (const Coupling& coupling : b_.model.couplings)
    there.emplace(CouplingKey(b_.model, coupling), &coupling);
  for (const Coupling& coupling : a_.model.couplings) {
    auto found = there.find(CouplingKey(a_.model, coupling));
    // A format without names of its own for couplings calls them by what follows.
    if (found == there.end() && !coupling.terms.empty())
      if (const JointId follower =
              relations_.b_of_a[Index(coupling.terms.front().coordinate.joint)];
          follower != kNoJoint)
        found = there.find(b_.model.joint(follower).name);
    Compare(coupling.native, found == there.end() ? kNothing : found->second->native,
            SubjectOf(a_.model, coupling));
  }
}

// Less what is compared as such: numbers that a field has too, and the name of the link or joint that
// it hangs on, as links merge.
NativeElement NativeText::Said(const NativeData& data, bool hangs_on_part) {
  NativeData rest = data;
  rest.content = Without(data, ContentRole::kInField);
  return Canonical(hangs_on_part ? Without(rest, ContentRole::kOwner) : rest.content, data.format);
}
// That an inertia is computed from shapes, or a joint made by a plugin, is compared as what comes of
// it; of a conversion nobody asks for what has no effect.
bool NativeText::IsCompared(const NativeData& data) const {
  return !data.content.empty() && !SaysOnlyWeld(data) && !(data.idle && Converted()) &&
         (data.element != kComputedInertia || (excuses_.same_format() && !Converted()));
}
// As two bags; what is left over may stand elsewhere in another format.
void NativeText::Compare(const std::vector<NativeData>& a, const std::vector<NativeData>& b,
                         const Subject& owner, bool paired) {
  const bool part = IsPart(owner);
  std::vector<Left> there;
  // The canonical text is the key: order of attributes and white space do not count. The tree is
  // kept for what is matched by parts later.
  std::multimap<std::string, std::size_t> place;
  for (const NativeData& data : b) {
    if (!IsCompared(data)) continue;
    NativeElement said = Said(data, part);
    std::string text = BriefText(said);
    place.emplace(text, there.size());
    there.push_back(
        {std::move(text), std::move(said), SubjectOf(data, owner), owner, data, paired});
  }
  for (const NativeData& data : a) {
    if (!IsCompared(data)) continue;
    NativeElement said = Said(data, part);
    std::string text = BriefText(said);
    const auto found = place.find(text);
    if (found != place.end()) {
      native_.Add(0, owner.name);
      place.erase(found);
    } else {
      if (data.format.empty()) not_used_.push_back(said);
      left_a_.push_back(
          {std::move(text), std::move(said), SubjectOf(data, owner), owner, data, paired});
    }
  }
  for (const auto& [text, i] : place) left_b_.push_back(std::move(there[i]));
}

// Files are called as the folder of the text sees them.
void NativeText::MatchFiles() {
  std::erase_if(left_a_, [&](const Left& left) {
    NativeElement said = left.said;
    const std::vector<std::string> files = TakeFiles(said, left.data.format);
    if (files.empty()) return false;
    const auto same = std::find_if(left_b_.begin(), left_b_.end(), [&](const Left& other) {
      NativeElement other_said = other.said;
      const std::vector<std::string> others = TakeFiles(other_said, other.data.format);
      return other.subject.of == left.subject.of && other_said == said &&
             std::equal(
                 files.begin(), files.end(), others.begin(), others.end(),
                 [&](const std::string& a, const std::string& b) { return SameFile(a, b, *this); });
    });
    if (same == left_b_.end()) return false;
    native_.Add(0, left.owner.name);
    left_b_.erase(same);
    return true;
  });
}

// An orientation may be spelt in several ways; what is spelt in the same way is compared as it
// stands.
void NativeText::MatchSpellings() {
  std::erase_if(left_a_, [&](const Left& left) {
    std::vector<std::string> kinds;
    const NativeElement said = WithoutSpellings(left, kinds);
    const auto same = std::find_if(left_b_.begin(), left_b_.end(), [&](const Left& other) {
      std::vector<std::string> other_kinds;
      if (other.subject.of != left.subject.of || other.said.name != left.said.name) return false;
      const NativeElement other_said = WithoutSpellings(other, other_kinds);
      return Converted() ? IsSame(said, other_said) : said == other_said && kinds != other_kinds;
    });
    if (same == left_b_.end()) return false;
    left_b_.erase(same);
    return true;
  });
}
NativeElement NativeText::WithoutSpellings(const Left& left, std::vector<std::string>& kinds) {
  NativeData data = left.data;
  data.content = left.said;
  return Without(data, ContentRole::kOrientation, &kinds);
}
// A format may demand more than its author wrote: all he wrote is there, in his order, but what
// nobody reads, and what the conversion added is said. The text of a whole source is another one
// where the report says of its mechanism that something changed.
void NativeText::MatchAdditions() {
  const bool zeros = ZerosSayNothing(*a_.original);
  const bool changed = !options_.report->losses.empty() || !options_.report->lowerings.empty();
  std::erase_if(left_a_, [&](const Left& left) {
    const auto more = std::find_if(left_b_.begin(), left_b_.end(), [&](const Left& other) {
      return other.subject.of == left.subject.of &&
             (SaysAllOf(other.said, left.said, zeros, not_used_) ||
              (changed && IsSource(left.data) && IsSource(other.data)));
    });
    if (more == left_b_.end()) return false;
    excuses_.SkipOfB(Feature::kNativeData, more->subject);
    left_b_.erase(more);
    return true;
  });
}
// A conversion may hang it elsewhere; and what has no partner is written as several parts.
void NativeText::MatchElsewhere() {
  const bool any = Converted();
  std::unordered_multimap<std::string, std::size_t> there;
  for (std::size_t i = 0; i < left_b_.size(); ++i)
    if (any || !left_b_[i].paired) there.emplace(left_b_[i].text, i);
  std::vector<bool> taken(left_b_.size(), false);
  std::erase_if(left_a_, [&](const Left& left) {
    const auto found = any || !left.paired ? there.find(left.text) : there.end();
    if (found == there.end()) return false;
    taken[found->second] = true;
    there.erase(found);
    return true;
  });
  std::size_t i = 0;
  std::erase_if(left_b_, [&](const Left&) { return taken[i++]; });
}

// Two formats with words for parts of one element: the attributes that both have are compared, and
// of each side the rest is left over, under the text of the whole.
void NativeText::MatchParts() {
  if (excuses_.same_format()) return;
  const auto key = [](const Left& left) -> std::string {
    const NativeElement& said = left.said;
    const bool plain = said.children.empty() && said.text.empty() && !said.Attribute("name");
    return plain ? left.data.format + " " + said.name + " " + left.subject.of : "";
  };
  std::unordered_map<std::string, Left*> there;
  for (Left& other : left_b_)
    if (std::string of = key(other); !of.empty()) there.emplace(std::move(of), &other);
  const auto without = [](Left& left, const std::set<std::string>& attributes) {
    for (NativeElement* const element : {&left.said, &left.data.content})
      std::erase_if(element->attributes,
                    [&](const auto& attribute) { return attributes.contains(attribute.first); });
    return left.said.attributes.empty();
  };
  std::set<const Left*> gone;
  std::erase_if(left_a_, [&](Left& left) {
    const auto found = there.find(key(left));
    if (found == there.end()) return false;
    Left& other = *found->second;
    std::set<std::string> both;
    for (const auto& [name, value] : left.said.attributes) {
      const std::string* const in_b = other.said.Attribute(name);
      if (in_b == nullptr) continue;
      both.insert(name);
      if (*in_b == value)
        native_.Add(0, left.owner.name);
      else
        native_.Miss(left.subject.of,
                     "A has " + left.said.name + " " + name + " " + value + ", B has " + *in_b);
    }
    if (both.empty()) return false;
    if (without(other, both)) gone.insert(&other);
    return without(left, both);
  });
  std::erase_if(left_b_, [&](const Left& other) { return gone.contains(&other); });
}

// With the last shape that shows a mesh or a material goes what is said of that, where one format
// says it beside its shapes. Whether the shape may go is asked elsewhere.
void NativeText::MatchLooks() {
  if (!Converted() || !excuses_.same_format()) return;
  const auto shown = [](const Model& model) {
    std::set<std::string> names;
    const auto add = [&](const auto& part) {
      if (const Mesh* const mesh = std::get_if<Mesh>(&part.shape)) names.insert(mesh->name);
      if constexpr (requires { part.material; })
        if (part.material) names.insert(part.material->name);
    };
    for (std::uint32_t v = 0; v < model.num_links(); ++v) {
      std::ranges::for_each(model.link(LinkId{v}).visuals, add);
      std::ranges::for_each(model.link(LinkId{v}).collisions, add);
    }
    return names;
  };
  const std::set<std::string> of_a = shown(*a_.original), of_b = shown(*b_.original);
  std::erase_if(left_a_, [&](const Left& left) {
    const std::string* const name = left.data.content.Attribute("name");
    const bool gone = left.owner.kind == SubjectKind::kModel && name != nullptr &&
                      of_a.contains(*name) && !of_b.contains(*name);
    if (gone) excuses_.Except(left.data, left.owner);
    return gone;
  });
}

// Both formats keep it, on the same element, with other values: no format is to blame.
void NativeText::MatchChanged() {
  if (excuses_.same_format()) return;
  std::erase_if(left_a_, [&](const Left& left) {
    const auto changed = std::find_if(left_b_.begin(), left_b_.end(), [&](const Left& other) {
      return other.subject.of == left.subject.of && other.said.name == left.said.name &&
             other.data.format == left.data.format && Contradict(left.said, other.said);
    });
    if (changed == left_b_.end() || excuses_.Take(Feature::kNativeData, left.subject)) return false;
    native_.Miss(left.subject.of,
                 "A has " + left.text.substr(0, 200) + ", B has " + changed->text.substr(0, 200));
    left_b_.erase(changed);
    return true;
  });
}

// From the surest match to the loosest; each takes what it can and leaves the rest to the next, and
// what no match takes is judged.
void NativeText::MatchLeftOver() {
  MatchElsewhere();
  MatchParts();
  MatchFiles();
  MatchSpellings();
  if (excuses_.same_format() && options_.report != nullptr) MatchAdditions();
  MatchChanged();
  MatchLooks();
  for (const Left& left : left_a_) {
    if (excuses_.Take(Feature::kNativeData, left.subject))
      native_.Except(Text(left.subject) + " is missing");
    else if (excuses_.same_format())
      native_.Miss(left.subject.of, "only A has " + left.text.substr(0, 200));
    else
      excuses_.Except(left.data, left.owner);  // no other format takes it: the verdict says it
  }
  for (const Left& left : left_b_) {
    if (WasWritten(left))
      excuses_.SkipOfB(Feature::kNativeData, left.subject);
    else if (excuses_.same_format())
      native_.Miss(left.subject.of, "only B has " + left.text.substr(0, 200));
    else if (!excuses_.TakeOfB(Feature::kNativeData, left.subject))
      excuses_.Except(left.data, left.owner);
  }
}

// The conversion wrote it, and so it would again.
bool NativeText::WasWritten(const Left& left) {
  if (excuses_.written() == nullptr) return false;
  if (written_.empty()) {
    const Model& model = *excuses_.written();
    const auto add = [&](const NativeData& data, bool part) {
      written_.insert(BriefText(Said(data, part)));
    };
    ForEachNative(model, [&](const std::vector<NativeData>& list, const auto& owner) {
      const bool part = IsPart(owner());
      for (const NativeData& data : list) add(data, part);
    });
    for (const Sensor& sensor : model.sensors) add(sensor.native, false);
    for (const Actuator& drive : model.actuators) add(drive.native, true);
  }
  return written_.contains(left.text);
}

}  // namespace kinemorph::verify

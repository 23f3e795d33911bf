// One change of each kind on the B side of a hundred converted real robots: by deletion, by
// movement, by mass. What matters (within B's own format) is noticed across formats, in both
// orders.
#include <gtest/gtest.h>

#include <functional>
#include <iostream>
#include <map>
#include <set>

#include "conversion.h"
#include "kinemorph/converters/verify.h"
#include "kinemorph/graph/base/random.h"
#include "native_xml.h"

namespace kinemorph::test {
namespace {

constexpr int kRobots = 100;
constexpr double kAsked = 0.995;

template <class Items>
auto* AnyOf(Items& items, Random& random) {
  return items.empty()
             ? nullptr
             : &items[static_cast<std::size_t>(random.Below(static_cast<int>(items.size())))];
}
Link* AnyLink(Model& m, Random& random, const std::function<bool(const Link&)>& fits) {
  std::vector<LinkId> links;
  for (const LinkId id : Links(m))
    if (fits(m.link(id))) links.push_back(id);
  const LinkId* const chosen = AnyOf(links, random);
  return chosen == nullptr ? nullptr : &m.link(*chosen);
}
std::optional<JointId> AnyJoint(Model& m, Random& random,
                                const std::function<bool(JointId)>& fits) {
  std::vector<JointId> joints;
  for (const JointId id : Joints(m))
    if (fits(id)) joints.push_back(id);
  const JointId* const chosen = AnyOf(joints, random);
  return chosen == nullptr ? std::nullopt : std::optional<JointId>(*chosen);
}
const Vector3 kAside(0.011, 0.013, 0.017);

// The element that was changed; nothing where there is none of its kind.
using Change = std::function<std::optional<std::string>(Model&, Random&)>;

Change OnLink(const std::function<bool(const Link&)>& fits,
              const std::function<void(Link&)>& make) {
  return [=](Model& m, Random& random) -> std::optional<std::string> {
    Link* const link = AnyLink(m, random, fits);
    if (link == nullptr) return std::nullopt;
    make(*link);
    return link->name;
  };
}
bool OfBase(const Model& m, JointId id) {
  return m.predecessor(id) == kWorld || m.successor(id) == kWorld;
}
// Not of the base: URDF need not say how it stands.
Change OnJoint(const std::function<void(Joint&)>& make) {
  return [=](Model& m, Random& random) -> std::optional<std::string> {
    const auto id = AnyJoint(m, random, [&](JointId joint) { return !OfBase(m, joint); });
    if (!id) return std::nullopt;
    make(m.joint(*id));
    return m.joint(*id).name;
  };
}
Change OnAxis(const std::function<bool(const JointAxis&)>& fits,
              const std::function<void(JointAxis&)>& make) {
  return [=](Model& m, Random& random) -> std::optional<std::string> {
    const auto joint = AnyJoint(m, random, [&](JointId id) {
      return m.joint(id).axes.size() == 1 && fits(m.joint(id).axes[0]);
    });
    if (!joint) return std::nullopt;
    make(m.joint(*joint).axes[0]);
    return m.joint(*joint).name;
  };
}
template <class Item>
Change Removed(std::vector<Item> Model::*list) {
  return [=](Model& m, Random& random) -> std::optional<std::string> {
    Item* const item = AnyOf(m.*list, random);
    if (item == nullptr) return std::nullopt;
    const std::string name = item->name;
    (m.*list).erase((m.*list).begin() + (item - (m.*list).data()));
    return name;
  };
}
bool HasMass(const Link& link) { return link.inertial && link.inertial->mass > 1e-6; }

// The first number of an attribute or a text, made another one.
bool ChangeNumber(std::string& xml) {
  for (std::size_t i = 1; i + 1 < xml.size(); ++i) {
    const char before = xml[i - 1];
    if ((before == '"' || before == '>') && xml[i] >= '1' && xml[i] <= '8') {
      ++xml[i];
      return true;
    }
  }
  return false;
}

const std::map<std::string, Change>& Changes() {
  static const std::map<std::string, Change> kChanges = {
      {"joint removed",
       [](Model& m, Random& random) -> std::optional<std::string> {
         // A part that is fixed to the world may be written without a joint.
         const auto id = AnyJoint(m, random, [&](JointId joint) {
           return !OfBase(m, joint) || !std::holds_alternative<Fixed>(m.joint(joint).kind);
         });
         if (!id) return std::nullopt;
         const std::string name = m.joint(*id).name;
         static_cast<void>(m.RemoveJoints([&](JointId j) { return j == *id; }));
         return name;
       }},
      {"joint moved", OnJoint([](Joint& joint) { joint.X_PF.p += kAside; })},
      {"joint turned", OnJoint([](Joint& joint) {
         joint.X_PF.R = joint.X_PF.R * RotationFromAxisAngle(Vector3(1, 2, 3).normalized(), 0.1);
       })},
      {"mass", OnLink(HasMass, [](Link& link) { link.inertial->mass *= 1.5; })},
      {"centre of mass", OnLink(HasMass, [](Link& link) { link.inertial->X_LI.p += kAside; })},
      {"tensor", OnLink(HasMass, [](Link& link) { link.inertial->I_I *= 1.1; })},
      {"inertial removed", OnLink(HasMass, [](Link& link) { link.inertial.reset(); })},
      {"visual removed", OnLink([](const Link& link) { return !link.visuals.empty(); },
                                [](Link& link) { link.visuals.pop_back(); })},
      {"visual moved", OnLink([](const Link& link) { return !link.visuals.empty(); },
                              [](Link& link) { link.visuals.back().X_LG.p += kAside; })},
      {"collision removed", OnLink([](const Link& link) { return !link.collisions.empty(); },
                                   [](Link& link) { link.collisions.pop_back(); })},
      {"collision moved", OnLink([](const Link& link) { return !link.collisions.empty(); },
                                 [](Link& link) { link.collisions.back().X_LG.p += kAside; })},
      {"collision is a ball",
       OnLink([](const Link& link) { return !link.collisions.empty(); },
              [](Link& link) { link.collisions.back().shape = Sphere{0.0123}; })},
      {"limit", OnAxis([](const JointAxis& axis) { return axis.upper.has_value(); },
                       [](JointAxis& axis) { *axis.upper += 0.1; })},
      {"limits removed", OnAxis([](const JointAxis& axis) { return axis.upper.has_value(); },
                                [](JointAxis& axis) { axis.upper.reset(), axis.lower.reset(); })},
      {"damping", OnAxis([](const JointAxis&) { return true; },
                         [](JointAxis& axis) { axis.damping = axis.damping.value_or(0) + 0.3; })},
      {"friction",
       OnAxis([](const JointAxis&) { return true; },
              [](JointAxis& axis) { axis.friction = axis.friction.value_or(0) + 0.3; })},
      {"effort", OnAxis([](const JointAxis& axis) { return axis.effort.has_value(); },
                        [](JointAxis& axis) { *axis.effort += 3; })},
      {"frame removed", Removed(&Model::frames)},
      {"frame moved",
       [](Model& m, Random& random) -> std::optional<std::string> {
         Frame* const frame = AnyOf(m.frames, random);
         if (frame == nullptr) return std::nullopt;
         frame->X_LF.p += kAside;
         return frame->name;
       }},
      {"sensor removed", Removed(&Model::sensors)},
      {"sensor attribute",
       [](Model& m, Random& random) -> std::optional<std::string> {
         Sensor* const sensor = AnyOf(m.sensors, random);
         if (sensor == nullptr) return std::nullopt;
         std::string text = Xml(sensor->native);
         if (!ChangeNumber(text)) return std::nullopt;
         sensor->native.content = Tree(text);
         return sensor->name;
       }},
      {"exclusion removed", Removed(&Model::contact_exclusions)},
      {"drive removed", Removed(&Model::actuators)},
      {"coupling removed", Removed(&Model::couplings)},
      {"ratio of a coupling",
       [](Model& m, Random& random) -> std::optional<std::string> {
         Coupling* const coupling = AnyOf(m.couplings, random);
         if (coupling == nullptr || coupling->terms.empty()) return std::nullopt;
         coupling->terms.back().coefficients[0] *= 1.2;
         return coupling->name;
       }},
  };
  return kChanges;
}

std::optional<Model> Reread(const Model& model) {
  Target target = TargetNamed(model.format);
  target.options.version = model.format_version;
  Diagnostics diagnostics;
  const Bundle bundle = target.format->write(model, target.options, diagnostics);
  if (bundle.text.empty()) return std::nullopt;
  return ReadText(bundle.text, "changed" + Extension(model.format), diagnostics);
}

// What the verdict names.
using Named = std::multiset<std::string>;
Named NamedIn(const VerifyResult& result) {
  Named named;
  for (const VerifyCheck& check : result.checks) {
    if (check.max_error > check.tolerance) named.insert("differs: " + check.what);
    for (const std::string& excepted : check.excepted) named.insert(excepted);
  }
  for (const VerifyException& exception : result.exceptions)
    for (const Subject& subject : exception.subjects)
      named.insert(std::string(FeatureName(exception.feature)) + " " + Text(subject));
  for (const std::string& row : result.unknown) named.insert(row);
  named.insert(result.line);
  return named;
}

struct ConvertedPair {
  std::string file, target;
  Model a, b;
};

// A real robot, in its own format and in another.
std::optional<ConvertedPair> Pair(const std::string& file, Random& random) {
  static const std::vector<std::string> kTargets = {"urdf+", "sdf@1.11", "mjcf", "mbs"};
  Diagnostics unsaid;
  std::optional<Model> a = ReadFile(file, unsaid);
  if (!a || a->num_links() > 80) return std::nullopt;
  std::string target = kTargets[static_cast<std::size_t>(random.Below(4))];
  if (target.substr(0, 4) == a->format.substr(0, 4)) target = a->format == "mbs" ? "mjcf" : "mbs";
  ConvertOptions options;
  options.target = TargetNamed(target);
  const auto converted = Convert(*a, options, unsaid);
  if (!converted) return std::nullopt;
  std::optional<Model> b =
      ReadText(converted->text, "robot" + Extension(options.target.format->name), unsaid);
  if (!b) return std::nullopt;
  return ConvertedPair{file, target, std::move(*a), std::move(*b)};
}

TEST(DamagedConversions, OfAHundredRealRobotsAreNoticed) {
  if (!std::filesystem::exists(Shared())) GTEST_SKIP() << "../shared/data is absent";
  std::vector<std::string> files =
      FilesBelow(Shared() + "/corpus", {".urdf", ".sdf", ".xml", ".mbs", ".world"});
  const std::vector<std::string> more = FilesBelow(Shared() + "/mbs", {".mbs"});
  files.insert(files.end(), more.begin(), more.end());
  Random random(7);
  VerifyOptions options;
  options.states = 2;
  std::map<std::string, std::pair<int, int>> counts;  // noticed, made
  int robots = 0;
  for (int tries = 0; robots < kRobots && tries < 20 * kRobots; ++tries) {
    const auto pair = Pair(*AnyOf(files, random), random);
    if (!pair) continue;
    const std::optional<Model> unchanged = Reread(pair->b);
    if (!unchanged) continue;
    const VerifyResult before = VerifyEquivalent(pair->a, *unchanged, options);
    const VerifyResult turned = VerifyEquivalent(*unchanged, pair->a, options);
    // Of a robot whose meshes are missing nobody knows the masses: its verdict is open from the start.
    if (std::max(before.verdict, turned.verdict) >= Verdict::kNotProved) continue;
    ++robots;
    for (const auto& [kind, change] : Changes()) {
      Model changed = *unchanged;
      const std::optional<std::string> element = change(changed, random);
      const std::optional<Model> reread = element ? Reread(changed) : std::nullopt;
      if (!reread || VerifyEquivalent(*unchanged, *reread, options).verdict == Verdict::kEquivalent)
        continue;  // it says the same, or cannot be written
      for (const bool other_way : {false, true}) {
        const VerifyResult after = other_way ? VerifyEquivalent(*reread, pair->a, options)
                                             : VerifyEquivalent(pair->a, *reread, options);
        const bool seen = NamedIn(after) != NamedIn(other_way ? turned : before);
        auto& [noticed, made] = counts[kind];
        noticed += seen ? 1 : 0, ++made;
        if (!seen)
          std::cout << "[ missed   ] " << pair->file << " -> " << pair->target << ": " << kind
                    << " of '" << *element << "'" << (other_way ? ", turned round" : "") << ": "
                    << after.short_line << '\n';
      }
    }
  }
  int noticed = 0, made = 0;
  for (const auto& [kind, count] : counts) {
    std::cout << "[ noticed  ] " << kind << ": " << count.first << " of " << count.second << '\n';
    noticed += count.first, made += count.second;
  }
  std::cout << "[ noticed  ] " << noticed << " of " << made << " on " << robots << " robots\n";
  EXPECT_EQ(robots, kRobots);
  EXPECT_GE(noticed, kAsked * made);
}

}  // namespace
}  // namespace kinemorph::test

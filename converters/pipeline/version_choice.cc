#include "pipeline/version_choice.h"

#include <algorithm>
#include <set>
#include <utility>

#include "kinemorph/formats/version.h"
#include "plan/pass.h"

namespace kinemorph {
namespace {

constexpr std::size_t kNamed = 4;  // what needs the version, in a message

bool Differs(Feature feature, const Target& a, const Target& b) {
  const Capability x = CapabilityOf(feature, a), y = CapabilityOf(feature, b);
  return x.support != y.support || x.pass != y.pass || x.note != y.note;
}

// With what the passes that `present` calls for may make of it.
FeatureSet WithIntroduced(FeatureSet present, const Target& target) {
  for (const PassEntry& entry : AllPasses()) {
    bool named = false;
    for (const Feature feature : kFeatures)
      named =
          named || (present[Position(feature)] && CapabilityOf(feature, target).pass == entry.name);
    for (const Feature feature : entry.introduces)
      if (named) present.set(Position(feature));
  }
  return present;
}

std::string NameOf(const Format& format, std::string_view version) {
  return std::string(format.name) + "@" + std::string(version);
}

}  // namespace

ConvertOptions InVersion(ConvertOptions options, std::string_view version) {
  options.target.options.version = version;
  return options;
}

std::vector<std::string_view> NewerVersions(const FeatureSet& present,
                                            const ConvertOptions& options) {
  const Format& format = *options.target.format;
  if (!options.target.options.version.empty() || format.versions.size() < 2) return {};
  const auto number = [](std::string_view v) { return ParseVersion(v).value_or(Version{}); };
  std::vector<std::string_view> newer;
  for (const std::string_view version : format.versions)
    if (number(version) > number(format.versions.front())) newer.push_back(version);
  std::sort(newer.begin(), newer.end(), [&](auto a, auto b) { return number(a) < number(b); });
  const FeatureSet possible = WithIntroduced(present, options.target);
  Target before = options.target;
  std::erase_if(newer, [&](std::string_view version) {
    const Target target = InVersion(options, version).target;
    bool other = false;
    for (const Feature feature : kFeatures)
      other = other || (possible[Position(feature)] && Differs(feature, before, target));
    if (other) before = target;
    return !other;
  });
  return newer;
}

std::vector<const Loss*> MotionLost(const LossReport& report, const ConvertOptions& options) {
  std::vector<const Loss*> lost;
  for (const Loss& loss : report.losses) {
    const bool asked = loss.asked || std::find(options.drop.begin(), options.drop.end(),
                                               loss.feature) != options.drop.end();
    if (loss.weight == Weight::kMotion && !asked) lost.push_back(&loss);
  }
  return lost;
}

void SayVersion(const Model& model, const LossReport& by_default, const LossReport& chosen,
                const ConvertOptions& options, std::string_view version, Diagnostics& diagnostics) {
  const auto key = [](const Loss& loss) { return std::pair(loss.feature, Text(loss.subject)); };
  std::multiset<std::pair<Feature, std::string>> still;
  for (const Loss* loss : MotionLost(chosen, options)) still.insert(key(*loss));
  const Format& format = *options.target.format;
  const Target target = InVersion(options, version).target;
  std::string what;
  std::size_t count = 0;
  std::vector<std::string> notes = {"--to " + NameOf(format, format.versions.front()) +
                                    " insists on the default"};
  for (const Loss* loss : MotionLost(by_default, options)) {
    if (const auto kept = still.find(key(*loss)); kept != still.end()) {
      still.erase(kept);
      continue;
    }
    if (++count <= kNamed) what += (what.empty() ? "" : ", ") + Text(loss->subject);
    const std::string_view note = CapabilityOf(loss->feature, target).note;
    if (!note.empty() && std::find(notes.begin(), notes.end(), note) == notes.end())
      notes.emplace_back(note);
  }
  if (count > kNamed) what += " and " + std::to_string(count - kNamed) + " more";
  diagnostics
      .Add(MakeDiagnostic(
          Severity::kNote, "version-chosen", "", 0, "",
          {"", model.name,
           NameOf(format, version) + " is written, because " +
               NameOf(format, format.versions.front()) + ", the default, cannot hold " + what}))
      .notes = std::move(notes);
}

}  // namespace kinemorph

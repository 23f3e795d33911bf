#include "pipeline/version_choice.h"

#include <algorithm>

#include "kinemorph/formats/version.h"

namespace kinemorph {
namespace {

constexpr std::size_t kNamed = 4;  // what needs the version, in a message

bool Differs(Feature feature, const Target& a, const Target& b) {
  const Capability x = CapabilityOf(feature, a), y = CapabilityOf(feature, b);
  return x.support != y.support || x.pass != y.pass || x.note != y.note;
}

std::string NameOf(const Format& format, std::string_view version) {
  return std::string(format.name) + "@" + std::string(version);
}

}  // namespace

ConvertOptions InVersion(ConvertOptions options, std::string_view version) {
  options.target.options.version = version;
  return options;
}

bool LetsChooseVersion(const ConvertOptions& options) {
  return options.target.options.version.empty() && options.target.format->versions.size() > 1;
}

std::vector<std::string_view> BetterVersions(const Model& model, const VersionFaults& by_default,
                                             const ConvertOptions& options) {
  if (by_default.empty()) return {};
  const Format& format = *options.target.format;
  const auto number = [](std::string_view v) { return ParseVersion(v).value_or(Version{}); };
  std::vector<std::string_view> newer;
  for (const std::string_view version : format.versions)
    if (number(version) > number(format.versions.front())) newer.push_back(version);
  std::sort(newer.begin(), newer.end(), [&](auto a, auto b) { return number(a) < number(b); });
  // What the passes made of the model is lost, a gearbox, or not what this is about.
  FeatureSet matters = FeaturesPresent(model);
  for (const auto& [feature, subject] : by_default.lost) matters.set(Position(feature));
  if (!by_default.gearboxes.empty()) matters.set(Position(Feature::kCouplingMimic));
  Target before = options.target;
  std::erase_if(newer, [&](std::string_view version) {
    const Target target = InVersion(options, version).target;
    const bool other = std::any_of(kFeatures.begin(), kFeatures.end(), [&](Feature feature) {
      return matters[Position(feature)] && Differs(feature, before, target);
    });
    if (other) before = target;
    return !other;
  });
  return newer;
}

VersionFaults FaultsOf(const Lowered& lowered, const ConvertOptions& options) {
  VersionFaults faults;
  for (const Loss& loss : lowered.report.losses) {
    const bool asked = loss.asked || std::find(options.drop.begin(), options.drop.end(),
                                               loss.feature) != options.drop.end();
    if (loss.weight == Weight::kMotion && !asked)
      faults.lost.emplace_back(loss.feature, Text(loss.subject));
  }
  for (const Coupling& coupling : lowered.model.couplings) {
    if (coupling.form != CouplingForm::kGearbox) continue;
    Subject subject = SubjectOf(lowered.model, coupling);
    for (const NameChange& change : lowered.report.names)  // by its name in the source
      if (change.kind == SubjectKind::kCoupling && change.origin == subject.where.origin)
        subject.name = change.from;
    faults.gearboxes.push_back(Text(subject));
  }
  return faults;
}

void SayVersion(const Model& model, const VersionFaults& by_default, const VersionFaults& chosen,
                const ConvertOptions& options, std::string_view version, Diagnostics& diagnostics) {
  const Format& format = *options.target.format;
  const Target target = InVersion(options, version).target;
  const std::string insists = "--to " + NameOf(format, format.versions.front());
  std::vector<std::string> notes = {insists + " insists on the default"};
  const auto note = [&](Feature feature) {
    const std::string_view of = CapabilityOf(feature, target).note;
    if (!of.empty() && std::find(notes.begin(), notes.end(), of) == notes.end())
      notes.emplace_back(of);
  };
  // Those of the default that the chosen one does not share, the first few by name.
  const auto without = [](auto all, const auto& kept) {
    for (const auto& each : kept)
      if (const auto found = std::find(all.begin(), all.end(), each); found != all.end())
        all.erase(found);
    return all;
  };
  const auto listed = [](const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kNamed); ++i)
      text += (i > 0 ? ", " : "") + names[i];
    if (names.size() > kNamed) text += " and " + std::to_string(names.size() - kNamed) + " more";
    return text;
  };
  std::vector<std::string> lost;
  for (const auto& [feature, subject] : without(by_default.lost, chosen.lost)) {
    lost.push_back(subject);
    note(feature);
  }
  const std::vector<std::string> gearboxes = without(by_default.gearboxes, chosen.gearboxes);
  if (!gearboxes.empty()) note(Feature::kCouplingMimic);
  std::string why = lost.empty() ? "" : "cannot hold " + listed(lost);
  if (!gearboxes.empty())
    why += (why.empty() ? "" : " and ") + ("holds " + listed(gearboxes)) +
           (gearboxes.size() == 1 ? " as a gearbox" : " as gearboxes");
  diagnostics
      .Add(MakeDiagnostic(Severity::kNote, "version-chosen", "", 0, "",
                          {"", model.name,
                           NameOf(format, version) + " is written, because " +
                               NameOf(format, format.versions.front()) + ", the default, " + why}))
      .notes = std::move(notes);
}

}  // namespace kinemorph

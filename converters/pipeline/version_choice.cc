#include "pipeline/version_choice.h"

#include <algorithm>

#include "kinemorph/formats/version.h"

namespace kinemorph {
namespace {

constexpr std::size_t kNamed = 4;  // what needs the version, in a message

std::string NameOf(const Format& format, std::string_view version) {
  return std::string(format.name) + "@" + std::string(version);
}

}  // namespace

ConvertOptions InVersion(ConvertOptions options, std::string_view version) {
  options.target.options.version = version;
  return options;
}

// The default version stands first in the table and is not the oldest one: older ones are not
// tried.
std::vector<std::string_view> NewerVersions(const ConvertOptions& options) {
  const Format& format = *options.target.format;
  if (!options.target.options.version.empty() || format.versions.size() < 2) return {};
  const auto number = [](std::string_view v) { return ParseVersion(v).value_or(Version{}); };
  std::vector<std::string_view> newer;
  for (const std::string_view version : format.versions)
    if (number(version) > number(format.versions.front())) newer.push_back(version);
  std::sort(newer.begin(), newer.end(), [&](auto a, auto b) { return number(a) < number(b); });
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
  // A gearbox of SDFormat says the same as a mimic and is simulated by fewer engines: a fault, and
  // a lighter one than a loss (the order of operator<).
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

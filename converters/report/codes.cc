#include "kinemorph/converters/codes.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "kinemorph/formats/capability_table.h"
#include "kinemorph/graph/base/text.h"

namespace kinemorph {
namespace {

// The explanations of `kinemorph explain` are tables of text, compiled in: whoever changes a
// message edits one line of them. Codes of losses and refusals are made from the capability table
// instead.

// One code a line: `code | meaning | remedy | example`, the last two may be missing.
constexpr std::string_view kTable =
#include "report/codes.inc"
    ;

// Messages as they are said, `code | example`, for codes that the table above gives none.
constexpr std::string_view kExamples =
#include "report/examples.inc"
    ;

// Why a message matters and when it does not, `code | why | when to ignore it`.
constexpr std::string_view kReasons =
#include "report/reasons.inc"
    ;

// The area of the codes that begin so; the first that fits counts. Areas are for people who look
// for a message whose code they do not know.
struct CodePrefix {
  std::string_view prefix, area;
};
constexpr CodePrefix kPrefixes[] = {
    {"loss-", "losses"},
    {"target-refuses-", "refusals"},
    {"verify-", "proof"},
    {"simulate-", "simulation"},
    {"motion-", "simulation"},
    {"lint-", "lint"},
    {"batch-", "batch"},
    {"prune-", "batch"},
    {"report-", "batch"},
    {"export-", "export"},
    {"fmu-", "export"},
    {"output-frame-", "export"},
    {"armature-", "export"},
    {"xacro-", "xacro"},
    {"template-", "xacro"},
    {"usd-", "usd"},
    {"submechanisms-", "sidecars"},
    {"frame-pairs-", "sidecars"},
    {"side-car-", "sidecars"},
    {"side-cars-", "sidecars"},
    {"hyrodyn-", "sidecars"},
    {"gazebo-", "gazebo"},
    {"gepetto-", "sidecars"},
    {"srdf-", "sidecars"},
    {"hardware-plugin-", "sidecars"},
    {"yaml-", "sidecars"},
    {"xml-", "text"},
    {"bad-", "text"},
    {"number-", "text"},
    {"element-unknown", "text"},
    {"not-used", "text"},
    {"dialect", "text"},
    {"mesh", "shapes"},
    {"geom", "shapes"},
    {"shape", "shapes"},
    {"texture", "shapes"},
    {"material", "shapes"},
    {"resource", "shapes"},
    {"asset", "shapes"},
    {"plane-", "shapes"},
    {"scene-", "shapes"},
    {"mjcf-", "mjcf"},
    {"compiler-", "mjcf"},
    {"default-", "mjcf"},
    {"attach-", "mjcf"},
    {"composite-", "mjcf"},
    {"flexcomp-", "mjcf"},
    {"replicate-", "mjcf"},
    {"section-", "mjcf"},
    {"site-", "mjcf"},
    {"freejoint-", "mjcf"},
    {"include-", "files"},
    {"file-", "files"},
    {"format-", "files"},
    {"version-", "files"},
    {"package-", "files"},
    {"side-file", "files"},
    {"strict-", "losses"},
    {"loop", "loops"},
    {"cut-", "loops"},
    {"coupling", "loops"},
    {"mimic", "loops"},
    {"gearbox", "loops"},
    {"constraint", "loops"},
    {"equality", "loops"},
    {"connects", "loops"},
    {"tendon", "loops"},
    {"transmission", "loops"},
    {"independent", "loops"},
    {"natures-", "loops"},
    {"user-constraint-", "loops"},
    {"root-cluster", "loops"},
    {"inertia", "inertia"},
    {"mass-", "inertia"},
    {"negative-mass", "inertia"},
    {"gravity", "inertia"},
    {"joint", "joints"},
    {"axis", "joints"},
    {"axes-", "joints"},
    {"limit", "joints"},
    {"base-fixed", "joints"},
    {"base-free", "joints"},
    {"ball-", "joints"},
    {"screw-", "joints"},
    {"continuous-", "joints"},
    {"actuator", "joints"},
    {"link-", "joints"},
    {"two-parents", "joints"},
    {"several-roots", "joints"},
    {"world-", "joints"},
    {"name", "names"},
    {"duplicate-", "names"},
    {"unknown-", "names"},
    {"illegal-name", "names"},
    {"empty-name", "names"},
    {"reserved-name", "names"},
    {"missing-name", "names"},
};

std::string AreaOf(const CodeEntry& entry) {
  // Defects are known by their remedy, whatever their code begins with.
  if (entry.remedy.starts_with("This is a defect of kinemorph")) return "defects";
  for (const auto& [prefix, area] : kPrefixes)
    if (entry.code.starts_with(prefix)) return std::string(area);
  return "other";
}

// Cells end at " |": a bar inside of a word stays.
std::string NextCell(std::string_view& line) {
  const std::size_t bar = line.find(" |");
  std::string cell(line.substr(0, bar));
  line.remove_prefix(bar == std::string_view::npos ? line.size() : bar + 2);
  cell.erase(0, cell.find_first_not_of(' '));
  return cell;
}

CodeEntry Entry(std::string code, std::string meaning, std::string remedy) {
  CodeEntry entry;
  entry.code = std::move(code);
  entry.meaning = std::move(meaning);
  entry.remedy = std::move(remedy);
  return entry;
}

// "urdf+, sdf@1.9": the formats, or some of their columns of the table, that never hold a feature.
std::string NeverIn(Feature feature) {
  std::string names;
  const auto add = [&](std::string_view name) {
    names.append(names.empty() ? "" : ", ").append(name);
  };
  const std::vector<TableColumn>& columns = TableColumns();
  // Columns of one format stand side by side in the table: a format whose columns all lose a
  // feature is named once, else its columns by title.
  const auto loses = [&](const TableColumn& column) {
    return CapabilityOf(feature, column.target).support == Support::kLost;
  };
  for (auto first = columns.begin(); first != columns.end();) {
    const Format* const format = first->target.format;
    const auto last = std::find_if(first, columns.end(),
                                   [&](const TableColumn& c) { return c.target.format != format; });
    if (std::all_of(first, last, loses))
      add(format->name);
    else
      for (; first != last; ++first)
        if (loses(*first)) add(first->title);
    first = last;
  }
  return names;
}

// What helps against a loss, other than to accept it; nothing where that depends on the target.
std::string HelpAgainst(Feature feature) {
  if (feature == Feature::kMotor || feature == Feature::kServo || feature == Feature::kActuator)
    return "--actuators motor writes motors, --gains KP,KD servos, where the target has them; ";
  if (feature == Feature::kUnknownMass)
    return "--package NAME=DIR finds the mesh, or write the mass into the source; ";
  if (feature == Feature::kMasslessLink) return "--massless KG chooses the mass; ";
  if (feature == Feature::kShapeMesh)
    return "--copy-assets DIR --convert-meshes makes meshes that the target reads; ";
  return "";
}

// Each feature of the capability table makes two codes, so that a new feature has its explanation
// without anybody writing one.
void AddFeatures(std::vector<CodeEntry>& codes) {
  for (const Feature feature : kFeatures) {
    const std::string name(FeatureName(feature)), title(FeatureTitle(feature));
    const std::string lost = NeverIn(feature);
    codes.push_back(Entry("loss-" + name,
                          title + ": the target does not hold this, or not in this combination" +
                              (lost.empty() ? "" : " (never in " + lost + ")"),
                          HelpAgainst(feature) + "--drop " + name +
                              " accepts the loss; --strict forbids the conversion"));
    codes.push_back(Entry("target-refuses-" + name,
                          title + ": the target would describe another mechanism, so kinemorph "
                                  "writes nothing",
                          "change the source, or choose another target or profile"));
  }
}

std::unordered_map<std::string, std::pair<std::string, std::string>> ByCode(
    std::string_view table) {
  std::unordered_map<std::string, std::pair<std::string, std::string>> cells;
  while (!table.empty()) {
    std::string_view line = table.substr(0, table.find('\n'));
    table.remove_prefix(std::min(line.size() + 1, table.size()));
    const std::string code = NextCell(line);
    std::string first = NextCell(line), second = NextCell(line);
    if (!code.empty()) cells.emplace(code, std::pair(std::move(first), std::move(second)));
  }
  return cells;
}

// What can be said of a loss by its weight alone.
void AddReasonOfWeight(CodeEntry& entry) {
  Feature feature{};
  if (!entry.why.empty() || !entry.code.starts_with("loss-") ||
      !FeatureFromName(entry.code.substr(5), feature))
    return;
  switch (RowOf(feature).weights.own) {
    case Weight::kMotion:
      entry.why = "This loss changes how the robot moves.";
      return;
    case Weight::kInterface:
      entry.why = "Programs that use the lost data do not find the data. The motion is the same.";
      entry.ignore = "Ignore this loss if no program of yours uses the data.";
      return;
    case Weight::kLooks:
      entry.why = "The robot looks different. The motion is the same.";
      entry.ignore = "Ignore this loss if the looks do not matter to you.";
      return;
  }
}

void AddExamplesAndReasons(std::vector<CodeEntry>& codes) {
  const auto examples = ByCode(kExamples), reasons = ByCode(kReasons);
  for (CodeEntry& entry : codes) {
    const auto example = examples.find(entry.code);
    // The meaning's own example counts before that of the list of examples.
    if (entry.example.empty() && example != examples.end()) entry.example = example->second.first;
    const auto reason = reasons.find(entry.code);
    if (reason != reasons.end()) std::tie(entry.why, entry.ignore) = reason->second;
    AddReasonOfWeight(entry);
    entry.area = AreaOf(entry);
  }
}

std::vector<CodeEntry> Read() {
  std::vector<CodeEntry> codes;
  std::string_view rest = kTable;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.empty()) continue;
    CodeEntry entry;
    entry.code = NextCell(line);
    entry.meaning = NextCell(line);
    entry.remedy = NextCell(line);
    entry.example = NextCell(line);
    codes.push_back(std::move(entry));
  }
  AddFeatures(codes);
  AddExamplesAndReasons(codes);

  // Sorted for FindCode.
  std::sort(codes.begin(), codes.end(),
            [](const CodeEntry& a, const CodeEntry& b) { return a.code < b.code; });
  return codes;
}

}  // namespace

// Once, on first use: a command that says nothing does not pay for it.
const std::vector<CodeEntry>& AllCodes() {
  static const std::vector<CodeEntry> kCodes = Read();
  return kCodes;
}

const std::vector<CodeArea>& CodeAreas() {
  static const std::vector<CodeArea> kAreas = {
      {"losses", "what a target format cannot hold"},
      {"proof", "what verify and --verify found"},
      {"joints", "joints, axes, limits, motors and the base"},
      {"loops", "loops, couplings, mimic joints and independent joints"},
      {"inertia", "masses, inertias and gravity"},
      {"shapes", "visuals, collisions, meshes and materials"},
      {"files", "files, formats, versions and includes"},
      {"names", "names that are missing, wrong or used twice"},
      {"text", "mistakes in the text of a file"},
      {"lint", "probable mistakes that lint finds"},
      {"simulation", "what simulate says"},
      {"xacro", "xacro files and templates"},
      {"sidecars", "files beside a URDF: HyRoDyn, Gepetto, SRDF, CAD exporters"},
      {"gazebo", "Gazebo, and its blocks in a URDF"},
      {"mjcf", "MJCF alone"},
      {"usd", "USD alone"},
      {"batch", "what batch says"},
      {"export", "equations of motion, FMU and ROS 2 packages"},
      {"refusals", "models that a target would take for another one"},
      {"other", "the rest"},
      {"defects", "defects of kinemorph"},
  };
  return kAreas;
}

std::vector<const CodeEntry*> CodesWith(std::string_view words) {
  std::vector<const CodeEntry*> found;
  for (const CodeEntry& entry : AllCodes()) {
    const std::string text = LowerCase(entry.code + "\n" + entry.meaning + "\n" + entry.remedy +
                                       "\n" + entry.why + "\n" + entry.ignore);
    bool all = true, any = false;
    // Every word must be found somewhere in what is known of the code.
    for (std::string_view rest = Trimmed(words); all && !rest.empty(); rest = Trimmed(rest)) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(word.size());
      all = text.find(LowerCase(word)) != std::string::npos;
      any = true;
    }
    if (all && any) found.push_back(&entry);
  }
  return found;
}

const CodeEntry* FindCode(std::string_view code) {
  const std::vector<CodeEntry>& codes = AllCodes();
  const auto found = std::lower_bound(
      codes.begin(), codes.end(), code,
      [](const CodeEntry& entry, std::string_view key) { return entry.code < key; });
  return found == codes.end() || found->code != code ? nullptr : &*found;
}

}  // namespace kinemorph

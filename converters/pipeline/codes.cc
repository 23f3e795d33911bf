#include "kinemorph/converters/codes.h"

#include <algorithm>
#include <unordered_map>

#include "kinemorph/formats/capability_table.h"

namespace kinemorph {
namespace {

// One code a line: `code | meaning | remedy | example`, the last two may be missing.
constexpr std::string_view kTable =
#include "pipeline/codes.inc"
    ;

// Messages as they are said, `code | example`, for codes that the table above gives none.
constexpr std::string_view kExamples =
#include "pipeline/examples.inc"
    ;

std::string NextCell(std::string_view& line) {
  const std::size_t bar = line.find(" |");
  std::string cell(line.substr(0, bar));
  line.remove_prefix(bar == std::string_view::npos ? line.size() : bar + 2);
  cell.erase(0, cell.find_first_not_of(' '));
  return cell;
}

// "urdf+, sdf@1.9": the formats, or some of their columns of the table, that never hold a feature.
std::string NeverIn(Feature feature) {
  std::string names;
  const auto add = [&](std::string_view name) {
    names.append(names.empty() ? "" : ", ").append(name);
  };
  const std::vector<TableColumn>& columns = TableColumns();
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

void AddFeatures(std::vector<CodeEntry>& codes) {
  for (const Feature feature : kFeatures) {
    const std::string name(FeatureName(feature)), title(FeatureTitle(feature));
    const std::string lost = NeverIn(feature);
    codes.push_back({"loss-" + name,
                     title + ": the target does not hold it, or not in this combination" +
                         (lost.empty() ? "" : " (never in " + lost + ")"),
                     "--drop " + name + " says that the loss is meant; --strict forbids it",
                     {}});
    codes.push_back(
        {"target-refuses-" + name,
         title + ": the target would take the model for another one, so nothing is " + "written",
         "change the source, or choose another target or profile",
         {}});
  }
}

void AddExamples(std::vector<CodeEntry>& codes) {
  std::unordered_map<std::string, std::string> examples;
  for (std::string_view rest = kExamples; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    std::string code = NextCell(line);
    if (!code.empty()) examples.emplace(std::move(code), NextCell(line));
  }
  for (CodeEntry& entry : codes)
    if (const auto found = examples.find(entry.code);
        entry.example.empty() && found != examples.end())
      entry.example = found->second;
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
  AddExamples(codes);
  std::sort(codes.begin(), codes.end(),
            [](const CodeEntry& a, const CodeEntry& b) { return a.code < b.code; });
  return codes;
}

}  // namespace

const std::vector<CodeEntry>& AllCodes() {
  static const std::vector<CodeEntry> kCodes = Read();
  return kCodes;
}

const CodeEntry* FindCode(std::string_view code) {
  const std::vector<CodeEntry>& codes = AllCodes();
  const auto found = std::lower_bound(
      codes.begin(), codes.end(), code,
      [](const CodeEntry& entry, std::string_view key) { return entry.code < key; });
  return found == codes.end() || found->code != code ? nullptr : &*found;
}

}  // namespace kinemorph

// kinemorph explain: what a code of a message means, which codes there are, and which speak of a
// word.
#include <algorithm>
#include <iostream>

#include "kinemorph/gateway.h"
#include "kinemorph/graph/base/printable.h"
#include "session/session.h"

namespace kinemorph::tools {
namespace {

// A word of the user is tried as a code, as an area, then as a word of the texts of codes; the
// first that fits is printed. The texts are data (CodeEntry).

constexpr std::size_t kMostFound = 30;  // codes that a search prints with their meaning

void PrintCell(const std::string& title, const std::string& text) {
  constexpr std::size_t kColumn = 18;
  if (text.empty()) return;
  std::string line = "  " + title + ":";
  line.resize(kColumn, ' ');
  PrintFolded(line + text, kColumn);
}

void Print(const CodeEntry& entry) {
  std::cout << entry.code << " (" << entry.area << ")\n";
  PrintCell("what happened", entry.meaning);
  PrintCell("why it matters", entry.why);
  PrintCell("what to type", entry.remedy.empty() ? "nothing" : entry.remedy);
  PrintCell("when to ignore", entry.ignore);
  PrintCell("example", entry.example);
}

void PrintMeaning(const CodeEntry& entry) { PrintFolded(entry.code + ": " + entry.meaning, 4); }

std::size_t CodesIn(std::string_view area) {
  return static_cast<std::size_t>(
      std::count_if(AllCodes().begin(), AllCodes().end(),
                    [&](const CodeEntry& entry) { return entry.area == area; }));
}

// What can be asked for; the codes themselves are too many for a screen.
int PrintAreas() {
  std::cout << "Every message of kinemorph ends with a code in brackets. The " << AllCodes().size()
            << " codes by area:\n\n";
  for (const CodeArea& area : CodeAreas()) {
    std::string line = "  " + std::string(area.word);
    line.resize(14, ' ');
    const std::string count = std::to_string(CodesIn(area.word));
    line += std::string(4 - std::min<std::size_t>(4, count.size()), ' ') + count + "  ";
    PrintFolded(line + std::string(area.about), 20);
  }
  std::cout << "\n";
  PrintFolded("kinemorph explain CODE    explains one code, such as base-fixed", 26);
  PrintFolded("kinemorph explain AREA    lists the codes of an area, such as loops", 26);
  PrintFolded("kinemorph explain WORD    lists the codes that speak of a word, such as damping",
              26);
  PrintFolded("kinemorph explain --all   lists all codes", 26);
  return kDone;
}

int PrintArea(std::string_view area) {
  for (const CodeEntry& entry : AllCodes())
    if (entry.area == area) PrintMeaning(entry);
  return kDone;
}

int PrintFound(const std::string& words, const std::vector<const CodeEntry*>& found) {
  std::cout << found.size() << (found.size() == 1 ? " code speaks" : " codes speak") << " of '"
            << Printable(words) << "':\n";
  for (std::size_t i = 0; i < std::min(found.size(), kMostFound); ++i) PrintMeaning(*found[i]);
  // What does not fit on a screen is at least named.
  if (found.size() <= kMostFound) return kDone;
  std::string rest;
  for (std::size_t i = kMostFound; i < found.size(); ++i)
    rest += (rest.empty() ? "" : ", ") + found[i]->code;
  PrintFolded("and " + rest, 4);
  return kDone;
}

int Explain(std::string asked) {
  if (asked.empty()) return PrintAreas();
  // As it stands in a message.
  if (asked.front() == '[') asked.erase(0, 1);
  if (!asked.empty() && asked.back() == ']') asked.pop_back();
  if (const CodeEntry* entry = FindCode(asked)) {
    Print(*entry);
    return kDone;
  }
  const auto& areas = CodeAreas();
  if (std::any_of(areas.begin(), areas.end(), [&](const CodeArea& a) { return a.word == asked; }))
    return PrintArea(asked);
  if (const auto found = CodesWith(asked); !found.empty()) return PrintFound(asked, found);
  // A misspelt code and a misspelt area look alike.
  std::vector<std::string> known;
  for (const CodeEntry& entry : AllCodes()) known.push_back(entry.code);
  for (const CodeArea& area : areas) known.emplace_back(area.word);
  const std::string nearest = NearestName(asked, known);
  throw UsageError("no code is called '" + asked + "' or speaks of this word" +
                   (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

}  // namespace

void AddExplain(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand(
      "explain",
      "Explain a message of kinemorph: what happened, why it matters, and what to type.");
  struct Options {
    std::string asked;
    bool json = false, all = false;
  };
  auto options = std::make_shared<Options>();
  auto* one = command->add_option(
      "CODE", options->asked,
      "the code in brackets at the end of a message; or an area or a word, to list codes; without "
      "CODE, the areas");
  StartGroup(*command, kOutputGroup);
  command->add_flag("--all", options->all, "list all codes")->excludes(one);
  command->add_flag("--json", options->json, "print all codes as JSON, with all their texts")
      ->excludes(one);
  command->callback([options, &run] {
    run = [options] {
      if (options->json)
        std::cout << CodesJson() << '\n';
      else if (options->all)
        std::for_each(AllCodes().begin(), AllCodes().end(), PrintMeaning);
      else
        return Explain(options->asked);
      return static_cast<int>(kDone);
    };
  });
}

}  // namespace kinemorph::tools

// kinemorph explain: what a diagnostic means.
#include <iostream>

#include "kinemorph/gateway.h"
#include "session.h"

namespace kinemorph::tools {
namespace {

void Print(const CodeEntry& entry) {
  std::cout << entry.code << "\n  meaning: " << entry.meaning << '\n';
  if (!entry.example.empty()) std::cout << "  example: " << entry.example << '\n';
  std::cout << "  remedy:  " << (entry.remedy.empty() ? "nothing need be done" : entry.remedy)
            << '\n';
}

int Explain(std::string code) {
  if (code.empty()) {
    for (const CodeEntry& entry : AllCodes())
      std::cout << entry.code << ": " << entry.meaning << '\n';
    return kDone;
  }
  // As it stands in a message.
  if (code.front() == '[') code.erase(0, 1);
  if (!code.empty() && code.back() == ']') code.pop_back();
  if (const CodeEntry* entry = FindCode(code)) {
    Print(*entry);
    return kDone;
  }
  std::vector<std::string> known;
  for (const CodeEntry& entry : AllCodes()) known.push_back(entry.code);
  const std::string nearest = NearestName(code, known);
  throw UsageError("'" + code + "' is no code" +
                   (nearest.empty() ? "" : "; did you mean '" + nearest + "'?") +
                   " (`kinemorph explain` lists them)");
}

}  // namespace

void AddExplain(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand(
      "explain",
      "Explain a message of kinemorph: what happened, why it matters, and what to type.");
  auto code = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  auto* one = command->add_option("CODE", *code,
                                  "what stands in brackets behind a message; all when absent");
  command->add_flag("--json", *json, "all codes as JSON")->excludes(one);
  command->callback([code, json, &run] {
    run = [code, json] {
      if (!*json) return Explain(*code);
      std::cout << CodesJson() << '\n';
      return static_cast<int>(kDone);
    };
  });
}

}  // namespace kinemorph::tools

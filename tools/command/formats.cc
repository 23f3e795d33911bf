// kinemorph formats: the capability table, for people and for scripts, and how a robot gets there.
#include <iostream>

#include "kinemorph/gateway.h"
#include "session/session.h"

namespace kinemorph::tools {
namespace {

// The table of the README and of `formats --json` is this one: the cells by which
// every conversion is judged.

std::string Mark(Support support) {
  switch (support) {
    case Support::kNative:
      return "yes";
    case Support::kLowered:
      return "exact";
    case Support::kPartial:
      return "partly";
    case Support::kLost:
      return "lost";
    case Support::kRefused:
      return "refused";
  }
  return "lost";
}

std::string Padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

void PrintTable(bool markdown) {
  const std::vector<TableColumn> columns = TableColumns();
  std::vector<std::vector<std::string>> rows(1);
  rows[0].push_back("what a model uses");
  for (const TableColumn& column : columns) rows[0].emplace_back(column.title);
  for (const Feature feature : kFeatures) {
    rows.push_back(
        {std::string(FeatureTitle(feature)) + " (`" + std::string(FeatureName(feature)) + "`)"});
    if (!markdown) rows.back()[0] = std::string(FeatureName(feature));
    for (const TableColumn& column : columns)
      rows.back().push_back(Mark(CapabilityOf(feature, column.target).support));
  }
  // Columns are as wide as their longest cell, so that the text of the table reads like the table.
  std::vector<std::size_t> width(rows[0].size());
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      line += markdown ? (c == 0 ? "| " : " | ") + Padded(rows[r][c], width[c])
                       : Padded(rows[r][c], width[c] + 2);
    }
    while (!markdown && !line.empty() && line.back() == ' ') line.pop_back();
    std::cout << line << (markdown ? " |" : "") << '\n';
    if (markdown && r == 0) {
      for (std::size_t c = 0; c < width.size(); ++c)
        std::cout << "|" << std::string(width[c] + 2, '-');
      std::cout << "|\n";
    }
  }
  std::cout << "\nyes: the format has it; exact: expressed exactly by other means; partly: exact "
               "where possible, the rest is reported; "
               "lost: reported as a loss.\n";
  // A target that cannot be read back cannot be proved.
  for (const Format& format : AllFormats())
    if (format.read == nullptr) std::cout << format.name << " is written, not read.\n";
}

}  // namespace

void AddFormats(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand(
      "formats", "Print what each format can hold: loops, joint types, limits, sensors and more.");
  struct Options {
    bool markdown = false, json = false;
    std::string recipe;
  };
  auto options = std::make_shared<Options>();
  StartGroup(*command, kOutputGroup);
  auto* markdown =
      command->add_flag("--markdown", options->markdown, "print the table as Markdown");
  auto* json =
      command
          ->add_flag("--json", options->json,
                     "print the table as JSON, with the conversion step and the note of each cell")
          ->excludes(markdown);
  command
      ->add_option("--recipe", options->recipe,
                   "print what happens to a robot on its way to this target, pass by pass")
      ->type_name("TARGET")
      ->check(OneOf(RecipeNames()))
      ->excludes(markdown)
      ->excludes(json);
  command->callback([options, &run] {
    run = [options] {
      if (!options->recipe.empty())
        std::cout << RecipeText(options->recipe);
      else if (options->json)
        std::cout << FormatsJson() << '\n';
      else
        PrintTable(options->markdown);
      return kDone;
    };
  });
}

}  // namespace kinemorph::tools

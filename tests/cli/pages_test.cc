// Every page, run as printed in a clean folder. A ```console block is a row of commands ("$ ",
// continued by "> ") and their output ("..." stands for any lines); where a block prints no output,
// only the exit code counts. A reader's own file is named by a comment of the page:
// <!-- file robot.urdf: fixtures/mechanisms/four_bar/four_bar.urdf -->
// and a block that the reader saves is named before it: <!-- save main.c -->
//   ```console needs PROGRAM    skipped, and said to be, where the program is absent
//   ```console not run: REASON  what a test cannot do: a network, ROS, a build of all
// KINEMORPH_PRINT_PAGES=1 writes today's output into the pages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

struct Step {
  std::string command;
  std::vector<std::string> printed;
  std::size_t line = 0;            // of the page, from 1
  std::size_t first = 0, end = 0;  // of the printed lines, from 0
  std::string needs;
  bool compared = false;
};

struct Page {
  std::vector<std::string> lines;
  std::map<std::string, std::string> files;  // name in the page, path in the sources
  std::map<std::string, std::string> saved;  // name in the page, text of its block
  std::vector<Step> steps;
  std::vector<std::string> faults;
};

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool StartsWith(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}

// Whether a line of a block that is not run looks like a command that should be.
bool LooksLikeACommand(const std::string& line) {
  for (const char* start : {"$ ", "kinemorph ", "tools/", "npx ", "npm ", "pip ", "sudo ", "gz "})
    if (StartsWith(line, start)) return true;
  return false;
}

// The block at line i, which `save` names if the reader saves it.
void ReadBlock(Page& page, std::size_t& i, const std::string& save) {
  const std::string mark = page.lines[i].substr(3);
  const bool console = StartsWith(mark, "console"),
             run = console && !StartsWith(mark, "console not run: ");
  if (mark.empty()) page.faults.push_back(std::to_string(i + 1) + ": a block without a language");
  const std::size_t before = page.steps.size();
  bool printed = false;
  for (++i; i < page.lines.size() && !StartsWith(page.lines[i], "```"); ++i) {
    const std::string& line = page.lines[i];
    if (!save.empty()) page.saved[save] += line + "\n";
    if (!console && save.empty() && LooksLikeACommand(line))
      page.faults.push_back(std::to_string(i + 1) + ": a command outside of a console block");
    if (!run) continue;
    if (StartsWith(line, "$ ")) {
      const std::string needs = StartsWith(mark, "console needs ") ? mark.substr(14) : "";
      page.steps.push_back({line.substr(2), {}, i + 1, i + 1, i + 1, needs, false});
    } else if (page.steps.size() == before) {
      page.faults.push_back(std::to_string(i + 1) + ": output before the first command");
    } else if (StartsWith(line, "> ") && page.steps.back().printed.empty()) {
      page.steps.back().command += "\n" + line.substr(2);
      page.steps.back().first = page.steps.back().end = i + 1;
    } else {
      page.steps.back().printed.push_back(line);
      page.steps.back().end = i + 1;
      printed = true;
    }
  }
  for (std::size_t s = before; s < page.steps.size(); ++s) page.steps[s].compared = printed;
}

Page PageOf(const fs::path& path) {
  Page page;
  page.lines = Lines(FileText(path));
  std::string save;
  for (std::size_t i = 0; i < page.lines.size(); ++i) {
    const std::string& line = page.lines[i];
    const std::size_t colon = line.find(": ");
    if (StartsWith(line, "<!-- file ") && colon != std::string::npos)
      page.files[line.substr(10, colon - 10)] = line.substr(colon + 2, line.size() - colon - 6);
    else if (StartsWith(line, "<!-- save "))
      save = line.substr(10, line.size() - 14);
    else if (StartsWith(line, "```"))
      ReadBlock(page, i, std::exchange(save, ""));
  }
  return page;
}

// Whether `out` is what was printed; "..." matches any number of lines.
bool Matches(const std::vector<std::string>& printed, const std::vector<std::string>& out,
             std::size_t p = 0, std::size_t o = 0) {
  for (; p < printed.size(); ++p, ++o) {
    if (printed[p] == "...") {
      for (std::size_t next = o; next <= out.size(); ++next)
        if (Matches(printed, out, p + 1, next)) return true;
      return false;
    }
    if (o == out.size() || printed[p] != out[o]) return false;
  }
  return o == out.size();
}

// The documents of the project, by their paths in it.
std::vector<std::string> Documents() {
  const fs::path root = SourceDir();
  std::set<std::string> names;
  const auto add = [&](const fs::path& folder, bool deep) {
    for (auto each = fs::recursive_directory_iterator(root / folder);
         each != fs::recursive_directory_iterator(); ++each) {
      if (each->is_directory() && (!deep || each->path().filename() == "node_modules"))
        each.disable_recursion_pending();
      else if (each->path().extension() == ".md")
        names.insert(fs::relative(each->path(), root).string());
    }
  };
  add(".", false);
  for (const char* folder : {"tools", "graph", "formats", "converters", "fixtures", "tests"})
    add(folder, true);
  names.erase("CHANGELOG.md");
  return {names.begin(), names.end()};
}

class Pages : public testing::TestWithParam<std::string> {};

TEST_P(Pages, RunAsPrinted) {
  const fs::path path = fs::path(SourceDir()) / GetParam();
  Page page = PageOf(path);
  EXPECT_THAT(page.faults, testing::IsEmpty()) << GetParam();
  TemporaryFolder folder;
  for (const auto& [name, source] : page.files) {
    ASSERT_TRUE(fs::exists(SourceDir() + "/" + source)) << GetParam() << ": " << source;
    fs::create_directories((folder / name).parent_path());
    fs::copy(SourceDir() + "/" + source, folder / name, fs::copy_options::recursive);
  }
  for (const auto& [name, text] : page.saved) WriteFile(folder / name, text);
  const fs::path command = KINEMORPH_COMMAND;
  const bool print = std::getenv("KINEMORPH_PRINT_PAGES") != nullptr;
  std::vector<std::pair<const Step*, std::vector<std::string>>> changed;
  for (const Step& step : page.steps) {
    const std::string where = GetParam() + ":" + std::to_string(step.line);
    const std::string asked =
        (step.needs.find(' ') == std::string::npos ? "command -v " : "") + step.needs;
    if (!step.needs.empty() && Shell(asked, folder.path()).exit_code != 0) {
      std::cerr << where << ": skipped: " << step.needs << " is not here\n";
      continue;
    }
    const CommandResult result =
        Shell("export PATH='" + command.parent_path().string() + "':\"$PATH\" KINEMORPH='" +
                  SourceDir() + "'\nexec 2>&1\n" + step.command + "\n",
              folder.path());
    EXPECT_EQ(result.exit_code, 0) << where << ": " << step.command << "\n" << result.out;
    if (!step.compared || Matches(step.printed, Lines(result.out))) continue;
    if (print) changed.emplace_back(&step, Lines(result.out));
    ADD_FAILURE() << where << ": $ " << step.command << "\n" << result.out;
  }
  for (auto change = changed.rbegin(); change != changed.rend(); ++change) {
    const auto at = page.lines.begin();
    const auto rest = page.lines.erase(at + static_cast<long>(change->first->first),
                                       at + static_cast<long>(change->first->end));
    page.lines.insert(rest, change->second.begin(), change->second.end());
  }
  if (changed.empty()) return;
  std::string text;
  for (const std::string& line : page.lines) text += line + "\n";
  WriteFile(path, text);
}

INSTANTIATE_TEST_SUITE_P(Docs, Pages, testing::ValuesIn(Documents()), [](const auto& each) {
  std::string name = each.param;
  std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return name;
});

// The tutorials and the guides are not hollow.
TEST(PagesText, RunCommands) {
  std::size_t steps = 0;
  for (const std::string& name : Documents())
    steps += PageOf(fs::path(SourceDir()) / name).steps.size();
  EXPECT_GT(steps, 100u);
}

// A reader gets the files of a page from the command, and the page says so in words.
TEST(PagesText, SayWhereTheirFilesAre) {
  for (const std::string& name : Documents()) {
    const std::string text = FileText(fs::path(SourceDir()) / name);
    for (const auto& [file, source] : PageOf(fs::path(SourceDir()) / name).files) {
      EXPECT_THAT(text, testing::HasSubstr("`kinemorph examples` writes")) << name;
      EXPECT_THAT(text, testing::HasSubstr("`" + file + "`")) << name;
    }
  }
}

// The README begins with a picture of a terminal. One line names a library of the machine.
TEST(PagesText, ThePictureOfTheReadmeIsWhatTheCommandPrints) {
  const TemporaryFolder folder;
  fs::copy(SourceDir() + "/fixtures/mechanisms/planar_leg_linkage/planar_leg_linkage.urdf",
           folder / "leg.urdf");
  const CommandResult result = Shell(
      std::string(KINEMORPH_COMMAND) + " convert leg.urdf leg.sdf --verify 2>&1", folder.path());
  const std::string picture = FileText(SourceDir() + "/fixtures/pictures/conversion.svg");
  for (const std::string& line : Lines(result.out)) {
    if (line.find("[verify-accepted]") != std::string::npos) continue;
    EXPECT_THAT(picture, testing::HasSubstr(line));
  }
  EXPECT_GT(Lines(result.out).size(), 5u);
}

// The README is short.
TEST(PagesText, TheReadmeHas120LinesAtMost) {
  EXPECT_LE(Lines(FileText(fs::path(SourceDir()) / "README.md")).size(), 120u);
}

// Words that strangers did not understand; tools/docs/STYLE.md says why, and quotes them.
TEST(PagesText, AvoidForeignWords) {
  for (const std::string& name : Documents()) {
    if (name == "tools/docs/STYLE.md") continue;
    const std::string text = FileText(fs::path(SourceDir()) / name);
    for (const char* words : {"passed over", "passes over", "without a word", "is told", "are told",
                              "is lowered", "stands beside", "asks nobody", "it is taken"})
      EXPECT_EQ(text.find(words), std::string::npos) << name << ": \"" << words << '"';
  }
}

// The test can fail.
TEST(PagesText, MatchesLinesAndGaps) {
  EXPECT_TRUE(Matches({"a", "...", "c"}, {"a", "b", "b", "c"}));
  EXPECT_TRUE(Matches({"a", "..."}, {"a"}));
  EXPECT_FALSE(Matches({"a", "c"}, {"a", "b", "c"}));
  EXPECT_FALSE(Matches({"a"}, {"a", "b"}));
}

TEST(PagesText, ReadsBlocksFilesAndFaults) {
  TemporaryFolder folder;
  WriteFile(
      folder / "page.md",
      "<!-- file a.urdf: fixtures/b.urdf -->\n```console\n$ echo a \\\n> b\na b\n$ true\n```\n"
      "```console not run: no network\n$ rm x\n```\n```\nkinemorph check a\n```\n"
      "```console needs dot\n$ dot -V\n```\n<!-- save x.json -->\n```json\n{}\n```\n");
  const Page page = PageOf(folder / "page.md");
  EXPECT_EQ(page.files.at("a.urdf"), "fixtures/b.urdf");
  EXPECT_EQ(page.saved.at("x.json"), "{}\n");
  ASSERT_EQ(page.steps.size(), 3u);
  EXPECT_EQ(page.steps[0].command, "echo a \\\nb");
  EXPECT_THAT(page.steps[0].printed, testing::ElementsAre("a b"));
  EXPECT_TRUE(page.steps[1].compared);
  EXPECT_EQ(page.steps[2].needs, "dot");
  EXPECT_FALSE(page.steps[2].compared);
  EXPECT_EQ(page.faults.size(), 2u) << "a block without a language, and a command in it";
}

}  // namespace
}  // namespace kinemorph::test

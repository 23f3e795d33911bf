// Malformed and hostile inputs, made by others: each behaves as its row says, quickly, with a
// place, and nothing is written.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <regex>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

const fs::path kBad = fs::path(kinemorph::test::SharedDir()) / "data/corpus_bad";

// One line of a comma-separated file with optional double quotes.
std::vector<std::string> Fields(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else if (c != '\r')
      fields.back() += c;
  }
  return fields;
}

struct Row {
  std::string file, expected, also;
};

std::vector<Row> Rows() {
  std::vector<Row> rows;
  std::istringstream lines(FileText(kBad / "expected.csv"));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const std::vector<std::string> fields = Fields(line);
    if (fields.size() >= 4) rows.push_back({fields[0], fields[1], fields[3]});
  }
  return rows;
}

// What kinemorph made of a file, in the words of the table.
std::string Verdict(const CommandResult& result) {
  if (result.exit_code == 1) return "must_fail";
  if (result.exit_code != 0) return "exit " + std::to_string(result.exit_code);
  return result.err.find(": warning: ") != std::string::npos ? "must_warn" : "must_pass";
}

TEST(CorpusBad, EveryFileBehavesAsItsRowSays) {
  if (!fs::exists(kBad / "expected.csv")) GTEST_SKIP() << kBad << " is not here";
  TemporaryFolder folder;
  // The texts that are too large to store are made by their own script.
  const bool large = Shell("python3 '" + (kBad / "gen_large.py").string() + "' '" +
                               (folder / "large").string() + "'",
                           folder.path())
                         .exit_code == 0;
  if (!large) std::cout << "the large files are left out: gen_large.py did not run\n";
  std::size_t checked = 0;
  for (const Row& row : Rows()) {
    fs::path file = kBad / row.file;
    if (row.file.rfind("gen_", 0) == 0) file = folder / ("large/" + row.file);
    if (!fs::exists(file)) {
      EXPECT_TRUE(row.file.rfind("gen_", 0) == 0 && !large) << row.file << " is missing";
      continue;
    }
    const bool sdf = row.file.find(".sdf") != std::string::npos;
    const CommandResult result =
        Shell("ulimit -v 4000000; timeout 120 " + std::string(KINEMORPH_COMMAND) + " convert '" +
                  file.string() + "' -o out --to " + (sdf ? "urdf+" : "sdf"),
              folder.path());
    const std::string verdict = Verdict(result);
    // A file that may pass may also pass with a warning about something else.
    const bool good =
        verdict == row.expected || verdict == row.also ||
        (verdict == "must_warn" && (row.expected == "must_pass" || row.also == "must_pass"));
    EXPECT_TRUE(good) << row.file << ": " << verdict << ", expected " << row.expected << " "
                      << row.also << "\n"
                      << result.err.substr(0, 2000);
    EXPECT_EQ(result.err.find("root:x:0"), std::string::npos) << row.file << " leaks a system file";
    if (verdict == "must_fail") {
      EXPECT_FALSE(fs::exists(folder / "out")) << row.file;
      EXPECT_TRUE(std::regex_search(result.err.substr(0, 20000), std::regex(R"(:[0-9]+: error: )")))
          << row.file << ": no line number\n"
          << result.err.substr(0, 2000);
    }
    fs::remove(folder / "out");
    ++checked;
  }
  EXPECT_GT(checked, 90u);
}

}  // namespace
}  // namespace kinemorph::test

// The rooms of converters/ stand on each other in one order: no include runs back, and the two
// rooms of passes know nothing of each other.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "paths.h"

namespace kinemorph::test {
namespace {

namespace fs = std::filesystem;

TEST(ConverterRooms, NoIncludeRunsBack) {
  const std::map<std::string, std::set<std::string>> knows = {
      {"plan", {}},
      {"edit", {"plan"}},
      {"normalise", {"plan", "edit"}},
      {"lower", {"plan", "edit"}},
      {"targets", {"plan", "edit", "normalise", "lower"}},
      {"verify", {}},
      {"lint", {}},
      {"report", {}},
      {"pipeline", {"plan", "edit", "targets", "verify", "report"}},
      {"gateway", {"report"}},
      {"simulate", {"gateway"}},
      {"export", {"gateway"}},
      {"views", {"gateway"}},
      {"options", {"gateway"}},
  };
  const std::regex include("#include \"([a-z]+)/[a-z_]+\\.h\"");
  std::size_t includes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(SourceDir()) / "converters")) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".cc" && extension != ".h") continue;
    const std::string room = entry.path().parent_path().filename().string();
    if (entry.path().string().find("/include/") != std::string::npos) continue;
    ASSERT_TRUE(knows.count(room)) << entry.path() << " is in no room";
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      std::smatch match;
      // A judge that asks the converter judges itself.
      if (room == "verify" && line.find("kinemorph/converters/") != std::string::npos) {
        EXPECT_TRUE(line.find("/verify.h") != std::string::npos ||
                    line.find("/state_carrier.h") != std::string::npos ||
                    line.find("/loss_report.h") != std::string::npos)
            << entry.path() << ": " << line;
      }
      if (!std::regex_match(line, match, include)) continue;
      if (match[1] == "kinemorph") {  // the door and its wings
        EXPECT_TRUE(room == "gateway" || knows.at(room).count("gateway") > 0)
            << entry.path() << ": " << line;
        continue;
      }
      EXPECT_TRUE(match[1] == room || knows.at(room).count(match[1]))
          << entry.path() << ": " << line;
      ++includes;
    }
  }
  EXPECT_GT(includes, 100u);
}

// All that a public header includes, by the names by which it is included.
void Include(const std::string& name, std::set<std::string>& all) {
  if (!all.insert(name).second) return;
  const std::regex include("#include \"(kinemorph/.*)\"");
  for (const char* layer : {"graph", "formats", "converters"}) {
    std::ifstream file(fs::path(SourceDir()) / layer / "include" / name);
    for (std::string line; std::getline(file, line);)
      if (std::smatch match; std::regex_match(line, match, include)) Include(match[1], all);
  }
}

// Who opens the door carries no printer of programs: wings stand beside it, and not on each other.
TEST(ConverterRooms, WingsStandBesideTheDoor) {
  const std::map<std::string, std::string> apart = {
      {"gateway", "graph/(motion|emit|draw)/.*|(simulate|export|views|options)[./].*"},
      {"simulate", "graph/(emit|draw)/.*|(export|views|options)[./].*"},
      {"export", "graph/(motion|draw)/.*|(simulate|views|options)[./].*"},
      {"views", "graph/(motion|emit)/.*|gateway.h|(simulate|export|options)[./].*"},
  };
  for (const auto& [room, others] : apart) {
    std::set<std::string> all;
    Include("kinemorph/" + room + ".h", all);
    EXPECT_GT(all.size(), 5u) << room;
    for (const std::string& name : all)
      EXPECT_FALSE(std::regex_match(name, std::regex("kinemorph/(" + others + ")")))
          << room << ".h includes " << name;
  }
}

}  // namespace
}  // namespace kinemorph::test

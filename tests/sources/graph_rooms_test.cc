// The rooms of graph/ stand on each other: no include runs back, and conversions need only some of them.

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

// Each room, and the rooms whose headers it may include beside its own.
const std::map<std::string, std::set<std::string>> kKnows = {
    {"base", {}},
    {"model", {"base"}},
    {"connectivity", {"base", "model"}},
    {"checks", {"base", "model", "connectivity"}},
    {"draw", {"base", "model", "connectivity"}},
    {"mechanics", {"base", "model", "connectivity"}},
    {"closures", {"base", "model", "connectivity", "mechanics"}},
    {"motion", {"base", "model", "connectivity", "mechanics", "closures"}},
    {"emit", {"base", "model", "connectivity", "mechanics"}},
};

template <class Visit>
void EachLine(const Visit& visit) {
  for (const char* root : {"graph/src", "graph/include/kinemorph/graph"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SourceDir()) / root)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) visit(entry.path(), line);
    }
}

TEST(Rooms, NoIncludeRunsBack) {
  const std::regex include("#include [<\"](?:kinemorph/graph/)?([a-z]+)/[a-z0-9_]+\\.h[>\"]");
  std::size_t includes = 0;
  EachLine([&](const fs::path& path, const std::string& line) {
    const std::string room = path.parent_path().filename().string();
    ASSERT_TRUE(kKnows.count(room)) << path << " is in no room";
    std::smatch match;
    if (!std::regex_match(line, match, include) || !kKnows.count(match[1])) return;
    EXPECT_TRUE(match[1] == room || kKnows.at(room).count(match[1])) << path << ": " << line;
    ++includes;
  });
  EXPECT_GT(includes, 100u);
}

// A conversion and its door need the model, mechanics and closures; what moves, draws and prints
// programs stands beside them, and has wings of its own in converters/. Formats need no closures
// either.
TEST(Rooms, ConversionsNeedTheFirstThreeLibraries) {
  const std::regex beside("#include \"kinemorph/graph/(motion|emit|draw)/.*");
  const std::regex wing("converters/(include/kinemorph/)?(simulate|export|views|options)[./]");
  const std::regex closures("#include \"kinemorph/graph/closures/.*");
  std::size_t lines = 0;
  for (const char* root : {"formats", "converters"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SourceDir()) / root)) {
      const std::string path = entry.path().string();
      if (!entry.is_regular_file() || std::regex_search(path, wing)) continue;
      std::ifstream file(path);
      for (std::string line; std::getline(file, line); ++lines) {
        EXPECT_FALSE(std::regex_match(line, beside)) << path << ": " << line;
        if (root == std::string("formats")) {
          EXPECT_FALSE(std::regex_match(line, closures)) << path << ": " << line;
        }
      }
    }
  EXPECT_GT(lines, 10000u);
}

TEST(Rooms, NoFormatIsNamed) {
  const std::regex format("\"(urdf|sdf|mjcf|mbs)[^\"]*\"");
  EachLine([&](const fs::path& path, const std::string& line) {
    const std::string code = line.substr(0, line.find("//"));
    EXPECT_FALSE(std::regex_search(code, format)) << path << ": " << line;
  });
}

}  // namespace
}  // namespace kinemorph::test

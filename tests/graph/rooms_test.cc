// The rooms of graph/ stand on each other in one order: no include runs back.

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include "paths.h"

namespace kinemorph::test {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 7> kRooms = {"base",      "model",  "connectivity", "checks",
                                               "mechanics", "motion", "emit"};

std::size_t FloorOf(const std::string& room) {
  return static_cast<std::size_t>(std::find(kRooms.begin(), kRooms.end(), room) - kRooms.begin());
}

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
  const std::regex include("#include [<\"](?:kinemorph/graph/)?([a-z]+)/[a-z_]+\\.h[>\"]");
  std::size_t includes = 0;
  EachLine([&](const fs::path& path, const std::string& line) {
    const std::size_t floor = FloorOf(path.parent_path().filename().string());
    ASSERT_LT(floor, kRooms.size()) << path << " is in no room";
    std::smatch match;
    if (!std::regex_match(line, match, include) || FloorOf(match[1]) == kRooms.size()) return;
    EXPECT_LE(FloorOf(match[1]), floor) << path << ": " << line;
    ++includes;
  });
  EXPECT_GT(includes, 100u);
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

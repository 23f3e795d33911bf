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

TEST(Rooms, NoIncludeRunsBack) {
  const std::regex include("#include [<\"](?:kinemorph/graph/)?([a-z]+)/[a-z_]+\\.h[>\"]");
  std::size_t includes = 0;
  for (const char* root : {"graph/src", "graph/include/kinemorph/graph"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SourceDir()) / root)) {
      if (!entry.is_regular_file()) continue;
      const std::size_t floor = FloorOf(entry.path().parent_path().filename().string());
      ASSERT_LT(floor, kRooms.size()) << entry.path() << " is in no room";
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        std::smatch match;
        if (!std::regex_match(line, match, include) || FloorOf(match[1]) == kRooms.size()) continue;
        EXPECT_LE(FloorOf(match[1]), floor) << entry.path() << ": " << line;
        ++includes;
      }
    }
  EXPECT_GT(includes, 100u);
}

}  // namespace
}  // namespace kinemorph::test

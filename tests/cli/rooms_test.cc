// The rooms of tools/ stand on each other in one order: no include runs back.

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

TEST(ToolRooms, NoIncludeRunsBack) {
  const std::map<std::string, std::set<std::string>> knows = {
      {"host", {}},
      {"pictures", {"host"}},
      {"session", {"host", "pictures"}},
      {"ros", {"host", "session"}},
      {"batch", {"host", "session"}},
      {"command", {"host", "pictures", "session", "ros"}},
      {"python", {"host"}},
      {"judge", {"host"}},
      {"web", {"host", "session", "command"}},
  };
  const std::regex include("#include \"([a-z]+)/[a-z0-9_]+\\.(h|inc)\"");
  const fs::path tools = fs::path(SourceDir()) / "tools";
  std::size_t includes = 0;
  for (const auto& [room, others] : knows)
    for (const auto& entry : fs::recursive_directory_iterator(tools / room)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cc" && extension != ".h") continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        std::smatch match;
        if (!std::regex_match(line, match, include) || match[1] == "kinemorph") continue;
        EXPECT_TRUE(match[1] == room || others.count(match[1])) << entry.path() << ": " << line;
        ++includes;
      }
    }
  EXPECT_GT(includes, 100u);
  // Whoever comes here sees what there is.
  std::size_t entries = 0;
  for (const auto& entry : fs::directory_iterator(tools)) {
    ++entries;
    EXPECT_FALSE(entry.path().extension() == ".cc" || entry.path().extension() == ".h")
        << entry.path() << " is in no room";
  }
  EXPECT_LE(entries, 20u);
}

}  // namespace
}  // namespace kinemorph::test

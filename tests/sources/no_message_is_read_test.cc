// A message is for people: code that needs what it says has it from the values that the message was
// made of. Only the room that lays messages out on a screen looks at their words.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include "paths.h"

namespace kinemorph::test {
namespace {

namespace fs = std::filesystem;

// Takes a message, a loss or a verdict apart, or asks what it says.
bool Reads(const std::string& line) {
  static const std::regex kTakesApart(
      R"re((\.|->)(message|what|brief|notes|short_line)(\[[^\]]*\]|\.front\(\)|\.back\(\))?\.(r?find\w*|substr|starts_with|ends_with|erase|replace|compare|contains)\()re");
  static const std::regex kAsks(R"re((\.|->)(message|what|source|target|brief) *[!=]= *")re");
  return std::regex_search(line, kTakesApart) || std::regex_search(line, kAsks);
}

TEST(Messages, ReadersAreKnown) {
  for (const char* line :
       {R"(if (loss.target == "fixed"))", R"(message.message.find(proof->line))",
        R"(item.what.substr(0, 7))", R"(said->message.starts_with("'"))",
        R"(if (message.notes[0].find("--") != npos))", R"(loss.what != "not written")"})
    EXPECT_TRUE(Reads(line)) << line;
  for (const char* line : {R"(loss.target = "fixed";)", R"(out += message.message;)",
                           R"(if (message.code == "verify-open"))", R"(why.find("x"))"})
    EXPECT_FALSE(Reads(line)) << line;
}

TEST(Messages, AreReadByNobodyButTheScreen) {
  std::size_t lines = 0;
  for (const char* layer : {"graph", "formats", "converters", "tools"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SourceDir()) / layer)) {
      const fs::path& path = entry.path();
      const std::string extension = path.extension().string();
      if (extension != ".cc" && extension != ".h") continue;
      if (path.filename() == "screen.cc") continue;
      std::ifstream file(path);
      for (std::string line; std::getline(file, line); ++lines)
        EXPECT_FALSE(Reads(line.substr(0, line.find("//")))) << path.string() << ": " << line;
    }
  }
  EXPECT_GT(lines, 50000u);
}

}  // namespace
}  // namespace kinemorph::test

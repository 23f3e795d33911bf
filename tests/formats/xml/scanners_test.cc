// XML is taken apart in formats/xml: by the cursor, or tag by tag (xml_tags.h). Nobody else searches
// a text for it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include "paths.h"

namespace kinemorph::test {
namespace {

namespace fs = std::filesystem;

// A search for a tag, its end, an attribute or an entity.
bool Scans(const std::string& line) {
  static const std::regex kScan(
      R"re((find\w*|compare|starts_with|ends_with|contains)\([^;]*("(<[A-Za-z/!]|[^"]*=\\"|/?>"|-->|\]\]>|&(lt|gt|amp|quot|apos|#))|\(\s*"<"|'[<>]'))re");
  static const std::regex kEntity(R"re("&(lt|gt|amp|quot|apos);", *'|'<'\}|=\\"", at)re");
  return std::regex_search(line, kScan) || std::regex_search(line, kEntity);
}

// The words that gave hand scanners away are found, and others are not.
TEST(Scanners, AreKnown) {
  for (const char* line :
       {R"(text.find("<plugin "))", R"(xml.rfind("</physics>"))", R"(rest.find('>'))",
        R"(tag.starts_with("<sdf"))", R"(rest.find("=\""))", R"(xml.find(" name=\"", at + 1))",
        R"(text.compare(at, 4, "<!--"))", R"({{"&lt;", '<'}, {"&gt;", '>'}})"})
    EXPECT_TRUE(Scans(line)) << line;
  for (const char* line :
       {R"(op == "<")", R"(case '<':)", R"(out += "&lt;";)", R"(name.find('/'))",
        R"(warn("write <mass value=\"...\"/>");)", R"(return "<" + data.element + ">";)"})
    EXPECT_FALSE(Scans(line)) << line;
}

TEST(Scanners, NoneStandOutsideTheRoomOfXml) {
  std::size_t lines = 0;
  for (const char* layer : {"graph", "formats", "converters", "tools"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SourceDir()) / layer)) {
      const fs::path& path = entry.path();
      const std::string extension = path.extension().string();
      if (extension != ".cc" && extension != ".h" && extension != ".inc") continue;
      if (path.parent_path() == fs::path(SourceDir()) / "formats" / "xml") continue;
      std::ifstream file(path);
      for (std::string line; std::getline(file, line); ++lines)
        EXPECT_FALSE(Scans(line.substr(0, line.find("//")))) << path.string() << ": " << line;
    }
  }
  EXPECT_GT(lines, 50000u);
}

}  // namespace
}  // namespace kinemorph::test

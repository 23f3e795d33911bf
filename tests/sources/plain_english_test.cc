// What people read is plain English: the worst patterns of a foreign tongue are in no message.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "kinemorph/converters/codes.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

namespace fs = std::filesystem;

std::string TextOfFile(const fs::path& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// The texts in quotes of a source, those in a row as one; neither comments nor raw strings.
std::vector<std::string> Literals(const std::string& source) {
  std::vector<std::string> found;
  bool in_row = false;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source.compare(i, 2, "//") == 0) {
      i = std::min(source.find('\n', i), source.size() - 1);
    } else if (source.compare(i, 3, "'\"'") == 0 || source.compare(i, 4, "'\\\"'") == 0) {
      i = source.find('\'', i + 2);
    } else if (source.compare(i, 2, "R\"") == 0) {
      const std::size_t open = source.find('(', i);
      const std::string end = ")" + source.substr(i + 2, open - i - 2) + "\"";
      i = std::min(source.find(end, open) + end.size() - 1, source.size() - 1);
      in_row = false;
    } else if (source[i] == '"') {
      std::string text;
      for (++i; i < source.size() && source[i] != '"'; ++i) {
        if (source[i] == '\\') text += source[i++];
        text += source[i];
      }
      if (in_row)
        found.back() += text;
      else
        found.push_back(text);
      in_row = true;
    } else if (source[i] != ' ' && source[i] != '\n') {
      in_row = false;
    }
  }
  return found;
}

// Nothing where the text is plain.
std::string Foreign(const std::string& text) {
  static const std::regex kWorst(
      "\\b(is|are) no (?!longer)[a-z]|\\bnobody\\b(?!@)|\\bwhoever\\b|\\bto speak of\\b|\\bis "
      "taken\\b|"
      "\\bwas taken\\b|\\bwere taken\\b|\\bstands? (in|beside|still|where|elsewhere)\\b|"
      "\\bhangs? (on|together)\\b|\\bpasse[sd] over\\b|\\bin place of\\b|\\bshall\\b|"
      "\\basked to be\\b|\\btakes? along\\b|\\bnothing says\\b|\\bit is kept\\b|\\bit was read\\b");
  std::smatch match;
  static const std::regex kThere("\\b[Tt]here (is|are) no ");
  const std::string rest = std::regex_replace(text, kThere, "");
  return std::regex_search(rest, match, kWorst) ? match.str() : "";
}

TEST(PlainEnglish, TextsOfCodes) {
  static const std::regex kBlind("(^|[.;:] )(it|its|what|that|It|Its|What|That) ");
  for (const CodeEntry& entry : AllCodes()) {
    for (const std::string& text : {entry.meaning, entry.remedy, entry.why, entry.ignore}) {
      EXPECT_EQ(Foreign(text), "") << entry.code << ": " << text;
      EXPECT_FALSE(std::regex_search(text, kBlind)) << entry.code << ": " << text;
    }
    EXPECT_EQ(Foreign(entry.example), "") << entry.code << ": " << entry.example;
    for (const std::string& text : {entry.why, entry.ignore})
      EXPECT_TRUE(text.empty() || text.back() == '.') << entry.code << ": " << text;
  }
}

TEST(PlainEnglish, MessagesInTheSources) {
  std::size_t texts = 0;
  for (const char* root : {"graph/src", "formats", "converters", "tools"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SourceDir()) / root)) {
      const std::string path = entry.path().string();
      // What is written into exported code has readers of its own.
      if (entry.path().extension() != ".cc" || path.find("/emit/") != std::string::npos ||
          path.find("/export_ros2") != std::string::npos ||
          path.find("node_modules") != std::string::npos)
        continue;
      for (const std::string& text : Literals(TextOfFile(entry.path()))) {
        ++texts;
        EXPECT_EQ(Foreign(text), "") << path << ": " << text;
      }
    }
  }
  EXPECT_GT(texts, 3000u);
}

TEST(PlainEnglish, TheTestSeesForeignWords) {
  for (const char* text : {"'x' is no code", "0 0 1 is taken", "nobody knows it",
                           "what stands beside OUT", "it hangs on the world"})
    EXPECT_NE(Foreign(text), "") << text;
  for (const char* text : {"there is no joint 'x'", "MuJoCo is no longer asked", "it is closed"})
    EXPECT_EQ(Foreign(text), "") << text;
  EXPECT_EQ(Literals("f(\"a \" \n \"b\", '\"', \"c\"); // \"d\"\n"),
            (std::vector<std::string>{"a b", "c"}));
}

}  // namespace
}  // namespace kinemorph::test

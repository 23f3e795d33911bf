// What one place says, no other place says again: which format does what, how a subject is written,
// what a form of coupling is called.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <regex>
#include <set>
#include <string>

#include "conversion.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

namespace fs = std::filesystem;

using Visit = std::function<void(const std::string& path, const std::string& text)>;

// The sources below a folder, by their paths in the project.
void EachSource(const std::string& below, const Visit& visit) {
  for (const std::string& path : FilesBelow(fs::path(SourceDir()) / below, {".cc", ".h"}))
    visit(fs::relative(path, SourceDir()).string(), ReadAll(path));
}

// Asks for a format by its name.
bool AsksForAFormat(const std::string& line) {
  static const std::regex kAsks(R"re(([=!]= *|starts_with\()"(urdf\+?|sdf|mjcf|mbs|usda?)")re");
  return std::regex_search(line.substr(0, line.find("//")), kAsks);
}

TEST(SaidOnce, AQuestionForAFormatIsKnown) {
  EXPECT_TRUE(AsksForAFormat(R"(if (model.format == "urdf+") return;)"));
  EXPECT_TRUE(AsksForAFormat(R"(if (!model.format.starts_with("urdf")) return;)"));
  EXPECT_FALSE(AsksForAFormat(R"(f.name = "urdf";)"));
  EXPECT_FALSE(AsksForAFormat(R"(//  model.format == "urdf+")"));
}

TEST(SaidOnce, NeutralCodeNamesNoFormat) {
  // Where it does still: a recipe, a half of the proof, or a rule of the format shall take it.
  const std::set<std::string> still = {"converters/lint/inertias.cc",
                                       "formats/include/kinemorph/formats/gazebo_blocks.h"};
  std::set<std::string> found;
  const auto look = [&](const std::string& path, const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      if (AsksForAFormat(line)) found.insert(path);
  };
  EachSource("graph", look);
  EachSource("converters", look);
  EachSource("formats/include", look);
  EachSource("formats", [&](const std::string& path, const std::string& text) {
    if (fs::path(path).parent_path() == "formats") look(path, text);
  });
  for (const std::string& path : found) EXPECT_TRUE(still.count(path)) << path << " names a format";
}

// What stands before a place of a text, without white space.
std::string Before(const std::string& text, std::size_t at) {
  while (at > 0 && std::isspace(static_cast<unsigned char>(text[at - 1]))) --at;
  const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is the first
  return text.substr(line, at - line);
}

// A message, or the subject of one, that is put together by hand: Error("code", "joint '" + ...),
// subject = "joint '" + name + "'".
bool GluesASubject(const std::string& text, std::size_t at) {
  static const std::regex kCode(R"re("[a-z]+(-[a-z0-9]+)+",$)re");
  const std::string before = Before(text, at);
  if (std::regex_search(before, kCode)) return true;
  const std::string whole = text.substr(at, text.find(';', at) - at);
  return before.ends_with("=") && whole.ends_with("+ \"'\"") &&
         std::count(whole.begin(), whole.end(), '"') == 4;
}

std::size_t GluedIn(const std::string& path, const std::string& text) {
  std::size_t count = 0;
  for (const char* kind : {"joint", "loop", "loop joint", "link", "body", "coupling", "mimic",
                           "gearbox", "frame", "sensor", "actuator", "model", "mesh"}) {
    const std::string opening = std::string("\"") + kind + " '\" +";
    for (std::size_t at = text.find(opening); at != text.npos; at = text.find(opening, at + 1)) {
      if (!GluesASubject(text, at)) continue;
      ++count;
      if (!path.empty()) ADD_FAILURE() << path << ": " << text.substr(at, 60);
    }
  }
  return count;
}

TEST(SaidOnce, AGluedSubjectIsKnown) {
  EXPECT_EQ(GluedIn("", "Error(\"a-code\",\n      \"joint '\" + name + \"' is odd\");"), 1u);
  EXPECT_EQ(GluedIn("", "const std::string subject = \"link '\" + name + \"'\";"), 1u);
  EXPECT_EQ(GluedIn("", "Error(\"a-code\", {subject, \"joint '\" + name + \"' is odd\"});"), 0u);
  EXPECT_EQ(GluedIn("", "why = \"joint '\" + name + \"' has \" + count + \"'\";"), 0u);
}

TEST(SaidOnce, SubjectsAreStatements) {
  // Their Say has the robot, or the joint, for its subject.
  const std::set<std::string> other = {
      "formats/urdf/write/submechanisms.cc", "formats/urdf/read/submechanisms.cc",
      "formats/urdf/read/frame_pairs.cc", "formats/mjcf/write/body_tree.cc"};
  std::size_t sources = 0;
  for (const char* layer : {"graph", "formats", "converters", "tools"})
    EachSource(layer, [&](const std::string& path, const std::string& text) {
      ++sources;
      EXPECT_TRUE(other.count(path) > 0 || GluedIn(path, text) == 0);
    });
  EXPECT_GT(sources, 400u);
}

TEST(SaidOnce, DocumentsThatAreNamedAreThere) {
  const std::regex document(R"(([a-z_0-9]+/)+[A-Z_0-9]+\.md)");
  std::size_t named = 0;
  for (const char* layer : {"graph", "formats", "converters", "tools"})
    EachSource(layer, [&](const std::string& path, const std::string& text) {
      for (std::sregex_iterator it(text.begin(), text.end(), document), end; it != end;
           ++it, ++named)
        EXPECT_TRUE(fs::exists(fs::path(SourceDir()) / it->str())) << path << ": " << it->str();
    });
  EXPECT_GT(named, 5u);
}

TEST(SaidOnce, FormsOfCouplingsAreNamedInTheModel) {
  const std::regex names("CouplingForm::k[A-Za-z]+[:,] *(return )?\"");
  for (const char* layer : {"graph", "formats", "converters", "tools"})
    EachSource(layer, [&](const std::string& path, const std::string& text) {
      std::string flat;
      for (const char c : text)
        if (!std::isspace(static_cast<unsigned char>(c)) || (!flat.empty() && flat.back() != ' '))
          flat += std::isspace(static_cast<unsigned char>(c)) ? ' ' : c;
      EXPECT_TRUE(path == "graph/src/model/model.cc" || !std::regex_search(flat, names)) << path;
    });
}

}  // namespace
}  // namespace kinemorph::test

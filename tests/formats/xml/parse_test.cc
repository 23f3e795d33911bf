// A large text parsed in parts has the nodes that it has as a whole.
#include "parse.h"

#include <gtest/gtest.h>

#include "xml_reader.h"

namespace kinemorph::xml {
namespace {

// Children of a root in all ways that markup comes, a few megabytes of them.
std::string LargeText(std::string_view middle = "", std::string_view end = "</robot>\n") {
  std::string text = "<?xml version=\"1.0\"?>\n<!-- a <robot> -->\n<robot name='r'>\n";
  for (int i = 0; text.size() < 4'000'000; ++i) {
    const std::string n = std::to_string(i);
    text += "<link name=\"l" + n + "\"\n  note='a > b </robot>'>\n";
    text += i % 7 == 0 ? "<!-- <link> \n -->" : i % 11 == 0 ? "<![CDATA[ </link>\n ]]>" : "\n";
    text += "<inertial><mass value='" + n + "'/> text of " + n + "\r\n</inertial></link>\n";
    if (text.size() > 2'000'000 && !middle.empty()) text += middle, middle = "";
  }
  return text + std::string(end);
}

Census CensusOf(std::string_view text) {
  Diagnostics diagnostics;
  Context context;
  context.diagnostics = &diagnostics;
  std::string mended;
  std::string_view clean;
  Census census;
  EXPECT_TRUE(Prescan(text, context, mended, clean, census));
  EXPECT_EQ(clean, text);
  return census;
}

TEST(ParseInParts, HasTheNodesOfTheWhole) {
  const std::string text = LargeText();
  const Census census = CensusOf(text);
  ASSERT_GE(census.cuts.size(), 3u);
  const auto whole = ParseWhole(text, census);
  ASSERT_GT(whole->num_nodes, 1000u);
  for (const std::size_t parts : {1, 2, 3, 64}) {
    SCOPED_TRACE(parts);
    const auto parsed = ParseInParts(text, census, parts);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->documents.size(), 1 + std::min(parts, census.cuts.size()));
    ASSERT_EQ(parsed->num_nodes, whole->num_nodes);
    for (std::size_t i = 0; i < whole->num_nodes; ++i) {
      const Node &a = whole->begin()[i], &b = parsed->begin()[i];
      ASSERT_EQ(a.name, b.name) << i;
      ASSERT_EQ(a.line, b.line) << i;
      ASSERT_EQ(a.up, b.up) << i;
      ASSERT_EQ(a.extent, b.extent) << i;
      ASSERT_EQ(a.names, b.names) << i;
      ASSERT_EQ(a.num_attributes, b.num_attributes) << i;
      for (std::uint32_t k = 0; k < a.num_attributes; ++k) {
        ASSERT_EQ(a.attributes[k].name, b.attributes[k].name) << i;
        ASSERT_EQ(a.attributes[k].value, b.attributes[k].value) << i;
      }
      ASSERT_STREQ(a.element->GetText(), b.element->GetText()) << i;
    }
  }
}

// What is no sequence of whole elements is left to the parser of the whole, which tells why.
TEST(ParseInParts, LeavesWhatDoesNotFallIntoParts) {
  for (const std::string& text :
       {LargeText("</link>"), LargeText("stray"),
        "<?xml version='1.0'?><r>stray" + LargeText().substr(58), LargeText("<link>"),
        LargeText("<link a=b/>"), LargeText("</robot><robot>"), LargeText("", "</robto>"),
        LargeText("", "</robot"), LargeText("", "</robot><!-- at last -->"), LargeText("", ""),
        LargeText("", "</robot>\n<robot/>"), std::string("<robot><link/></robot>")}) {
    const Census census = CensusOf(text);
    const auto parsed = ParseInParts(text, census, 2);
    if (text.size() > 100)
      EXPECT_FALSE(parsed) << text.substr(text.size() - 30);
    else
      EXPECT_TRUE(parsed);  // one part is a part
  }
}

TEST(ParseInParts, LinesOfALargeTextAreThoseOfTheFile) {
  std::string text = "<robot>\n";
  while (text.size() < kLargeText)
    text += "<link name='l'><inertial/></link>" + std::string(100, ' ') + "\n";
  const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
  Diagnostics diagnostics;
  const auto read = [&](const std::string& last) {
    Context context;
    context.diagnostics = &diagnostics;
    return Document::Parse(text + last, context);
  };
  const auto document = read("<joint name='j'/>\n</robot>\n");
  ASSERT_TRUE(document);
  const Element joint = document->root().Child("joint");
  EXPECT_EQ(joint.where().line, lines + 1);
  EXPECT_EQ(joint.path(), "robot/joint[j]");
  ASSERT_TRUE(diagnostics.items().empty());
  EXPECT_FALSE(read("<joint name='j'>\n</robot>\n"));
  ASSERT_EQ(diagnostics.items().size(), 1u);
  EXPECT_EQ(diagnostics.items().front().line, lines + 1);
}

}  // namespace
}  // namespace kinemorph::xml

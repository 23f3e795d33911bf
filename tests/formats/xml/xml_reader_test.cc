// Reading XML: what is refused, what is tolerated with a warning, what is reported as not used.
#include "xml_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "leftovers.h"
#include "native_xml.h"

namespace kinemorph::xml {
namespace {

struct Parsed {
  Diagnostics diagnostics;
  std::unique_ptr<Document> document;
  [[nodiscard]] std::vector<std::string> Messages() const {
    std::vector<std::string> lines;
    for (const Diagnostic& item : diagnostics.items()) lines.push_back(Render(item));
    return lines;
  }
};

std::unique_ptr<Parsed> Parse(std::string_view text) {
  auto parsed = std::make_unique<Parsed>();
  parsed->document = Document::Parse(text, Context{&parsed->diagnostics, "robot.urdf", 0, "urdf"});
  return parsed;
}

using test::Xml;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Numbers, AreReadWithoutLocaleAndCompletely) {
  EXPECT_EQ(ParseNumber(" 1.5 "), 1.5);
  EXPECT_EQ(ParseNumber("+2"), 2.0);
  EXPECT_EQ(ParseNumber("-1e-3"), -0.001);
  EXPECT_EQ(ParseNumber(".5"), 0.5);
  EXPECT_EQ(ParseNumber("5."), 5.0);
  EXPECT_EQ(ParseNumber("1e-400"), 0.0);                  // too small is a legal zero
  EXPECT_TRUE(std::isinf(ParseNumber("1e999").value()));  // too large is not finite
  EXPECT_TRUE(std::isnan(ParseNumber("nan").value()));
  for (const char* wrong :
       {"", " ", "1,5", "1.5kg", "0,07", "+-1", "1zzz", "${mass}", "0x10", "1 2", "--1"})
    EXPECT_FALSE(ParseNumber(wrong)) << wrong;
}

TEST(Document, ReportsNumbersThatAreNoneWithTheirPlace) {
  const auto parsed =
      Parse("<robot>\n  <link name='a' mass='1,5' size='1 2' radius='1e999'/>\n</robot>");
  const Element link = parsed->document->root().Child("link");
  EXPECT_EQ(link.Number("mass"), std::nullopt);
  EXPECT_EQ(link.Vector("size"), std::nullopt);
  EXPECT_EQ(link.Number("radius"), std::nullopt);
  EXPECT_THAT(parsed->Messages(),
              ElementsAre("robot.urdf:2: error: attribute 'mass' of 'robot/link[a]' is '1,5', "
                          "which is not a number [bad-number]\n    the decimal sign is a dot: 1.5",
                          "robot.urdf:2: error: attribute 'size' of 'robot/link[a]' has 2 numbers, "
                          "expected 3: '1 2' [bad-vector]",
                          "robot.urdf:2: error: attribute 'radius' of 'robot/link[a]' is '1e999', "
                          "which is not finite [bad-number]"));
}

TEST(Leftovers, AreToldWithASuggestionAndKeptAsItemsOfNoFormat) {
  const std::string text =
      "<robot name='r' nam='1'>\n<link name='a'/>\n<lnk "
      "rgb='1'><deep/></lnk>\n<pose/><pose/><gazebo><any x='1'/></gazebo></robot>";
  const auto read = [](const Element& root) {
    EXPECT_EQ(root.Attribute("name"), "r");
    for (const Element link : root.Children("link")) EXPECT_EQ(link.Attribute("name"), "a");
    EXPECT_TRUE(root.Child("pose"));
    EXPECT_EQ(Xml(root.Child("gazebo").Native()), "<gazebo>\n    <any x=\"1\"/>\n</gazebo>");
  };
  const auto parsed = Parse(text);
  read(parsed->document->root());
  int times = 0;
  std::vector<NativeData> left;
  Leftovers leftovers(left, [&](Asked& asked) {
    ++times;
    Diagnostics said;
    const auto again = Document::Parse(text, {.diagnostics = &said,
                                              .file_name = "robot.urdf",
                                              .file = 0,
                                              .format = "urdf",
                                              .asked = &asked});
    read(again->root());
  });
  leftovers.Add(*parsed->document);
  EXPECT_EQ(times, 1);
  EXPECT_THAT(parsed->Messages(),
              ElementsAre("robot.urdf:1: warning: attribute 'nam' of 'robot[r]' is not used "
                          "[not-used]\n    did you mean 'name'?",
                          "robot.urdf:3: warning: element 'lnk' in 'robot[r]' is not used "
                          "[not-used]\n    did you mean 'link'?",
                          "robot.urdf:4: warning: element 'pose' in 'robot[r]' is not used "
                          "[not-used]\n    only the first 'pose' there is read"));
  ASSERT_EQ(left.size(), 3u);
  EXPECT_EQ(left[0].format + left[0].element + Xml(left[0]), "robot<robot nam=\"1\"/>");
  EXPECT_EQ(left[1].format + left[1].element + Xml(left[1]),
            "lnk<lnk rgb=\"1\">\n    <deep/>\n</lnk>");
  EXPECT_EQ(left[2].where.line, 4u);
}

TEST(Leftovers, TextBetweenElementsIsTold) {
  const auto parsed = Parse(
      "<robot>\n<link>1<a/></link>\n<link>2<a/>\n3</link>><kept>4<a/></kept>\n<link>5</link>"
      "<!-- 6 --></robot>");
  const Element root = parsed->document->root();
  for (const Element link : root.Children("link")) {
    EXPECT_NE(link.Text(), "");
    EXPECT_EQ(link.HasChild("a"), static_cast<bool>(link.Child("a")));
  }
  EXPECT_TRUE(Xml(root.Child("kept").Native()).starts_with("<kept>4"));
  std::vector<NativeData> left;
  Leftovers(left, [](Asked&) {}).Add(*parsed->document);
  EXPECT_THAT(
      parsed->Messages(),
      ElementsAre("robot.urdf:4: warning: text '>' in 'robot' is not used [not-used]",
                  "robot.urdf:4: warning: text '3' in 'robot/link' is not used [not-used]"));
  ASSERT_EQ(left.size(), 2u);
  EXPECT_EQ(left[0].format + Xml(left[0]), "<text>&gt;</text>");
  EXPECT_EQ(left[1].format + Xml(left[1]), "<text>3</text>");
  EXPECT_EQ(left[1].where.line, 4u);
}

TEST(Leftovers, AreNotAskedForWhereNothingIsLeft) {
  const auto parsed = Parse("<robot xmlns:a='b' xsi:schemaLocation='c'/>");
  std::vector<NativeData> left;
  Leftovers leftovers(left, [](Asked&) { FAIL() << "there is nothing to suggest"; });
  leftovers.Add(*parsed->document);
  EXPECT_TRUE(left.empty());
}

TEST(Leftovers, AreBounded) {
  for (const std::size_t elements : {1000u, 1001u, 3000u}) {
    std::string text = "<robot>";
    for (std::size_t i = 0; i < elements; ++i) text += "<a/>";
    const auto parsed = Parse(text + "</robot>");
    std::vector<NativeData> left;
    Leftovers leftovers(left, [](Asked&) {});
    leftovers.Add(*parsed->document);
    ASSERT_EQ(left.size(), elements > 1000 ? 1001u : 1000u);
    EXPECT_EQ(left[999].element, "a");
    EXPECT_EQ(left.back().element, elements > 1000 ? "..." : "a");
  }
}

TEST(Templates, AreRefusedOutsideCommentsOnly) {
  for (const char* text : {"<r><%= 1 %></r>", "<r a='{{ b }}'/>", "<!-- x -->\n<r>{% if a %}</r>",
                           "<!-- <% --><r><% 1 %></r>"}) {
    const auto parsed = Parse(text);
    EXPECT_FALSE(parsed->document) << text;
    ASSERT_FALSE(parsed->diagnostics.items().empty());
    EXPECT_EQ(parsed->diagnostics.items().front().code, "template-not-expanded") << text;
  }
  for (const char* text : {"<r><!-- <% {{ a }} {% b %} --></r>", "<r><![CDATA[<% {{ a }}]]></r>",
                           "<r a='{{'/>", "<r a='50%'/>"})
    EXPECT_TRUE(Parse(text)->document) << text;
}

TEST(Xacro, AProgramIsRefusedAndLeftOverCallsAreNot) {
  for (const char* text : {"<r xmlns:xacro='u'>\n<xacro:include filename='a'/></r>",
                           "<r>\n<xacro:macro name='m'/></r>",
                           "<r xmlns:x='http://www.ros.org/wiki/xacro'>\n<x:if value='1'/></r>",
                           "<r xmlns:xacro='u'>\n<a b='${c}'/></r>"}) {
    const auto parsed = Parse(text);
    EXPECT_FALSE(parsed->document) << text;
    ASSERT_FALSE(parsed->diagnostics.items().empty()) << text;
    EXPECT_EQ(parsed->diagnostics.items().back().code, "xacro-not-expanded");
    EXPECT_EQ(parsed->diagnostics.items().back().line, 2u);
    EXPECT_THAT(parsed->diagnostics.items().back().notes,
                ElementsAre("run: kinemorph expand robot.urdf -o robot.urdf"));
  }
  for (const char* text : {"<r xmlns:xacro='u'/>", "<r xmlns:xacro='u'><xacro:grey/></r>",
                           "<r><!-- <xacro:macro/> --></r>"})
    EXPECT_TRUE(Parse(text)->document) << text;
}

struct Case {
  const char* name;
  std::string text;
  const char* code;
  const char* words;
};

std::string CaseName(const testing::TestParamInfo<Case>& param) { return param.param.name; }

class Refused : public testing::TestWithParam<Case> {};

TEST_P(Refused, WithOneErrorAndALine) {
  const auto parsed = Parse(GetParam().text);
  EXPECT_EQ(parsed->document, nullptr);
  ASSERT_EQ(parsed->diagnostics.num_errors(), 1u);
  const Diagnostic& error = parsed->diagnostics.items().back();
  EXPECT_EQ(error.code, GetParam().code);
  EXPECT_GT(error.line, 0u);
  EXPECT_THAT(Render(error), HasSubstr(GetParam().words));
}

std::string Repeated(const std::string& text, int n) {
  std::string out;
  for (int i = 0; i < n; ++i) out += text;
  return out;
}

std::string ManyAttributes() {
  std::string text = "<robot ";
  for (int i = 0; i < 300000; ++i) text += "a" + std::to_string(i) + "='1' ";
  return text + "/>";
}

INSTANTIATE_TEST_SUITE_P(
    Texts, Refused,
    testing::Values(
        Case{"Empty", "", "xml-empty", "empty"}, Case{"Blank", " \n ", "xml-empty", "empty"},
        Case{"NoElement", "hello", "xml-no-element", "no XML element"},
        Case{"CutInATag", "<robot>\n<link name='a", "xml-malformed", "robot.urdf:2"},
        Case{"Unclosed", "<robot>\n<link>\n</robot>", "xml-malformed", "'link' is not closed"},
        Case{"PaperTemplate", "<r><predecessor link='a'/>\n</predecessor></r>", "xml-malformed",
             "the URDF+ paper prints"},
        Case{"DuplicateAttribute", "<robot a='1' a='2'/>", "xml-malformed", "repeated"},
        Case{"SecondRoot", "<a/>\n<b/>", "xml-malformed", "robot.urdf:2: error: a second root"},
        Case{"SpaceBeforeAName", "<r>\n<  a>1</a></r>", "xml-malformed",
             "robot.urdf:2: error: a '<' is followed by white space"},
        Case{"TextAfterRoot", "<a/>\nEOF", "xml-malformed", "the file has text after"},
        Case{"Utf16", "\xFF\xFE<\0r\0", "xml-encoding", "UTF-16"},
        Case{"BadUtf8", "<robot name='\xE9'/>", "xml-encoding", "not valid UTF-8"},
        Case{"Binary", "<robot \x01/>", "xml-binary", "control character"},
        Case{"UnknownEncoding", "<?xml version='1.0' encoding='UTF-7'?><r/>", "xml-encoding",
             "utf-7"},
        Case{"BillionLaughs", "<!DOCTYPE r [<!ENTITY a 'x'>]><r>&a;</r>", "xml-entity", "refused"},
        Case{"ExternalEntity", "<!DOCTYPE r SYSTEM 'file:///etc/passwd'><r/>", "xml-entity",
             "refused"},
        Case{"DeepNesting", Repeated("<a>", 200000) + Repeated("</a>", 200000), "xml-too-deep",
             "99 levels"},
        Case{"DeepUnclosed", Repeated("<a>", 200000), "xml-too-deep", "99 levels"},
        Case{"CutInADeclaration", "<r>\n<!", "xml-malformed", "robot.urdf:2"},
        Case{"CutInADeclarationAfterRoot", "<r/>\n<!DOCTYPE", "xml-malformed", "robot.urdf:2"},
        Case{"CutBeforeAComment", "<r>\n<!-", "xml-malformed", "robot.urdf:2"},
        Case{"CutInAComment", "<r>\n<!-- a", "xml-malformed", "may be cut off"},
        Case{"NothingButADeclaration", "<!", "xml-malformed", "robot.urdf:1"},
        Case{"ManyDeclarations", "<r>" + Repeated("<!A>", 1000000), "xml-malformed",
             "robot.urdf:1"},
        Case{"ManyTinyElements", "<r>" + Repeated("<a/>", 1000000) + "</r>", "xml-too-dense",
             "elements in 4000007 bytes"},
        Case{"Escape", "<r>\n<a name='x&#27;[31m'/></r>", "xml-reference",
             "robot.urdf:2: error: '&#27;'"},
        Case{"EscapeInHex", "<r a='&#x1b;'/>", "xml-reference", "'&#x1b;'"},
        Case{"Zero", "<r>&#0;</r>", "xml-reference", "'&#0;'"},
        Case{"Surrogate", "<r>&#xD800;</r>", "xml-reference", "D800"},
        Case{"NoNumber", "<r>" + Repeated("&#x", 1000000) + "</r>", "xml-reference",
             "a character that XML does not allow"},
        Case{"ManyAttributes", ManyAttributes(), "xml-too-many-attributes", "300000"}),
    CaseName);

class Tolerated : public testing::TestWithParam<Case> {};

TEST_P(Tolerated, WithAWarning) {
  const auto parsed = Parse(GetParam().text);
  ASSERT_NE(parsed->document, nullptr);
  EXPECT_EQ(parsed->diagnostics.num_errors(), 0u);
  ASSERT_EQ(parsed->diagnostics.items().size(), *GetParam().code ? 1u : 0u);
  if (*GetParam().code) { EXPECT_EQ(parsed->diagnostics.items()[0].code, GetParam().code); }
  EXPECT_EQ(parsed->document->root().Attribute("name", ""), GetParam().words);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, Tolerated,
    testing::Values(
        Case{"ByteOrderMark", "\xEF\xBB\xBF<r name='a'/>", "", "a"},
        Case{"CrLf", "<r\r\nname='a'/>\r\n", "", "a"},
        Case{"DashesInComment", "<r name='a'><!-- gz topic --echo --></r>", "xml-double-dash", "a"},
        Case{"Latin1InComment", "<r name='a'><!-- \xE9 --></r>", "xml-bad-comment-bytes", "a"},
        Case{"Latin1Declared", "<?xml version='1.0' encoding='ISO-8859-1'?><r name='\xE9'/>",
             "xml-transcoded", "\xC3\xA9"},
        Case{"BlankLineBeforeDeclaration", "\n<?xml version='1.0'?><r name='a'/>",
             "xml-junk-before-root", "a"},
        Case{"CommentBeforeDeclaration", "<!-- c -->\n<?xml version='1.0'?><r name='a'/>",
             "xml-junk-before-root", "a"},
        Case{"HalfDeclaration", "?xml version='1.0'?>\n<r name='a'/>", "xml-junk-before-root", "a"},
        Case{"UnboundPrefix", "<r name='a'><drake:x/></r>", "xml-unbound-prefix", "a"},
        Case{"References", "<r name='&#65;&#x42;&amp;&#9;'/>", "", "AB&\t"},
        Case{"UndefinedEntity", "<r name='a&nbsp;b'/>", "xml-entity-undefined", "a&nbsp;b"},
        Case{"BareAmpersand", "<r name='a & b'/>", "xml-entity-undefined", "a & b"},
        Case{"ReferenceInAComment", "<r name='a'><!-- &#0; &x; --></r>", "", "a"},
        Case{"ReferenceInCdata", "<r name='a'><![CDATA[ &#0; &x; ]]></r>", "", "a"},
        Case{"Doctype", "<!DOCTYPE robot>\n<r name='a'/>", "", "a"},
        Case{"CommentAfterRoot", "<r name='a'/>\n<!-- end -->\n", "", "a"}),
    CaseName);

}  // namespace
}  // namespace kinemorph::xml

// Tags of a text that is not parsed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "kinemorph/formats/xml_tags.h"

namespace kinemorph {
namespace {

TEST(Tags, TheRootIsFoundBehindCommentsAndDeclarations) {
  EXPECT_EQ(RootElementName("<?xml version='1.0'?>\n<!-- <sdf> -->\n<robot name='x'>"), "robot");
  EXPECT_EQ(RootElementName("<!DOCTYPE robot><sdf>"), "sdf");
  EXPECT_EQ(RootElementName("<sdf"), "sdf");
  EXPECT_EQ(RootElementName("no xml"), "");
  EXPECT_EQ(RootElementName("<!-- never closed <sdf>"), "");
}

TEST(Tags, AttributesAreViewsOfTheText) {
  std::string text = "<a>\n<b c = 'x > y'\n d=\"2\"/><![CDATA[<b d='no'/>]]></a>";
  const auto tag = NextTag(text, "b");
  ASSERT_TRUE(tag);
  EXPECT_EQ(tag->Attribute("c"), "x > y");
  EXPECT_EQ(tag->Attribute("x"), std::nullopt);
  EXPECT_TRUE(tag->empty);
  EXPECT_FALSE(NextTag(text)->empty);
  EXPECT_FALSE(HasComment(text));
  EXPECT_TRUE(HasComment("<a><!-- b --></a>"));
  const auto d = tag->Attribute("d");
  ASSERT_EQ(d, "2");
  text.replace(static_cast<std::size_t>(d->data() - text.data()), d->size(), "3");
  EXPECT_THAT(text, testing::HasSubstr("d=\"3\"/>"));
  EXPECT_FALSE(NextTag(text, "b", tag->end));
  const auto last = NextTag(text, tag->end);
  ASSERT_TRUE(last);
  EXPECT_TRUE(last->closes);
  EXPECT_EQ(last->name, "a");
  EXPECT_EQ(TextBehind("<n> arm\n</n>", *NextTag("<n> arm\n</n>")), "arm");
}

}  // namespace
}  // namespace kinemorph

// Content of one format as the proof compares it.
#include <gtest/gtest.h>

#include "conversion.h"
#include "kinemorph/converters/verify.h"
#include "kinemorph/formats/native_canonical.h"
#include "native_xml.h"
#include "verify/says_all.h"

namespace kinemorph::test {
namespace {

// A zero of the part may be absent, but not be another number.
TEST(Canonical, MoreMayBeSaidAndZerosMayBeLeftOut) {
  const auto says = [](const char* whole, const char* part, bool zeros) {
    return verify::SaysAllOf(Canonical(Tree(whole), "sdf"), Canonical(Tree(part), "sdf"), zeros);
  };
  const char* const part = "<a><x>0.0</x><y>1</y><c><z>-0</z></c></a>";
  EXPECT_TRUE(says("<a><y>1</y></a>", part, true));
  EXPECT_FALSE(says("<a><y>1</y></a>", part, false));
  EXPECT_TRUE(says("<a><x>0</x><new/><y>1</y><c><z>-0</z></c></a>", part, false));
  EXPECT_FALSE(says("<a><x>5</x><y>1</y></a>", part, true));
  EXPECT_FALSE(says("<a><y>1</y><c><z>2</z></c></a>", part, true));
  EXPECT_FALSE(says("<a><y>2</y></a>", part, true));
  EXPECT_FALSE(says("<a><b><y>1</y></b></a>", part, true)) << "elsewhere";
  EXPECT_FALSE(says("<a/>", "<a><x/></a>", true)) << "nothing is not a zero";
}

// Whole turns turn nothing.
TEST(Canonical, AnglesCountWithoutWholeTurns) {
  const auto same = [](const char* a, const char* b) {
    return Canonical(Tree(a), "sdf") == Canonical(Tree(b), "sdf");
  };
  EXPECT_TRUE(same("<o rpy='0.3 0 1'/>", "<o rpy='6.583185307179586 0 -5.283185307179586'/>"));
  EXPECT_TRUE(same("<o rpy='3.141592653589793 0 0'/>", "<o rpy='-3.141592653589793 0 0'/>"));
  EXPECT_FALSE(same("<o rpy='0.3 0 1'/>", "<o rpy='0.300001 0 1'/>"));
  EXPECT_FALSE(same("<o rpy='0.3 0 1'/>", "<o rpy='3.441592653589793 0 1'/>")) << "half a turn";
  EXPECT_FALSE(same("<pose>1 2 3 0.3 0 1</pose>", "<pose>1 2 3 3.441592653589793 0 1</pose>"));
  EXPECT_FALSE(same("<o xyz='0.3 0 1'/>", "<o xyz='6.583185307179586 0 1'/>"));
  EXPECT_TRUE(same("<l><pose>1 2 3 0.3 0 1</pose></l>",
                   "<l><pose> 1 2 3  6.583185307179586 0 1.0</pose></l>"));
  EXPECT_FALSE(same("<pose>1 2 3 0.3 0 1</pose>", "<pose>7.283185307179586 2 3 0.3 0 1</pose>"));
  EXPECT_TRUE(same("<pose degrees='true'>1 2 3 30 0 1</pose>",
                   "<pose degrees='true'>1 2 3 390 0 1</pose>"));
  EXPECT_FALSE(same("<pose degrees='true'>1 2 3 0.3 0 1</pose>",
                    "<pose degrees='true'>1 2 3 6.583185307179586 0 1</pose>"));
  EXPECT_FALSE(same("<poses>1 2 3 0.3 0 1</poses>", "<poses>1 2 3 6.583185307179586 0 1</poses>"));
  EXPECT_EQ(BriefText(Canonical(Tree("<o rpy='a b c'/>"), "sdf")), "<o rpy=a b c></>");
  const NativeElement turned = Tree("<o rpy='6.5 0 1'/>");
  EXPECT_EQ(Canonical(turned, "urdf"), Canonical(turned, "")) << "what nobody read";
  EXPECT_EQ(BriefText(Canonical(turned, "mjcf")), "<o rpy=6.5 0 1></>") << "a word of no family";
}

// Zeros may be left out of a hand-written MBS; all else that it says must be there.
TEST(Canonical, WhatMbsKeepsAsTextIsCompared) {
  Diagnostics reading;
  const std::optional<Model> a =
      ReadFile(Fixtures() + "/accounting/hung_on_everything.mbs", reading);
  ASSERT_TRUE(a) << Rendered(reading);
  const LossReport nothing_lost;
  VerifyOptions options;
  options.report = &nothing_lost;
  const auto verdict = [&](const std::string& from, const std::string& to) {
    Model b = *a;
    for (NativeData& data : b.native) {
      std::string text = Xml(data);
      const std::size_t at = text.find(from);
      if (at != std::string::npos) data.content = Tree(text.replace(at, from.size(), to));
    }
    return VerifyEquivalent(*a, b, options).verdict;
  };
  EXPECT_NE(verdict("<qd>0.0</qd>", ""), Verdict::kDifferent);
  EXPECT_EQ(verdict("1.30.0", "1.31.0"), Verdict::kDifferent);
  EXPECT_EQ(verdict("<qd>0.0</qd>", "<qd>0.5</qd>"), Verdict::kDifferent);
}

}  // namespace
}  // namespace kinemorph::test

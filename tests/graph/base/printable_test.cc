// What a name may do to whoever reads it.
#include "kinemorph/graph/base/printable.h"

#include <gtest/gtest.h>

#include <string>

namespace kinemorph {
namespace {

TEST(Printable, LeavesWordsOfAllLanguages) {
  for (const char* text : {"", "knee joint", "Gelenk für Füße", "膝関節", "колено", "🦿",
                           "a:b::c", "#1 [x]", "\xCC\x81"})
    EXPECT_EQ(Printable(text), text);
}

TEST(Printable, WritesControlsAndMarksAsNumbers) {
  EXPECT_EQ(Printable("a\x1b[2J"), "a\\x1b[2J");
  EXPECT_EQ(Printable("a\tb\rc\x7f"), "a\\x09b\\x0dc\\x7f");
  EXPECT_EQ(Printable("\xC2\x9B"), "\\x9b");
  EXPECT_EQ(Printable("\xC2\xA0"), "\xC2\xA0");
  for (const char* digits : {"200e", "200f", "2028", "2029", "202a", "202e", "2066", "2069"}) {
    const auto code = static_cast<unsigned>(std::stoul(digits, nullptr, 16));
    const std::string mark = {static_cast<char>(0xE0 | code >> 12),
                              static_cast<char>(0x80 | (code >> 6 & 0x3F)),
                              static_cast<char>(0x80 | (code & 0x3F))};
    EXPECT_EQ(Printable(mark), "\\u" + std::string(digits));
    EXPECT_EQ(PrintableJson("\"" + mark + "\""), "\"\\u" + std::string(digits) + "\"");
  }
}

TEST(Printable, WritesBytesThatAreNoTextAsNumbers) {
  EXPECT_EQ(Printable("\x9b"), "\\x9b");
  EXPECT_EQ(Printable("\xC0\xAF"), "\\xc0\\xaf");           // overlong
  EXPECT_EQ(Printable("\xED\xA0\x80"), "\\xed\\xa0\\x80");  // half of a pair
  EXPECT_EQ(Printable("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(Printable("\xE2\x80"), "\\xe2\\x80");
}

TEST(Printable, StartsNoCommandOfABuild) {
  EXPECT_EQ(Printable("::error::x"), "\\x3a:error::x");
  EXPECT_EQ(Printable("  ::error::x"), "  \\x3a:error::x");
  EXPECT_EQ(Printable("a\n::error::x"), "a\\n::error::x");
  EXPECT_EQ(Printable("a\n ::error::x", LineEnds::kIndented), "a\n     \\x3a:error::x");
  EXPECT_EQ(Printable("a\n::error::x", LineEnds::kKept), "a\n\\x3a:error::x");
  EXPECT_EQ(Printable("a ##[error]x"), "a \\x23#[error]x");
  EXPECT_EQ(Printable("a ##vso[task]x"), "a \\x23#vso[task]x");
  EXPECT_EQ(PrintableJson("\"##[error]\xC2\x9B\x7F\""), "\"\\u0023#[error]\\u009b\\u007f\"");
}

}  // namespace
}  // namespace kinemorph

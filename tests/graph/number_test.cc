// Numbers as text.
#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include "kinemorph/graph/model_dump.h"

namespace kinemorph {
namespace {

TEST(FormatNumber, PlainDecimalsWhereTheyAreShort) {
  EXPECT_EQ(FormatNumber(0), "0");
  EXPECT_EQ(FormatNumber(-0.0), "0");
  EXPECT_EQ(FormatNumber(0.001), "0.001");
  EXPECT_EQ(FormatNumber(0.0001), "0.0001");
  EXPECT_EQ(FormatNumber(-3.25), "-3.25");
  EXPECT_EQ(FormatNumber(100000), "100000");
  EXPECT_EQ(FormatNumber(1.5707963267948966), "1.5707963267948966");
  EXPECT_EQ(FormatNumber(0.1 + 0.2), "0.30000000000000004");
}

TEST(FormatNumber, ScientificWhereItIsClearlyShorter) {
  EXPECT_EQ(FormatNumber(1e-6), "1e-06");
  EXPECT_EQ(FormatNumber(1.5e-7), "1.5e-07");
  EXPECT_EQ(FormatNumber(1e20), "1e+20");
  EXPECT_EQ(FormatNumber(std::numeric_limits<double>::denorm_min()), "5e-324");
  EXPECT_EQ(FormatNumber(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
}

TEST(FormatNumber, ReadsBackToTheBit) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (value != value) continue;
    ASSERT_EQ(std::strtod(FormatNumber(value).c_str(), nullptr), value);
    const double usual = static_cast<double>(bits >> 40) / 1000;
    ASSERT_EQ(std::strtod(FormatNumber(usual).c_str(), nullptr), usual);
  }
}

TEST(FormatNumber, TheLocaleDoesNotMatter) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C"}) {
    if (std::setlocale(LC_ALL, name) == nullptr) continue;  // not installed here
    EXPECT_EQ(FormatNumber(1234567.5), "1234567.5") << name;
  }
  std::setlocale(LC_ALL, before.c_str());
}

}  // namespace
}  // namespace kinemorph

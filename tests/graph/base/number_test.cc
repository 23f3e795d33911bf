// Numbers as text.
#include <gtest/gtest.h>

#include <array>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include "kinemorph/graph/model/model_dump.h"

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

// What std::to_chars gives.
std::string Text(double value, std::chars_format format) {
  std::array<char, 400> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value, format).ptr};
}

TEST(FormatNumber, IsTheShorterOfTheTwoGeneralForms) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 100000; ++i) {
    const double integer = static_cast<double>(random() >> (i % 64)),
                 power = std::pow(10, static_cast<double>(i % 40) - 20);
    for (const double value : {integer * power, -integer / power, integer,
                               std::nextafter(integer / 1e3, 0), integer / 1e9}) {
      if (value == 0) continue;
      const std::string scientific = Text(value, std::chars_format::scientific),
                        fixed = Text(value, std::chars_format::fixed);
      const double magnitude = std::abs(value);
      const bool plain =
          magnitude >= 1e-6 && magnitude < 1e21 && fixed.size() <= scientific.size() + 2;
      ASSERT_EQ(FormatNumber(value), plain ? fixed : scientific);
    }
  }
}

TEST(NearDecimal, IsTheDecimalThatIsPrinted) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-4, 4);
  for (int i = 0; i < 20000; ++i) {
    const double any = uniform(random), power = std::pow(10, i % 16),
                 halfway = (std::round(any * power) + 0.5) / power;
    for (const double value : {any, halfway, any / power, any * power}) {
      for (int digits = 1; digits <= 15; ++digits) {
        std::array<char, 64> text{};
        const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                       std::chars_format::general, digits)
                             .ptr;
        double printed = 0;
        std::from_chars(text.data(), end, printed);
        ASSERT_EQ(NearDecimal(value, digits), printed)
            << FormatNumber(value) << " to " << digits << " digits";
      }
    }
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

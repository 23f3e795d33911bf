// A format that nothing reads is a target, and no more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion.h"
#include "convert_text.h"
#include "kinemorph/formats/formats.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;

// USD, as it would be if nothing read it.
const Format& WriteOnly() {
  static const Format kFormat = [] {
    Format format = *FindFormat("usda");
    format.read = nullptr;
    return format;
  }();
  return kFormat;
}

TEST(WriteOnly, NothingIsReadAndTheErrorSaysWhy) {
  ASSERT_EQ(WriteOnly().read, nullptr);
  Diagnostics said;
  EXPECT_FALSE(ReadModel("#usda 1.0\n", &WriteOnly(), {"m.usda", nullptr}, said));
  EXPECT_THAT(Rendered(said), HasSubstr("'m.usda': usda is written, not read"));
}

TEST(WriteOnly, ATextOfAnotherFormatIsNotTakenForIt) {
  Diagnostics said;
  const std::string urdf = "<robot name='r'><link name='a'/></robot>";
  const std::optional<Model> model = ReadModel(urdf, nullptr, {"m.usda", nullptr}, said);
  ASSERT_TRUE(model) << "what the text says counts";
  EXPECT_EQ(model->format, "urdf");
  EXPECT_THAT(Rendered(said, Severity::kWarning), HasSubstr("[format-mismatch]"));
}

// What is read is proved, and shown to the judge all the same.
TEST(WriteOnly, VerifyProvesUsdAndAsksItsJudge) {
  const auto verified =
      [](const std::function<bool(const Target&, const Bundle&, Diagnostics&)>& judge) {
        ConversionRequest request;
        request.in = "m.urdf";
        request.out = "m.usda";
        request.verify = true;
        request.judge = judge;
        return ConvertText(
            "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' "
            "iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>",
            request);
      };
  int asked = 0;
  const ConversionResult taken = verified([&](const Target&, const Bundle& written, Diagnostics&) {
    ++asked;
    return written.text.starts_with("#usda 1.0");
  });
  EXPECT_EQ(taken.end, ConversionEnd::kDone);
  EXPECT_EQ(asked, 1);
  ASSERT_TRUE(taken.proof);
  EXPECT_EQ(taken.proof->verdict, Verdict::kEquivalent);
  const ConversionResult refused =
      verified([](const Target&, const Bundle&, Diagnostics&) { return false; });
  EXPECT_NE(refused.end, ConversionEnd::kDone);
  EXPECT_EQ(refused.files.text, "");
}

}  // namespace
}  // namespace kinemorph::test

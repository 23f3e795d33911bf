// There and back: what the writer writes, the reader reads, in both dialects, over all fixtures.
#include "read.h"

namespace kinemorph::test::usd {
namespace {

// By verify, whose exceptions are the losses that the conversion told.
std::string Differences(const Model& source, const Target& target, bool& converted_at_all) {
  ConvertOptions options;
  options.target = target;
  Diagnostics converting, reading;
  const std::optional<Converted> converted = Convert(source, options, converting);
  converted_at_all = converted.has_value();
  if (!converted) return "";
  const std::optional<Model> again = ReadText(converted->text, "out.usda", reading);
  if (!again) return "not read: " + Rendered(reading);
  VerifyOptions verify;
  verify.report = &converted->lowered.report;
  verify.written = &*again;
  verify.states = 3;
  const VerifyResult result = VerifyEquivalent(source, *again, verify);
  if (!result.equivalent && result.verdict != Verdict::kNotProved) return result.line;
  if (const std::string said = Rendered(reading, Severity::kWarning);
      said.find("[not-used]") != std::string::npos)
    return "the writer writes what the reader does not know: " + said;
  return "";
}

class UsdRoundTrip : public testing::TestWithParam<const char*> {};

TEST_P(UsdRoundTrip, EveryFixtureIsProvedByItsOwnReader) {
  std::size_t proved = 0;
  for (const char* folder : {"/mechanisms", "/features", "/regressions", "/accounting", "/usd"}) {
    for (const std::string& file :
         FilesBelow(Fixtures() + folder, {".sdf", ".urdf", ".xml", ".mbs", ".usda"})) {
      Diagnostics reading;
      const std::optional<Model> source = ReadFile(file, reading);
      if (!source) continue;
      bool converted = false;
      EXPECT_EQ(Differences(*source, TargetNamed(GetParam()), converted), "") << file;
      proved += converted ? 1 : 0;
    }
  }
  EXPECT_GT(proved, 180u);
}

INSTANTIATE_TEST_SUITE_P(Dialects, UsdRoundTrip, testing::Values("usda", "usda physx"),
                         [](const auto& tested) {
                           return tested.param == std::string("usda") ? "Newton" : "PhysX";
                         });

// A second trip changes nothing that is said, but for the last digits of numbers.
TEST(UsdRoundTrip, ASecondTripLosesNothing) {
  for (const std::string& file : FilesBelow(Fixtures() + "/mechanisms", {".sdf"})) {
    Diagnostics said;
    std::optional<Model> model = ReadFile(file, said);
    ASSERT_TRUE(model);
    ConvertOptions options;
    options.target = TargetNamed("usda");
    const std::optional<Converted> first = Convert(*model, options, said);
    ASSERT_TRUE(first) << Rendered(said);
    model = ReadText(first->text, "a.usda", said);
    ASSERT_TRUE(model) << Rendered(said);
    const std::optional<Converted> second = Convert(*model, options, said);
    ASSERT_TRUE(second) << Rendered(said);
    EXPECT_TRUE(second->lowered.report.losses.empty())
        << file << LossReportText(second->lowered.report);
    const auto words = [](const std::string& text) {
      std::string out;
      for (const char c : text)
        if (std::string_view("0123456789.e+-").find(c) == std::string_view::npos) out += c;
      return out;
    };
    EXPECT_EQ(words(first->text), words(second->text)) << file;
  }
}

}  // namespace
}  // namespace kinemorph::test::usd

// A stage as OpenUSD stores it: what the schema keeps in single precision is rounded.
#include "kinemorph/graph/base/number.h"
#include "read.h"

namespace kinemorph::test::usd {
namespace {

// Single precision between the writer and the reader: what the schema stores, as OpenUSD does.
TEST(UsdRead, RankOutlivesSinglePrecision) {
  for (const char* name : {"four_bar_general", "delta_robot", "spherical_four_bar"}) {
    Diagnostics said;
    const std::optional<Model> source =
        ReadFile(Fixtures() + "/mechanisms/" + name + "/" + name + ".sdf", said);
    ConvertOptions options;
    options.target = TargetNamed("usda");
    const std::optional<Converted> converted = Convert(*source, options, said);
    ASSERT_TRUE(converted) << Rendered(said);
    std::string single;
    std::istringstream lines(converted->text);
    for (std::string line; std::getline(lines, line); single += line + "\n") {
      if (line.find("newton:inertia") != std::string::npos) line.clear();
      if (line.find(" physics:local") == std::string::npos) continue;
      const std::size_t at = line.find('(') + 1;
      std::istringstream numbers(line.substr(at));
      std::string rounded = line.substr(0, at);
      char comma = 0;
      for (double x = 0; numbers >> x; numbers >> comma)
        rounded +=
            (comma != 0 ? ", " : "") + FormatNumber(static_cast<double>(static_cast<float>(x)));
      line = rounded + ")";
    }
    const std::optional<Model> again = ReadText(single, "m.usda", said);
    ASSERT_TRUE(again) << Rendered(said);
    VerifyOptions verify;
    verify.report = &converted->lowered.report;
    verify.tolerance = 1e-6;
    for (const VerifyCheck& check : VerifyEquivalent(*source, *again, verify).checks)
      EXPECT_TRUE(check.what != "mobility" || check.max_error == 0) << name;
  }
}

}  // namespace
}  // namespace kinemorph::test::usd

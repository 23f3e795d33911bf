// Every code that the sources say has a line in the table of codes.
#include "kinemorph/converters/codes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "conversion.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

namespace fs = std::filesystem;

// Everything that looks like a code in the sources, less what is none.
std::set<std::string> CodesInSources() {
  const std::set<std::string> others = {"fail-on",
                                        "effort-lower",
                                        "effort-upper",
                                        "iso-8859-1",
                                        "k-position",
                                        "k-velocity",
                                        "latin-1",
                                        "limit-dissipation",
                                        "limit-stiffness",
                                        "loop-joint",
                                        "reference-position",
                                        "soft-lower",
                                        "soft-upper",
                                        "spring-reference",
                                        "spring-stiffness",
                                        "us-ascii",
                                        "utf-8",
                                        "windows-1252",
                                        "world-undeclared",
                                        "kinemorph-judge",
                                        "sarif-2",
                                        "touch-down",
                                        "lift-off",
                                        "friction-cone",
                                        "joint-limit",
                                        "velocity-limit",
                                        "effort-limit",
                                        "change-point",
                                        "frame-pairs",
                                        "hardware-plugin",
                                        "key-missing",
                                        "gz-sim-detachable-joint-system",
                                        "gz-sim-x-system",
                                        "as-asked",
                                        "on-successor",
                                        "attach-links",
                                        "loop-mark",
                                        "ratio-mark",
                                        "xacro-arg",
                                        "no-contact",
                                        "xdg-open",
                                        "control-lower",
                                        "control-upper",
                                        "apply-joint-force-system",
                                        "joint-controller-system",
                                        "joint-position-controller-system",
                                        "gz-sim",
                                        "ignition-gazebo",
                                        "site-packages",
                                        "dist-packages"};
  const std::regex literal("\"([a-z]+(?:-[a-z0-9]+)+)\"");
  std::set<std::string> codes;
  for (const char* root : {"graph/src", "formats", "converters", "tools"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SourceDir()) / root)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cc" && extension != ".h") continue;
      const std::string text = ReadAll(entry.path().string());
      for (std::sregex_iterator match(text.begin(), text.end(), literal), end; match != end;
           ++match) {
        Feature feature{};
        const std::string word = (*match)[1];
        if (!FeatureFromName(word, feature) && others.count(word) == 0) codes.insert(word);
      }
    }
  }
  return codes;
}

TEST(Codes, EveryCodeOfTheSourcesIsExplained) {
  const std::set<std::string> codes = CodesInSources();
  EXPECT_GT(codes.size(), 250u);
  for (const std::string& code : codes)
    EXPECT_NE(FindCode(code), nullptr)
        << code << ": add a line to converters/report/codes.inc (or, where it is not a code, to "
        << "this test)";
}

}  // namespace
}  // namespace kinemorph::test

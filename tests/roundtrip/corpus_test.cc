// SDFormat -> URDF+ -> SDFormat and URDF(+) -> SDFormat -> URDF+ over real files: every step is
// proved equivalent by `verify`.
#include <gtest/gtest.h>

#include <iostream>

#include "conversion.h"
#include "kinemorph/converters/verify.h"
#include "urdf_plus_rules.h"

namespace kinemorph::test {
namespace {

// What was written, read back; null and a message where it is not equivalent to `source`.
std::optional<Model> Proved(const Model& source, const std::string& format, const std::string& path,
                            std::string& failure) {
  ConvertOptions options;
  options.target = TargetNamed(format);
  Diagnostics converting, reading;
  const std::optional<Converted> converted = Convert(source, options, converting);
  if (!converted) {
    // A file of several models, or a model without links, is not for a format of one robot.
    failure = Rendered(converting);
    return std::nullopt;
  }
  std::optional<Model> written =
      ReadText(converted->text, "/tmp/out" + Extension(options.target.format->name), reading);
  if (!written) {
    ADD_FAILURE() << path << " -> " << format << ": what was written cannot be read\n"
                  << Rendered(reading);
    return std::nullopt;
  }
  if (format == "urdf+") {
    const std::vector<std::string> violations = ReferenceViolations(converted->text);
    EXPECT_TRUE(violations.empty())
        << path << " -> " << format << ": " << testing::PrintToString(violations);
  }
  VerifyOptions verify;
  verify.states = 3;
  verify.report = &converted->lowered.report;
  const VerifyResult result = VerifyEquivalent(source, *written, verify);
  for (const VerifyCheck& check : result.checks) {
    EXPECT_LE(check.max_error, check.tolerance)
        << path << " -> " << format << ": " << check.what << ", worst at " << check.worst;
  }
  return written;
}

struct Tally {
  int files = 0, proved = 0;
};

void ThereAndBack(const std::string& path, const std::string& via, const std::string& home,
                  Tally& tally) {
  Diagnostics reading;
  const std::optional<Model> source = ReadFile(path, reading);
  if (!source) return;
  ++tally.files;
  std::string failure;
  const std::optional<Model> middle = Proved(*source, via, path, failure);
  if (!middle) {
    EXPECT_TRUE(failure.find("[several-models]") != std::string::npos ||
                failure.find("[several-roots]") != std::string::npos ||
                failure.find("[no-links]") != std::string::npos)
        << path << " -> " << via << ": " << failure;
    return;
  }
  if (!Proved(*middle, home, path + " -> " + via, failure)) {
    EXPECT_NE(failure.find("[no-links]"), std::string::npos)
        << path << " -> " << via << " -> " << home << ": " << failure;
    return;
  }
  ++tally.proved;
}

void Prove(const std::string& folder, const std::vector<std::string>& extensions,
           const std::string& via, const std::string& home, int least) {
  const std::vector<std::string> files =
      FilesBelow(std::filesystem::path(Shared()) / folder, extensions);
  if (files.empty()) GTEST_SKIP() << "no " << folder << " beside the project";
  Tally tally;
  for (const std::string& path : files) ThereAndBack(path, via, home, tally);
  std::cout << tally.proved << " of " << tally.files << " readable files there and back\n";
  EXPECT_GE(tally.proved, least);
}

TEST(CorpusThereAndBack, SdformatThroughUrdfPlus) {
  Prove("corpus/sdf", {".sdf", ".world"}, "urdf+", "sdf", 160);
}
TEST(CorpusThereAndBack, UrdfThroughSdformat) {
  Prove("corpus/urdf", {".urdf", ".URDF"}, "sdf@1.11", "urdf+", 280);
}
TEST(CorpusThereAndBack, UrdfPlusThroughSdformat) {
  Prove("urdf_plus", {".urdf"}, "sdf@1.11", "urdf+", 120);
}

}  // namespace
}  // namespace kinemorph::test

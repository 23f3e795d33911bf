// What tests of profiles share: the way there and back, and the sweeps over fixtures and corpus.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "conversion.h"
#include "kinemorph/converters/verify.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"

namespace kinemorph::test {

struct Outcome {
  std::optional<Converted> converted;
  std::string errors, verdict;
};

/// A target as TargetNamed has it, and the end of its files.
struct ProfileTarget {
  const char *name, *extension;
  /// The first thing in a text that the profile must not have, or nothing.
  std::string (*breach)(const std::string& text);
  const char* refusal = "";  ///< of what the profile refuses by name; empty: nothing
};

inline Outcome ForProfile(const Model& source, const ProfileTarget& target) {
  Outcome out;
  ConvertOptions options;
  options.target = TargetNamed(target.name);
  for (const Scope& scope : source.scopes)
    if (!scope.is_world && options.model.empty()) options.model = scope.name;
  Diagnostics messages, reading;
  out.converted = Convert(source, options, messages);
  out.errors = Rendered(messages);
  if (!out.converted) return out;
  const std::optional<Model> again =
      ReadText(out.converted->text, std::string("/tmp/out") + target.extension, reading);
  if (!again || reading.has_errors()) return out.errors = out.verdict = Rendered(reading), out;
  VerifyOptions verify;
  verify.report = &out.converted->lowered.report;
  verify.written = &*again;
  verify.model = options.model;
  const VerifyResult result = VerifyEquivalent(source, *again, verify);
  // A unknown mass is not proved anywhere.
  if (result.verdict != Verdict::kDifferent) return out;
  for (const VerifyCheck& check : result.checks)
    if (check.max_error > check.tolerance)
      out.verdict += check.what + " " + std::to_string(check.max_error) + " " + check.worst + "\n";
  if (out.verdict.empty()) out.verdict = "not equivalent\n";
  return out;
}

struct Tally {
  std::size_t files = 0, looped = 0, same = 0;
  std::string rest;
};

inline void SweepProfile(const std::vector<std::string>& files, bool looped_only,
                         const ProfileTarget& target, Tally& tally) {
  for (const std::string& path : files) {
    Diagnostics reading;
    const std::optional<Model> source = ReadFile(path, reading);
    if (!source || reading.has_errors()) continue;
    const bool looped = !ChooseSpanningTree(*source).loop_joints.empty();
    if (looped_only && !looped) continue;
    const Outcome out = ForProfile(*source, target);
    if (!out.converted && *target.refusal != 0 &&
        out.errors.find(target.refusal) != std::string::npos)
      continue;
    ++tally.files;
    tally.looped += looped ? 1 : 0;
    const std::string breach = out.converted ? target.breach(out.converted->text) : "";
    EXPECT_EQ(breach, "") << path;
    if (out.converted && out.verdict.empty() && breach.empty())
      ++tally.same;
    else
      tally.rest += path + ": " + (out.converted ? out.verdict : out.errors);
  }
}

inline void ExpectMostTheSame(const std::string& what, const Tally& tally) {
  std::cout << what << ": " << tally.same << " of " << tally.files << " (" << tally.looped
            << " looped) the same up to the losses told\n"
            << tally.rest;
  EXPECT_GE(static_cast<double>(tally.same), 0.98 * static_cast<double>(tally.files));
}

inline void SweepFixtures(const ProfileTarget& target) {
  Tally tally;
  for (const char* folder : {"/features", "/mechanisms", "/regressions", "/motion"})
    SweepProfile(FilesBelow(Fixtures() + folder, {".sdf", ".urdf", ".xml", ".mbs"}), false, target,
                 tally);
  EXPECT_GT(tally.files, 100U);
  ExpectMostTheSame(std::string("fixtures to ") + target.name, tally);
}

inline void SweepCorpus(const ProfileTarget& target) {
  Tally tally;
  for (const char* folder : {"corpus", "urdf_plus", "legs", "mbs"})
    SweepProfile(
        FilesBelow(std::filesystem::path(Shared()) / folder, {".sdf", ".urdf", ".xml", ".mbs"}),
        true, target, tally);
  if (tally.files == 0) GTEST_SKIP() << "no corpus beside the project";
  ExpectMostTheSame(std::string("corpus to ") + target.name, tally);
}

}  // namespace kinemorph::test

// What the tests of Drake's profiles share: a robot with its elements, the way there and back, and
// the sweeps over fixtures and corpus.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "conversion.h"
#include "kinemorph/converters/conversion.h"
#include "kinemorph/converters/verify.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"

namespace kinemorph::test {

struct Outcome {
  std::optional<Converted> converted;
  std::string errors, verdict;
};

// `format`: urdf or sdf.
inline Outcome ForDrake(const Model& source, const std::string& format = "urdf") {
  Outcome out;
  ConvertOptions options;
  options.target = TargetNamed(format + " drake");
  for (const Scope& scope : source.scopes)
    if (!scope.is_world && options.model.empty()) options.model = scope.name;
  Diagnostics messages, reading;
  out.converted = Convert(source, options, messages);
  out.errors = Rendered(messages);
  if (!out.converted) return out;
  const std::optional<Model> again = ReadText(out.converted->text, "/tmp/out." + format, reading);
  if (!again || reading.has_errors()) return out.errors = out.verdict = Rendered(reading), out;
  VerifyOptions verify;
  verify.report = &out.converted->lowered.report;
  verify.model = options.model;
  const VerifyResult result = VerifyEquivalent(source, *again, verify);
  // A mass that nobody knows is not proved anywhere.
  if (result.verdict != Verdict::kDifferent) return out;
  for (const VerifyCheck& check : result.checks)
    if (check.max_error > check.tolerance)
      out.verdict += check.what + " " + std::to_string(check.max_error) + " " + check.worst + "\n";
  if (out.verdict.empty()) out.verdict = "not equivalent\n";
  return out;
}

inline std::string Robot(const std::string& rest) {
  const auto link = [](const std::string& name) {
    return "<link name=\"" + name +
           "\"><inertial><origin xyz=\"0 0 0.1\"/><mass value=\"1\"/><inertia ixx=\"0.1\" "
           "ixy=\"0\" "
           "ixz=\"0\" iyy=\"0.1\" iyz=\"0\" izz=\"0.1\"/></inertial></link>\n";
  };
  const auto joint = [](const std::string& name, const std::string& child) {
    return "<joint name=\"" + name + "\" type=\"revolute\"><parent link=\"base\"/><child link=\"" +
           child +
           "\"/><axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"1\" effort=\"5\" velocity=\"2\" "
           "drake:acceleration=\"7\"/></joint>\n";
  };
  return "<robot name=\"arms\" xmlns:drake=\"http://drake.mit.edu\">\n" + link("base") +
         link("left") + link("right") + joint("l", "left") + joint("r", "right") + rest +
         "</robot>\n";
}

inline Model Read(const std::string& text, std::string* said = nullptr) {
  Diagnostics reading;
  std::optional<Model> model = ReadText(text, "/tmp/in.urdf", reading);
  EXPECT_TRUE(model && !reading.has_errors()) << Rendered(reading);
  if (said != nullptr) *said = Rendered(reading, Severity::kWarning);
  return model ? std::move(*model) : Model();
}

inline const char* const kTendon =
    R"(<drake:tendon_constraint name="twin"><drake:tendon_constraint_joint name="l" a="1"/>
<drake:tendon_constraint_joint name="r" a="-2"/><drake:tendon_constraint_offset value="0.25"/>
<drake:tendon_constraint_lower_limit value="0.5"/><drake:tendon_constraint_upper_limit value="0.5"/></drake:tendon_constraint>)";
inline const char* const kGroups =
    R"(<drake:collision_filter_group name="one"><drake:member link="left"/><drake:ignored_collision_filter_group name="two"/></drake:collision_filter_group>
<drake:collision_filter_group name="two"><drake:member link="right"/></drake:collision_filter_group>)";
inline const char* const kRotor =
    R"(<transmission name="t"><type>transmission_interface/SimpleTransmission</type><joint name="l"/>
<actuator name="motor"><drake:rotor_inertia value="0.001"/><drake:gear_ratio value="10"/></actuator></transmission>)";

struct Tally {
  std::size_t files = 0, looped = 0, same = 0;
  std::string rest;
};

/// The first trap of Drake's that a text runs into, or nothing.
using TrapOf = std::string (*)(const std::string& text);

inline void SweepForDrake(const std::vector<std::string>& files, bool looped_only,
                          const std::string& format, TrapOf trap_of, Tally& tally) {
  for (const std::string& path : files) {
    Diagnostics reading;
    const std::optional<Model> source = ReadFile(path, reading);
    if (!source || reading.has_errors()) continue;
    const bool looped = !ChooseSpanningTree(*source).loop_joints.empty();
    if (looped_only && !looped) continue;
    ++tally.files;
    tally.looped += looped ? 1 : 0;
    const Outcome out = ForDrake(*source, format);
    const std::string trap = out.converted ? trap_of(out.converted->text) : "";
    EXPECT_EQ(trap, "") << path;
    if (out.converted && out.verdict.empty() && trap.empty())
      ++tally.same;
    else
      tally.rest += path + ": " + (out.converted ? out.verdict : out.errors);
  }
}

inline void Tell(const std::string& what, const Tally& tally) {
  std::cout << what << ": " << tally.same << " of " << tally.files << " (" << tally.looped
            << " looped) the same for Drake up to the losses told\n"
            << tally.rest;
}

inline void SweepFixtures(const std::string& format, TrapOf trap_of) {
  Tally tally;
  for (const char* folder : {"/features", "/mechanisms", "/regressions", "/motion"})
    SweepForDrake(FilesBelow(Fixtures() + folder, {".sdf", ".urdf", ".xml", ".mbs"}), false, format,
                  trap_of, tally);
  Tell("fixtures in " + format, tally);
  EXPECT_GT(tally.files, 100U);
  EXPECT_GE(static_cast<double>(tally.same), 0.98 * static_cast<double>(tally.files));
}

inline void SweepCorpus(const std::string& format, TrapOf trap_of) {
  Tally tally;
  for (const char* folder : {"corpus", "urdf_plus", "legs", "mbs"})
    SweepForDrake(
        FilesBelow(std::filesystem::path(Shared()) / folder, {".sdf", ".urdf", ".xml", ".mbs"}),
        true, format, trap_of, tally);
  if (tally.files == 0) GTEST_SKIP() << "no corpus beside the project";
  Tell("corpus in " + format, tally);
  EXPECT_GE(static_cast<double>(tally.same), 0.98 * static_cast<double>(tally.files));
}

}  // namespace kinemorph::test

// URDF for Drake: its own elements for loops, couplings, contacts and rotors, there and back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

#include "conversion.h"
#include "kinemorph/converters/conversion.h"
#include "kinemorph/converters/verify.h"
#include "kinemorph/formats/xml_tags.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"

namespace kinemorph::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Outcome {
  std::optional<Converted> converted;
  std::string errors, verdict;
};

Outcome ForDrake(const Model& source) {
  Outcome out;
  ConvertOptions options;
  options.target = TargetNamed("urdf drake");
  for (const Scope& scope : source.scopes)
    if (!scope.is_world && options.model.empty()) options.model = scope.name;
  Diagnostics messages, reading;
  out.converted = Convert(source, options, messages);
  out.errors = Rendered(messages);
  if (!out.converted) return out;
  const std::optional<Model> again = ReadText(out.converted->text, "/tmp/out.urdf", reading);
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

// The first trap that the text runs into, or nothing.
std::string Trap(const std::string& text) {
  if (NextTag(text)->Attribute("xmlns:drake") != "http://drake.mit.edu") return "no namespace";
  std::map<std::string_view, int> count;
  std::optional<std::string_view> A;
  bool p_A = false, p_B = false;
  for (std::optional<XmlTag> tag = NextTag(text); tag; tag = NextTag(text, tag->end)) {
    const std::string_view name = tag->name;
    if (name == "drake:ball_constraint") {
      if (tag->closes && (!p_A || !p_B)) return "a ball without both points";
      A.reset(), p_A = p_B = false;
    }
    if (tag->closes) continue;
    for (const char* never : {"loop", "loop_joint", "drake:weld_constraint", "constraint",
                              "coupling", "drake:linear_bushing_rpy", "drake:joint"})
      if (name == never) return "<" + std::string(name) + ">";
    if (name == "drake:ball_constraint_body_A") A = tag->Attribute("name");
    if (name == "drake:ball_constraint_body_B" && A == tag->Attribute("name"))
      return "a ball of one body";
    p_A = p_A || (name == "drake:ball_constraint_p_AP" && tag->Attribute("value"));
    p_B = p_B || (name == "drake:ball_constraint_p_BQ" && tag->Attribute("value"));
    if (name == "gazebo" && !tag->Attribute("reference")) continue;
  }
  return "";
}

std::string Robot(const std::string& rest) {
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

Model Read(const std::string& text, std::string* said = nullptr) {
  Diagnostics reading;
  std::optional<Model> model = ReadText(text, "/tmp/in.urdf", reading);
  EXPECT_TRUE(model && !reading.has_errors()) << Rendered(reading);
  if (said != nullptr) *said = Rendered(reading, Severity::kWarning);
  return model ? std::move(*model) : Model();
}

const char* const kTendon =
    R"(<drake:tendon_constraint name="twin"><drake:tendon_constraint_joint name="l" a="1"/>
<drake:tendon_constraint_joint name="r" a="-2"/><drake:tendon_constraint_offset value="0.25"/>
<drake:tendon_constraint_lower_limit value="0.5"/><drake:tendon_constraint_upper_limit value="0.5"/></drake:tendon_constraint>)";
const char* const kGroups =
    R"(<drake:collision_filter_group name="one"><drake:member link="left"/><drake:ignored_collision_filter_group name="two"/></drake:collision_filter_group>
<drake:collision_filter_group name="two"><drake:member link="right"/></drake:collision_filter_group>)";
const char* const kRotor =
    R"(<transmission name="t"><type>transmission_interface/SimpleTransmission</type><joint name="l"/>
<actuator name="motor"><drake:rotor_inertia value="0.001"/><drake:gear_ratio value="10"/></actuator></transmission>)";

TEST(ReadDrake, ATendonThatCannotStretchIsACoupling) {
  const Model model = Read(Robot(kTendon));
  ASSERT_EQ(model.couplings.size(), 1U);
  const Coupling& c = model.couplings[0];
  EXPECT_EQ(c.name, "twin");
  ASSERT_EQ(c.terms.size(), 2U);
  EXPECT_EQ(c.terms[1].coefficients[0], -2);
  EXPECT_EQ(c.constant, 0.25);
  EXPECT_EQ(model.dialect, "drake");
}

TEST(ReadDrake, ATendonWithPlayOrGiveIsKeptAsText) {
  const std::string start =
      "<drake:tendon_constraint><drake:tendon_constraint_joint name=\"l\" a=\"1\"/>";
  const std::string same =
      "<drake:tendon_constraint_lower_limit value=\"0\"/><drake:tendon_constraint_upper_limit "
      "value=\"0\"/>";
  const auto said = [&](const std::string& inside) {
    std::string words;
    const Model model = Read(Robot(inside + "</drake:tendon_constraint>"), &words);
    EXPECT_EQ(model.couplings.size(), 0U);
    EXPECT_EQ(model.native.size(), 1U);
    return words;
  };
  EXPECT_THAT(said(start + "<drake:tendon_constraint_upper_limit value=\"1\"/>"),
              HasSubstr("its length may change between two limits"));
  EXPECT_THAT(said(start + same + "<drake:tendon_constraint_stiffness value=\"100\"/>"),
              HasSubstr("it has a stiffness and gives way"));
  EXPECT_THAT(
      said("<drake:tendon_constraint><drake:tendon_constraint_joint name=\"x\" a=\"1\"/>" + same),
      HasSubstr("joint 'x' is not defined"));
}

TEST(ReadDrake, GroupsAreLinksThatDoNotCollide) {
  const Model model = Read(Robot(kGroups));
  ASSERT_EQ(model.contact_exclusions.size(), 1U);
  EXPECT_EQ(model.link(model.contact_exclusions[0].a).name, "left");
  EXPECT_EQ(model.link(model.contact_exclusions[0].b).name, "right");
  EXPECT_TRUE(model.native.empty());
}

TEST(ReadDrake, GroupsThatNameWhatIsNotThereAreKeptAsText) {
  const Model model = Read(Robot(
      R"(<drake:collision_filter_group name="one"><drake:member link="left"/><drake:ignored_collision_filter_group name="three"/></drake:collision_filter_group>)"));
  EXPECT_TRUE(model.contact_exclusions.empty());
  EXPECT_EQ(model.native.size(), 1U);
}

TEST(ReadDrake, ARotorIsTheArmatureOfItsJoint) {
  const Model model = Read(Robot(kRotor));
  EXPECT_DOUBLE_EQ(model.joint(*model.FindJoint("l")).axes[0].armature.value_or(0), 0.1);
  ASSERT_EQ(model.actuators.size(), 1U);
  EXPECT_EQ(model.actuators[0].native.content.Child("actuator")->Child("drake:rotor_inertia"),
            nullptr);
}

TEST(ReadDrake, ItsAccelerationLimitIsOne) {
  EXPECT_EQ(Read(Robot("")).joint(*Read(Robot("")).FindJoint("l")).axes[0].acceleration, 7);
}

TEST(ReadDrake, ARodIsALossByName) {
  std::string said;
  const Model model = Read(Robot("<drake:distance_constraint/>"), &said);
  EXPECT_THAT(said, HasSubstr("drake:distance_constraint"));
  ConvertOptions options;
  options.target = TargetNamed("mjcf");
  Diagnostics messages;
  const auto converted = Convert(model, options, messages);
  ASSERT_TRUE(converted);
  const auto& losses = converted->lowered.report.losses;
  EXPECT_TRUE(std::any_of(losses.begin(), losses.end(), [](const Loss& loss) {
    return loss.feature == Feature::kNativeData && loss.weight == Weight::kMotion &&
           loss.what.find("distance_constraint") != std::string::npos;
  }));
}

TEST(DrakeProfile, AllOfItComesBack) {
  const Model source =
      Read(Robot(std::string(kTendon) + kGroups + kRotor +
                 R"(<drake:ball_constraint name="tip"><drake:ball_constraint_body_A name="left"/>
<drake:ball_constraint_body_B name="right"/><drake:ball_constraint_p_AP value="0 0 1"/><drake:ball_constraint_p_BQ value="0 0 1"/></drake:ball_constraint>)"));
  const Outcome out = ForDrake(source);
  ASSERT_TRUE(out.converted) << out.errors;
  const std::string& text = out.converted->text;
  EXPECT_EQ(LossReportText(out.converted->lowered.report).find("not written"), std::string::npos)
      << LossReportText(out.converted->lowered.report);
  for (const char* part :
       {"URDF profile: drake", "<drake:ball_constraint name=\"tip\">", "drake:acceleration=\"7\"",
        "<drake:tendon_constraint_upper_limit value=\"0.25\"/>",
        "<drake:rotor_inertia value=\"0.1\"/>",
        "<drake:ignored_collision_filter_group name=\"right\"/>"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_EQ(Trap(text), "");
  EXPECT_EQ(out.verdict, "");
}

TEST(DrakeProfile, ItsPairsAreWordsOrLossesElsewhere) {
  const Model source = Read(Robot(kGroups));
  for (const char* target : {"urdf", "urdf+", "sdf", "mjcf", "mbs", "usda"}) {
    ConvertOptions options;
    options.target = TargetNamed(target);
    Diagnostics messages;
    EXPECT_TRUE(Convert(source, options, messages)) << target << "\n" << Rendered(messages);
  }
}

TEST(DrakeProfile, AnArmatureWithoutADriveIsALossByName) {
  Model source = Read(Robot(""));
  source.joint(*source.FindJoint("r")).axes[0].armature = 0.2;
  const Outcome out = ForDrake(source);
  ASSERT_TRUE(out.converted) << out.errors;
  ASSERT_EQ(out.converted->lowered.report.losses.size(), 1U);
  EXPECT_EQ(out.converted->lowered.report.losses[0].feature, Feature::kArmature);
  EXPECT_EQ(out.verdict, "");
}

// What stands in Drake's words would be lost in plain URDF.
TEST(DrakeProfile, ASourceOfDrakesStaysOneWhereUrdfIsAskedFor) {
  const Model source = Read(Robot(std::string(kTendon) + kGroups));
  ConversionRequest request;
  std::string why;
  request.to = "urdf";
  ASSERT_TRUE(TargetFor(request, source, why)) << why;
  EXPECT_EQ(TargetFor(request, source, why)->options.profile, "drake");
  request.to = "urdf+";
  EXPECT_EQ(TargetFor(request, source, why)->options.profile, "");
  request.to.clear();
  request.out = "robot.urdf";
  EXPECT_EQ(TargetFor(request, source, why)->format->name, "urdf");
}

TEST(Profiles, OneOfAnotherFormatIsWrongUse) {
  ConversionRequest request;
  std::string why;
  request.to = "sdf";
  request.options.target.options.profile = "portable";
  EXPECT_FALSE(TargetFor(request, Model(), why));
  EXPECT_EQ(why, "sdf has no profile 'portable'; with it: mjcf");
}

struct Tally {
  std::size_t files = 0, looped = 0, same = 0;
  std::string rest;
};

void Sweep(const std::vector<std::string>& files, bool looped_only, Tally& tally) {
  for (const std::string& path : files) {
    Diagnostics reading;
    const std::optional<Model> source = ReadFile(path, reading);
    if (!source || reading.has_errors()) continue;
    const bool looped = !ChooseSpanningTree(*source).loop_joints.empty();
    if (looped_only && !looped) continue;
    ++tally.files;
    tally.looped += looped ? 1 : 0;
    const Outcome out = ForDrake(*source);
    const std::string trap = out.converted ? Trap(out.converted->text) : "";
    EXPECT_EQ(trap, "") << path;
    if (out.converted && out.verdict.empty() && trap.empty())
      ++tally.same;
    else
      tally.rest += path + ": " + (out.converted ? out.verdict : out.errors);
  }
}

void Tell(const char* what, const Tally& tally) {
  std::cout << what << ": " << tally.same << " of " << tally.files << " (" << tally.looped
            << " looped) the same in Drake's URDF up to the losses told\n"
            << tally.rest;
}

TEST(DrakeProfile, EveryFixtureIsTheSameThere) {
  Tally tally;
  for (const char* folder : {"/features", "/mechanisms", "/regressions", "/motion"})
    Sweep(FilesBelow(Fixtures() + folder, {".sdf", ".urdf", ".xml", ".mbs"}), false, tally);
  Tell("fixtures", tally);
  EXPECT_GT(tally.files, 100U);
  EXPECT_GE(static_cast<double>(tally.same), 0.98 * static_cast<double>(tally.files));
}

TEST(DrakeProfile, EveryLoopedModelOfTheCorpusIsTheSame) {
  Tally tally;
  for (const char* folder : {"corpus", "urdf_plus", "legs", "mbs"})
    Sweep(FilesBelow(std::filesystem::path(Shared()) / folder, {".sdf", ".urdf", ".xml", ".mbs"}),
          true, tally);
  if (tally.files == 0) GTEST_SKIP() << "no corpus beside the project";
  Tell("corpus", tally);
  EXPECT_GE(static_cast<double>(tally.same), 0.98 * static_cast<double>(tally.files));
}

}  // namespace
}  // namespace kinemorph::test

// The rules of the lint, each on a robot that breaks it, and on its neighbour that does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion.h"
#include "kinemorph/graph/base/linear_algebra.h"
#include "kinemorph/graph/base/number.h"
#include "lint_words.h"

namespace kinemorph::test {
namespace {

using testing::HasSubstr;

// Three joints in a row, one line per element.
std::string Arm() {
  std::string text = "<robot name='arm'>\n<link name='base'/>\n";
  for (const char* name : {"a", "b", "c"}) {
    const std::string mass = name[0] == 'a' ? "1" : "2";
    text += "<link name='" + std::string(name) + "'><inertial><mass value='" + mass +
            "'/><inertia ixx='0.02' ixy='0' ixz='0' iyy='0.03' iyz='0' izz='0.04'/></inertial>"
            "</link>\n";
  }
  for (const auto& [parent, child] : {std::pair("base", "a"), {"a", "b"}, {"b", "c"}})
    text +=
        "<joint name='j" + std::string(child) +
        "' type='revolute'><origin xyz='0 0 0.3'/><parent link='" + parent + "'/><child link='" +
        child +
        "'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='10' velocity='2'/></joint>\n";
  return text + "</robot>\n";
}

constexpr const char* kTons =
    "3: warning: link 'a' weighs 20000 kg in a robot of 0.9 m: grams, or a density in another "
    "unit? [lint-mass-unit]";

struct Rule {
  const char* name;
  const char* from;  // of Arm
  const char* to;
  const char* word;  // one, whole but for the file; empty: none
};

void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.name; }

class LintRules : public testing::TestWithParam<Rule> {};

TEST_P(LintRules, SaysOneWord) {
  const Rule& rule = GetParam();
  std::string text = Arm();
  const std::string from = rule.from;
  // Of every link or joint where it begins with '*'.
  if (from[0] == '*') {
    for (std::size_t at = 0; (at = text.find(from.substr(1), at)) != std::string::npos;)
      text.replace(at, from.size() - 1, rule.to), at += std::string(rule.to).size();
  } else {
    text = With(text, from, rule.to);
  }
  Diagnostics said = LintText(text, "r");
  if (rule.word[0] == '\0') {
    EXPECT_EQ(Rendered(said, Severity::kNote), "");
    return;
  }
  ASSERT_EQ(said.items().size(), 1u) << Rendered(said, Severity::kNote);
  Diagnostic word = said.items()[0];
  EXPECT_FALSE(word.notes.empty());
  const auto four = [](double value) { return FormatNumber(NearDecimal(value, 4)); };
  for (const Quantity& number : word.quantities)  // a radius may be said in um
    EXPECT_THAT(word.message,
                testing::AnyOf(HasSubstr(four(number.value)), HasSubstr(four(1e6 * number.value))))
        << number.name;
  if (rule.word == std::string_view(kTons)) {
    ASSERT_EQ(word.quantities.size(), 2u);
    EXPECT_EQ(word.quantities[0].value, 20000);
    EXPECT_EQ(word.quantities[0].unit, "kg");
  }
  word.notes.clear();
  EXPECT_EQ(Render(word), "r:" + std::string(rule.word));
}

INSTANTIATE_TEST_SUITE_P(
    Lint, LintRules,
    testing::Values(
        Rule{"Nothing", "<robot", "<robot", ""},
        Rule{"Indefinite", "ixx='0.02'", "ixx='-0.02'",
             "3: warning: link 'a': no rigid body has this inertia: principal moments -0.02, 0.03, "
             "0.04 "
             "kg m^2, one is negative [lint-inertia-indefinite]"},
        Rule{"Triangle", "izz='0.04'", "izz='0.06'",
             "3: warning: link 'a': no rigid body has this inertia: principal moments 0.02, 0.03, "
             "0.06 "
             "kg m^2, and 0.06 > 0.02 + 0.03 by 16.67 % [lint-inertia-triangle]"},
        Rule{"TriangleRounded", "izz='0.04'", "izz='0.0502'",
             "3: note: link 'a': no rigid body has this inertia: principal moments 0.02, 0.03, "
             "0.0502 kg "
             "m^2, and 0.0502 > 0.02 + 0.03 by 0.3984 % [lint-inertia-triangle]"},
        Rule{"TriangleHardly", "izz='0.04'", "izz='0.05003'", ""},
        Rule{"Large", "ixx='0.02' ixy='0' ixz='0' iyy='0.03' iyz='0' izz='0.04'",
             "ixx='2' ixy='0' ixz='0' iyy='3' iyz='0' izz='4'",
             "3: warning: link 'a': 1 kg turn like a body of 2.121 m (gyration radius), the robot "
             "is 0.9 m long [lint-inertia-large]"},
        Rule{"NotLarge", "ixx='0.02' ixy='0' ixz='0' iyy='0.03' iyz='0' izz='0.04'",
             "ixx='0.5' ixy='0' ixz='0' iyy='0.6' iyz='0' izz='0.7'", ""},
        Rule{"Tiny", "ixx='0.02' ixy='0' ixz='0' iyy='0.03' iyz='0' izz='0.04'",
             "ixx='1e-8' ixy='0' ixz='0' iyy='1e-8' iyz='0' izz='1e-8'",
             "3: warning: link 'a': 1 kg with a gyration radius of 122.5 um: a grain of dust has "
             "more [lint-inertia-tiny]"},
        Rule{"Placeholder", "*ixx='0.02' ixy='0' ixz='0' iyy='0.03' iyz='0' izz='0.04'",
             "ixx='0.01' ixy='0' ixz='0' iyy='0.01' iyz='0' izz='0.01'",
             "3: note: 3 links have the same inertia 0.01 although their masses differ (1 to 2 "
             "kg): a placeholder [lint-inertia-placeholder]"},
        Rule{"NoPlaceholder", "*ixx='0.02' ixy='0' ixz='0' iyy='0.03' iyz='0' izz='0.04'",
             "ixx='0.02' ixy='0' ixz='0' iyy='0.02' iyz='0' izz='0.02'", ""},
        Rule{"ZeroInertia", "ixx='0.02' ixy='0' ixz='0' iyy='0.03' iyz='0' izz='0.04'",
             "ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'",
             "3: note: link 'a': 1 kg without any inertia, alone on its joint: the mass matrix may "
             "be singular [lint-inertia-zero]"},
        Rule{"Tons", "value='1'", "value='20000'", kTons},
        Rule{"NotTons", "value='1'", "value='9000'", ""},
        Rule{"NoInertial",
             "<link name='a'><inertial><mass value='1'/><inertia ixx='0.02' ixy='0' ixz='0' "
             "iyy='0.03' iyz='0' izz='0.04'/></inertial></link>",
             "<link name='a'/>",
             "3: note: link 'a': a joint moves this link, which has no <inertial>: simulators "
             "leave the link out or refuse the file [lint-no-inertial]"},
        Rule{"NoLimits", "*lower='-1' upper='1' ", "",
             "6: warning: joint 'ja' (and 2 more): its <limit> has neither lower nor upper; URDF "
             "reads 0 and 0, so the joint is locked [lint-limits-absent]"},
        Rule{"LockedOnPurpose", "lower='-1' upper='1'", "lower='0' upper='0'", ""},
        Rule{"NoDrive", "*effort='10' velocity='2'", "effort='0' velocity='0'",
             "6: warning: joint 'ja': it and all others, 3 joints, have effort 0 and velocity 0, "
             "the defaults of an exporter; drives cannot move them [lint-drive-zero]"},
        Rule{"NoEffort", "*effort='10'", "effort='0'",
             "6: note: joint 'ja': it and all others, 3 joints, have effort 0; drives cannot move "
             "them [lint-drive-zero]"},
        Rule{"OneIdleDrive", "effort='10' velocity='2'", "effort='0' velocity='0'", ""},
        Rule{"LimitDegrees", "upper='1'", "upper='90'",
             "6: note: joint 'ja': a limit of 90 rad is 14.32 turns: degrees? "
             "[lint-limit-degrees]"},
        Rule{"ManyTurns", "upper='1'", "upper='31.415'", ""},
        Rule{"RpyDegrees", "xyz='0 0 0.3'", "xyz='0 0 0.3' rpy='0 0 90'",
             "6: warning: 'robot[arm]/joint[ja]/origin': an angle of 90 rad is more than a turn: "
             "degrees? [lint-rpy-degrees]"},
        Rule{"RpyOfATurn", "xyz='0 0 0.3'", "xyz='0 0 0.3' rpy='0 0 6.2832'", ""},
        Rule{"Millimetres", "*xyz='0 0 0.3'", "xyz='0 0 300'",
             "6: warning: joint 'ja': the frames of its links are 300 m apart: millimetres? "
             "[lint-length-unit]"},
        Rule{"Brake", "<limit lower", "<dynamics damping='20000'/><limit lower",
             "6: note: joint 'ja': damping 20000 works like a brake; simulators need very short "
             "steps [lint-drive-stiff]"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(Lint, AnEntryThatLostAThousandIsNamed) {
  const std::string text = With(With(Arm(), "iyy='0.03'", "iyy='0.025'"), "ixx='0.02'", "ixx='20'");
  const Diagnostics said = LintText(text, "r");
  ASSERT_EQ(said.items().size(), 1u) << Rendered(said, Severity::kNote);
  EXPECT_EQ(said.items()[0].notes.at(0), "ixx = 20 is 1000 times too large beside the others");
}

// A four-bar in the plane of x and z; `axis` is that of the joint which closes it.
std::string FourBar(const std::string& axis, double coupler = 0.4) {
  std::string text = "<robot name='bars'>\n<link name='base'/>\n";
  const std::string inertial =
      "<inertial><mass value='1'/><inertia ixx='0.02' ixy='0' ixz='0' iyy='0.03' iyz='0' "
      "izz='0.04'/></inertial>";
  for (const char* name : {"crank", "coupler", "rocker"})
    text += "<link name='" + std::string(name) + "'>" + inertial + "</link>\n";
  const auto joint = [&](const char* name, const char* parent, const char* child, const char* at) {
    text += "<joint name='" + std::string(name) + "' type='continuous'><origin xyz='" + at +
            "'/><parent link='" + parent + "'/><child link='" + child +
            "'/><axis xyz='0 1 0'/></joint>\n";
  };
  joint("turn", "base", "crank", "0 0 0");
  joint("top", "crank", "coupler", "0 0 0.2");
  joint("swing", "base", "rocker", "0.4 0 0");
  return text + "<loop name='pin' type='revolute'><predecessor link='coupler'><origin xyz='" +
         std::to_string(coupler) +
         " 0 0'/></predecessor><successor link='rocker'><origin xyz='0 0 0.2'/></successor><axis "
         "xyz='" +
         axis + "'/></loop>\n</robot>\n";
}

TEST(Lint, LoopsThatCannotWorkAreNamed) {
  EXPECT_EQ(Rendered(LintText(FourBar("0 1 0"), "r"), Severity::kNote), "");
  const Diagnostics locked = LintText(FourBar("1 0 0"), "r");
  EXPECT_THAT(Rendered(locked, Severity::kWarning), HasSubstr("joint 'pin'"));
  EXPECT_THAT(Rendered(locked, Severity::kWarning),
              testing::AnyOf(HasSubstr("[lint-loop-axis]"), HasSubstr("[lint-loop-open]")));
  EXPECT_THAT(Rendered(locked, Severity::kWarning), HasSubstr("is perpendicular to all others"));
  const Diagnostics open = LintText(FourBar("0 1 0", 4), "r");
  ASSERT_EQ(open.num_errors(), 1u);
  EXPECT_THAT(Render(open.items().back()),
              HasSubstr("loop joint 'pin': the loop cannot close: its ends are "));
  EXPECT_EQ(open.items().back().line, 9u);
}

TEST(Lint, FixesWhatIsCertainAndWhatWasAskedFor) {
  std::string text = With(Arm(), "<axis xyz='0 1 0'/>", "<axis xyz='0 3 4'/>");
  text = With(text, "lower='-1' upper='1' ", "");
  text = With(text, "xyz='0 0 0.3'", "xyz='0 0 0.3' rpy='0 0 90'");
  text = With(text, "<link name='base'/>", "<!-- <axis xyz='0 9 0'/> --><link name='base'/>");
  Diagnostics reading;
  ReadOptions options;
  options.file_name = "r";
  const std::optional<Model> model = ReadModel(text, nullptr, options, reading);
  ASSERT_TRUE(model) << Rendered(reading);
  const Diagnostics said = Lint(*model, reading);
  const LintFixes certain = FixText(text, *model, said, {});
  EXPECT_EQ(certain.text, With(text, "xyz='0 3 4'", "xyz='0 0.6 0.8'"));
  ASSERT_EQ(certain.done.size(), 1u);
  EXPECT_EQ(certain.done[0],
            "r:6: '0 3 4' became '0 0.6 0.8': the axis is a unit vector, as kinemorph reads it");
  const LintFixes all = FixText(text, *model, said, FixableCodes());
  EXPECT_EQ(all.done.size(), 3u);
  EXPECT_THAT(all.text, HasSubstr("name='ja' type='continuous'"));
  EXPECT_THAT(all.text, HasSubstr("name='jb' type='revolute'"));
  EXPECT_THAT(all.text, HasSubstr("rpy='0 0 1.5707963267948966'"));
  Diagnostics again;
  const std::optional<Model> fixed = ReadModel(all.text, nullptr, options, again);
  ASSERT_TRUE(fixed);
  EXPECT_EQ(Rendered(Lint(*fixed, again), Severity::kNote), "");
}

// One angle that is no multiple of 15 is a sign that they are not degrees.
TEST(Lint, AnglesAreLeftAloneWhereTheyMayBeRadians) {
  const std::string text = With(With(Arm(), "xyz='0 0 0.3'", "xyz='0 0 0.3' rpy='0 0 90'"),
                                "xyz='0 0 0.3'/", "xyz='0 0 0.3' rpy='0 0 1.57'/");
  Diagnostics reading;
  ReadOptions options;
  options.file_name = "r";
  const std::optional<Model> model = ReadModel(text, nullptr, options, reading);
  ASSERT_TRUE(model);
  EXPECT_EQ(FixText(text, *model, Lint(*model, reading), FixableCodes()).text, text);
}

}  // namespace
}  // namespace kinemorph::test

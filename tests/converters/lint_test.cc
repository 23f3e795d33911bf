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

// `text` with every `from` replaced by `to`.
std::string WithAll(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
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
  text = from[0] == '*' ? WithAll(text, from.substr(1), rule.to) : With(text, from, rule.to);
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

// The joint that closes the loop stands first, and is as long.
TEST(Lint, ALoopJointIsNotTheLongest) {
  std::string joints;
  for (const std::string ends : {"bc", "ab", "ac"})
    joints += "<joint name='" + ends + "' type='revolute'><parent>" + ends[0] + "</parent><child>" +
              ends[1] + "</child><axis><xyz>0 1 0</xyz></axis></joint>";
  EXPECT_THAT(Rendered(LintText("<sdf version='1.9'><model name='m'><link name='a'/><link name='b'>"
                                "<pose>0 0 30 0 0 0</pose></link><link name='c'/><joint name='w' "
                                "type='fixed'><parent>world</parent><child>a</child></joint>" +
                                    joints + "</model></sdf>",
                                "r"),
                       Severity::kWarning),
              HasSubstr("joint 'ab': the frames of its links are 30 m apart"));
}

// A declaration that the loop does not bear; one of a side-car that names motors is none.
TEST(Lint, WrongDeclarationsAreNamed) {
  const auto declared = [](const std::string& turn, const std::string& others) {
    std::string text = With(FourBar("0 1 0"), "name='turn'", "name='turn'" + turn);
    for (std::size_t at = 0; (at = text.find("<joint name='", at + 1)) != std::string::npos;)
      if (text.compare(at, 19, "<joint name='turn'>") != 0 &&
          text.compare(at, 18, "<joint name='turn'") != 0)
        text.insert(text.find('\'', at + 13) + 1, others);
    return Rendered(LintText(text, "r"), Severity::kWarning);
  };
  const std::string yes = " independent='true'", no = " independent='false'";
  EXPECT_EQ(declared(yes, no), "");
  EXPECT_EQ(declared(yes, ""), "");
  EXPECT_THAT(declared(no, no), HasSubstr("[lint-independent]"));
}

// The limits that are missing are the cause, and told first.
TEST(Lint, ALoopOfLockedJointsPointsToTheirLimits) {
  std::string text = FourBar("0 1 0");
  text = WithAll(text, "type='continuous'>", "type='revolute'><limit effort='1' velocity='1'/>");
  text = With(text, "xyz='0.4 0 0'", "xyz='9 0 0'");
  const Diagnostics said = LintText(text, "r");
  std::string help;
  for (const Diagnostic& item : said.items())
    if (item.code == "lint-loop-open") help = item.notes.front();
  EXPECT_THAT(help, HasSubstr("first mend the limits: 3 joints of the loop cannot move"));
}

TEST(Lint, AWeldThatLocksItsLoopIsNamed) {
  const std::string welded =
      With(FourBar("0 1 0"), "type='revolute'><predecessor", "type='fixed'><predecessor");
  EXPECT_THAT(Rendered(LintText(welded, "r"), Severity::kNote),
              HasSubstr("r:9: warning: loop joint 'pin': it is fixed and locks its loop: of 3 "
                        "freedoms it leaves none [lint-loop-locked]"));
}

TEST(Lint, CouplingsThatLockALoopAreNamed) {
  // `longer` (m): so much the rocker is longer than the crank.
  const auto words = [](const std::string& multiplier, const std::string& longer = "0") {
    std::string text =
        With(FourBar("0 1 0"), "<child link='rocker'/>",
             "<child link='rocker'/><mimic joint='turn' multiplier='" + multiplier + "'/>");
    text = With(text, "xyz='0.4 0 0'", "xyz='0.4 0 -" + longer + "'");
    text = With(text, "xyz='0 0 0.2'/></successor>",
                "xyz='0 0 " + FormatNumber(0.2 + std::stod(longer)) + "'/></successor>");
    return Rendered(LintText(text, "r"), Severity::kWarning);
  };
  EXPECT_EQ(words("1"), "");
  EXPECT_EQ(words("1", "0.001"), "") << "meant alike, and locked by a millimetre";
  for (const auto& [multiplier, longer] : {std::pair("0.5", "0"), {"1.1", "0"}, {"1", "0.02"}})
    EXPECT_THAT(words(multiplier, longer),
                HasSubstr("loop joint 'pin': the loop and the couplings of its joints lock one "
                          "another: of 3 freedoms they leave none [lint-loop-locked]"));
}

// Wheels that do not turn about one line, and a differential of friction between them.
TEST(Lint, ALoopThatOdeHoldsSoftlyDoesNotLock) {
  const auto words = [](const std::string& physics) {
    const auto link = [](const std::string& name, const std::string& y) {
      return "<link name='" + name + "'><pose>0 " + y +
             " 0 0 0 0</pose><inertial><mass>1</mass></inertial></link>";
    };
    const auto joint = [](const std::string& name, const std::string& from, const std::string& to,
                          const std::string& axis, const std::string& more) {
      return "<joint name='" + name + "' type='revolute'><parent>" + from + "</parent><child>" +
             to + "</child><axis><xyz>" + axis + "</xyz></axis>" + more + "</joint>";
    };
    return Rendered(LintText("<sdf version='1.7'><model name='car'>" + link("chassis", "0") +
                                 link("left", "1") + link("right", "-1") +
                                 joint("l", "chassis", "left", "0 1 0.05", "") +
                                 joint("r", "chassis", "right", "0 1 -0.05", "") +
                                 joint("d", "left", "right", "0 1 0", physics) + "</model></sdf>",
                             "r"),
                    Severity::kWarning);
  };
  EXPECT_THAT(words(""), HasSubstr("[lint-loop-locked]"));
  EXPECT_THAT(words("<physics><ode><cfm>1e-5</cfm></ode></physics>"),
              HasSubstr("[lint-loop-locked]"));
  EXPECT_EQ(words("<physics><ode><erp>0</erp><cfm>1000</cfm></ode></physics>"), "");
}

TEST(Lint, AMassPointMayBePinned) {
  EXPECT_EQ(Rendered(LintText("<mujoco><worldbody><body name='a'><joint type='slide' axis='1 0 0'/>"
                              "<joint type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/>"
                              "<geom size='.1'/></body></worldbody><equality><connect body1='a' "
                              "anchor='0 0 0'/></equality></mujoco>",
                              "r"),
                     Severity::kWarning),
            "");
}

// A hand whose fingers follow one another: leader from 0 to 0.8, the others as they are told.
std::string Hand(const std::string& second, const std::string& third = "") {
  std::string text = "<robot name='hand'>\n<link name='palm'/>\n";
  for (const char* name : {"a", "b", "c"})
    text += "<link name='" + std::string(name) +
            "'><inertial><mass value='1'/><inertia ixx='0.02' ixy='0' ixz='0' iyy='0.03' iyz='0' "
            "izz='0.04'/></inertial></link>\n";
  for (const auto& [child, more] :
       {std::pair<std::string, std::string>("a",
                                            "<limit lower='0' upper='0.8' effort='1' "
                                            "velocity='1'/>"),
        {"b", second},
        {"c", third}})
    text += "<joint name='j" + child + "' type='" +
            (more.find("<limit") == std::string::npos ? "continuous" : "revolute") +
            "'><parent link='palm'/><child link='" + child + "'/><axis xyz='0 1 0'/>" + more +
            "</joint>\n";
  return text + "</robot>\n";
}
std::string Follower(const std::string& mimic, const std::string& limit) {
  return "<mimic " + mimic + "/>" +
         (limit.empty() ? "" : "<limit " + limit + " effort='1' velocity='1'/>");
}

TEST(Lint, AFollowerWhoseLimitsLeaveNoMotionIsNamed) {
  struct Case {
    std::string second, third, word;
  };
  const std::string back = "joint='ja' multiplier='-1'", half = "joint='jb' multiplier='0.5'";
  const std::string loose = Follower("joint='ja'", "lower='0' upper='1'");
  const Case cases[] = {
      {Follower(back, "lower='0' upper='0.8'"), "",
       "r:7: warning: joint 'jb': as a follower of 'ja' it moves from -0.8 to 0, but its limits "
       "are 0 to 0.8, which leave the two one posture [lint-mimic-locked]"},
      {Follower("joint='ja' multiplier='-1' offset='-0.5'", "lower='0' upper='0.8'"), "",
       "r:7: warning: joint 'jb': as a follower of 'ja' it moves from -1.3 to -0.5, but its limits "
       "are 0 to 0.8, which leave the two no posture [lint-mimic-locked]"},
      {Follower(back, "lower='-0.005' upper='0.8'"), "",
       "r:7: warning: joint 'jb': as a follower of 'ja' it moves from -0.8 to 0, but its limits "
       "are -0.005 to 0.8, which leave the two 0.005 of that [lint-mimic-locked]"},
      {Follower(back, "lower='-0.1' upper='0.8'"), "", ""},
      {Follower(back, "lower='-0.8' upper='0'"), "", ""},
      {Follower(back, "lower='0' upper='0'"), "", ""},  // locked on purpose
      {Follower(back, ""), "", ""},
      {Follower("joint='jc' multiplier='-1'", "lower='0' upper='0.8'"), "", ""},  // no end
      // Without a multiplier it stands still.
      {Follower("joint='ja' multiplier='0' offset='2'", "lower='-1' upper='1'"), "",
       "r:7: warning: joint 'jb': as a follower without a multiplier it stands at 2, but its "
       "limits "
       "are -1 to 1, which leave it no posture [lint-mimic-locked]"},
      {Follower("joint='ja' multiplier='0' offset='0.5'", "lower='-1' upper='1'"), "", ""},
      // Of a chain, each is held against the first.
      {loose, Follower(half, "lower='0' upper='0.4'"), ""},
      {loose, Follower(half, "lower='-0.4' upper='0'"),
       "r:8: warning: joint 'jc': as a follower of 'ja' it moves from 0 to 0.4, but its limits are "
       "-0.4 to 0, which leave the two one posture [lint-mimic-locked]"},
      // What one leaves to the leader is too little for the other.
      {Follower("joint='ja'", "lower='0' upper='0.3'"),
       Follower("joint='ja'", "lower='0.3' upper='1'"),
       "r:8: warning: joint 'jc': as a follower of 'ja' it moves from 0 to 0.3, but its limits are "
       "0.3 to 1, which leave the two one posture [lint-mimic-locked]"},
  };
  for (const Case& each : cases) {
    Diagnostics said = LintText(Hand(each.second, each.third), "r");
    std::string words;
    for (Diagnostic word : said.items()) {
      EXPECT_EQ(word.code, "lint-mimic-locked");
      word.notes.clear();
      words += Render(word);
    }
    EXPECT_EQ(words, each.word) << each.second << each.third;
  }
  const Diagnostics said = LintText(Hand(cases[0].second), "r");
  ASSERT_EQ(said.items().size(), 1u);
  EXPECT_EQ(said.items()[0].notes.at(0),
            "write limits that hold -0.8 to 0, or the multiplier with the other sign");
}

std::string Facets(double size) {
  const std::string s = FormatNumber(size);
  return "solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex " + s + " 0 0\nvertex 0 " +
         s + " " + s + "\nendloop\nendfacet\nendsolid t\n";
}
std::string Collada(const std::string& unit, const std::string& scale) {
  return "<COLLADA><asset>" + unit +
         "</asset><library_geometries><geometry id='g'><mesh><source id='p'><float_array>0 0 0 300 "
         "0 0 0 10 10</float_array></source><vertices id='v'><input semantic='POSITION' "
         "source='#p'/></vertices></mesh></geometry></library_geometries><library_visual_scenes>"
         "<visual_scene><node>" +
         scale +
         "<instance_geometry url='#g'/></node></visual_scene></library_visual_scenes>"
         "</COLLADA>";
}

TEST(Lint, APlaneMayBeLarge) {
  const auto codes = [](const std::string& mass, const std::string& more,
                        const std::string& box = "") {
    Diagnostics said = LintText(
        "<robot name='r'><link name='plane'><inertial><mass value='" + mass +
            "'/><inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'/></inertial><visual>"
            "<geometry><mesh filename='m/a.stl'/></geometry></visual>" +
            (box.empty()
                 ? ""
                 : "<collision><geometry><box size='" + box + "'/></geometry></collision>") +
            "</link>" + more + "</robot>",
        "r.urdf", {{"m/a.stl", Facets(200)}});
    return Rendered(said, Severity::kNote);
  };
  EXPECT_THAT(codes("0", ""), testing::Not(testing::HasSubstr("lint-mesh-unit")));
  EXPECT_THAT(codes("1", ""), testing::HasSubstr("lint-mesh-unit"));
  EXPECT_THAT(codes("1", "", "200 200 10"), testing::Not(testing::HasSubstr("lint-mesh-unit")));
  EXPECT_THAT(codes("1", "", "0.2 0.2 0.01"), testing::HasSubstr("lint-mesh-unit"));
  EXPECT_THAT(codes("0",
                    "<link name='b'/><joint name='j' type='fixed'><parent link='plane'/>"
                    "<child link='b'/></joint>"),
              testing::HasSubstr("lint-mesh-unit"));
}

TEST(Lint, MeshesInAnotherUnitAreNamed) {
  const std::string robot =
      "<robot name='r'><link name='arm'><inertial><mass value='0.5'/><inertia ixx='0.1' ixy='0' "
      "ixz='0' iyy='0.1' iyz='0' izz='0.1'/></inertial>\n<visual><geometry><mesh "
      "filename='m/a.stl'/></geometry></visual></link></robot>";
  const auto words = [&](const std::string& mesh, const std::string& scale,
                         const std::string& name = "a.stl") {
    const std::string text =
        With(robot, "a.stl'", name + "'" + (scale.empty() ? "" : " scale='" + scale + "'"));
    Diagnostics said = LintText(text, "r.urdf", {{"m/" + name, mesh}});
    std::string all;
    for (Diagnostic word : said.items()) {
      word.notes.clear();
      all += Render(word);
    }
    return all;
  };
  const std::string large =
      "r.urdf:2: warning: link 'arm': mesh 'm/a.stl' of its visual is 300 m long: millimetres? "
      "[lint-mesh-unit]";
  EXPECT_EQ(words(Facets(300), ""), large);
  EXPECT_EQ(words(Facets(300), "0.001 0.001 0.001"), "");
  EXPECT_EQ(words(Facets(0.3), ""), "");
  EXPECT_EQ(words(Facets(0.03), "0.001 0.001 0.001"),
            "r.urdf:2: warning: link 'arm': mesh 'm/a.stl' of its visual is 0.00003 m long "
            "[lint-mesh-unit]");
  EXPECT_EQ(words("v 0 0 0\nv 30 0 0\nv 0 30 0\nf 1 2 3\n", "", "a.obj"),
            "r.urdf:2: warning: link 'arm': mesh 'm/a.obj' of its visual is 30 m long: "
            "millimetres? [lint-mesh-unit]");
  EXPECT_THAT(words(Collada("", ""), "", "a.dae"), HasSubstr("is 300 m long"));
  EXPECT_EQ(words(Collada("<unit name='millimeter' meter='0.001'/>", ""), "", "a.dae"), "");
  EXPECT_EQ(words(Collada("", "<scale>0.001 0.001 0.001</scale>"), "", "a.dae"), "");
  EXPECT_EQ(words(Collada("", "<matrix>0.001 0 0 0 0 0.001 0 0 0 0 0.001 0 0 0 0 1</matrix>"), "",
                  "a.dae"),
            "");
  // A physics library has the shape again, without the scale.
  const std::string physics =
      "<library_physics_models><physics_model><rigid_body><technique_common><shape>"
      "<instance_geometry url='#g'/></shape></technique_common></rigid_body></physics_model>"
      "</library_physics_models>";
  EXPECT_EQ(words(With(Collada("", "<scale>0.001 0.001 0.001</scale>"), "</COLLADA>",
                       physics + "</COLLADA>"),
                  "", "a.dae"),
            "");
  EXPECT_EQ(words("nonsense", ""), "");
}

// Other commands read on, as the file may be a part of a larger one.
TEST(Lint, AKeyThatMujocoRefusesIsAnError) {
  const auto said = [](const std::string& qpos) {
    return LintText(
        "<mujoco><worldbody><body name='b'><inertial pos='0 0 0' mass='1' "
        "diaginertia='1 1 1'/><joint axis='0 1 0'/></body></worldbody><keyframe>"
        "<key name='home' qpos='" +
            qpos + "'/></keyframe></mujoco>",
        "m.xml");
  };
  const Diagnostics refused = said("0.1 0.2 0.3");
  ASSERT_EQ(refused.num_errors(), 1U);
  EXPECT_EQ(refused.items().back().code, "key-size");
  EXPECT_EQ(said("0.1").num_errors(), 0U);
}

TEST(Lint, APointerOfGitLfsIsNamed) {
  const std::string robot =
      "<robot name='r'><link name='arm'>\n<visual><geometry><mesh filename='m/a.stl'/></geometry>"
      "</visual><visual><geometry><mesh filename='m/b.dae'/></geometry></visual></link></robot>";
  const std::string pointer =
      "version https://git-lfs.github.com/spec/v1\noid sha256:0000\nsize 74484\n";
  EXPECT_EQ(Rendered(LintText(robot, "r.urdf", {{"m/a.stl", pointer}, {"m/b.dae", "<COLLADA/>"}}),
                     Severity::kWarning),
            "r.urdf:2: warning: folder 'm': file 'm/a.stl' is a Git LFS pointer and holds no mesh; "
            "run \"git lfs pull\" in their repository [resource-not-fetched]\n");
  for (const char* old : {"https://hawser.github.com/spec/v1", "http://git-media.io/v/2"})
    EXPECT_THAT(
        Rendered(LintText(robot, "r.urdf",
                          {{"m/a.stl", "version " + std::string(old) + "\noid sha256:0000\n"},
                           {"m/b.dae", "<COLLADA/>"}}),
                 Severity::kWarning),
        HasSubstr("[resource-not-fetched]"));
  EXPECT_EQ(
      Rendered(LintText(robot, "r.urdf", {{"m/a.stl", pointer}, {"m/b.dae", pointer}}),
               Severity::kWarning),
      "r.urdf:2: warning: folder 'm': 2 files are Git LFS pointers and hold no meshes, the "
      "first is 'm/a.stl'; run \"git lfs pull\" in their repository [resource-not-fetched]\n");
}

TEST(Lint, AMassThatDoesNotFitIntoItsShapesIsNamed) {
  const std::string bar =
      "<robot name='r'><link name='bar'><inertial>\n<mass value='50'/><inertia ixx='0.01' ixy='0' "
      "ixz='0' iyy='0.02' iyz='0' izz='0.02'/></inertial><collision><geometry><box size='0.06 0.02 "
      "0.02'/></geometry></collision></link><link name='end'>MORE</link><joint name='j' "
      "type='fixed'><origin xyz='1 0 0'/><parent link='bar'/><child link='end'/></joint></robot>";
  const auto words = [&](const std::string& more, const std::string& mass = "50") {
    return Rendered(
        LintText(With(With(bar, "MORE", more), "value='50'", "value='" + mass + "'"), "r.urdf"),
        Severity::kWarning);
  };
  EXPECT_EQ(words(""),
            "r.urdf:1: warning: link 'bar': 50 kg in a box of 0.06 x 0.02 x 0.02 m are 2083000 "
            "kg/m^3, more than any material has [lint-density]\n"
            "    is the mass in grams, or are the shapes in another unit?\n");
  EXPECT_EQ(words("", "0.5"), "");
  EXPECT_EQ(words("", "4"), "");  // 170 000 kg/m^3
  // Shapes far smaller than the body of this inertia stand for it, if they are no meshes.
  const std::string token = With(bar, "iyy='0.02'", "iyy='1'");
  const std::string large = With(With(token, "ixx='0.01'", "ixx='1'"), "izz='0.02'", "izz='1'");
  EXPECT_EQ(Rendered(LintText(With(large, "MORE", ""), "r.urdf"), Severity::kWarning), "");
  EXPECT_THAT(Rendered(LintText(With(With(large, "MORE", ""), "<box size='0.06 0.02 0.02'/>",
                                     "<mesh filename='m/a.stl'/>"),
                                "r.urdf", {{"m/a.stl", Facets(0.02)}}),
                       Severity::kWarning),
              HasSubstr("[lint-density]"));
  // The rest of the body is drawn on what is fixed to it, or nobody knows.
  EXPECT_EQ(words("<visual><geometry><sphere radius='0.1'/></geometry></visual>"), "");
  EXPECT_THAT(words("<visual><geometry><mesh filename='gone.stl'/></geometry></visual>"),
              testing::Not(HasSubstr("lint-density")));
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

LintFixes Fixed(const std::string& text) {
  Diagnostics reading;
  ReadOptions options;
  options.file_name = "r";
  const std::optional<Model> model = ReadModel(text, nullptr, options, reading);
  EXPECT_TRUE(model) << Rendered(reading);
  return model ? FixText(text, *model, Lint(*model, reading), FixableCodes()) : LintFixes();
}

TEST(Lint, FixesInManyPlacesDoNotDisturbEachOther) {
  std::string text = With(Arm(), "</joint>\n", "</joint>");  // two of three in one line
  text = WithAll(text, "<axis xyz='0 1 0'/>", "<axis xyz='0 3 4'/>");
  text = WithAll(text, "lower='-1' upper='1' ", "");
  text = WithAll(text, "xyz='0 0 0.3'", "rpy='180 0 45' xyz='0 0 0.3'");
  const LintFixes fixes = Fixed(text);
  text = WithAll(text, "xyz='0 3 4'", "xyz='0 0.6 0.8'");
  text = WithAll(text, "revolute", "continuous");
  text = WithAll(text, "180 0 45", "3.141592653589793 0 0.7853981633974483");
  EXPECT_EQ(fixes.text, text);
  ASSERT_EQ(fixes.done.size(), 9u);
  EXPECT_EQ(fixes.done[8].substr(0, 20), "r:7: '0 3 4' became ");
}

TEST(Lint, ElementsElsewhereAreNotFixed) {
  const std::string other =
      "<transmission name='t'><joint name='ja' type='revolute'/>"
      "</transmission>\n<link name='base'/>";
  const std::string text =
      With(With(Arm(), "<link name='base'/>", other), "lower='-1' upper='1' ", "");
  EXPECT_EQ(Fixed(text).text, With(text, "<joint name='ja' type='revolute'><",
                                   "<joint name='ja' type='continuous'><"));
  const std::string sdf =
      "<sdf version='1.7'><model name='m'><link name='a'/><link name='b'/>\n<joint name='j' "
      "type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 2</xyz><limit><lower>0"
      "</lower><upper>0</upper></limit></axis></joint></model></sdf>";
  EXPECT_EQ(Fixed(sdf).text, sdf);
}

// One angle that is no multiple of 15 is a sign that they are not degrees.
TEST(Lint, AnglesAreLeftAloneWhereTheyMayBeRadians) {
  const std::string text = With(With(Arm(), "xyz='0 0 0.3'", "xyz='0 0 0.3' rpy='0 0 90'"),
                                "xyz='0 0 0.3'/", "xyz='0 0 0.3' rpy='0 0 1.57'/");
  EXPECT_EQ(Fixed(text).text, text);
}

}  // namespace
}  // namespace kinemorph::test

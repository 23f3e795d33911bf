// URDF+ for GRBDA: what is written loads there as the same mechanism, by GRBDA's rules; what cannot
// is refused by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "conversion.h"
#include "kinemorph/converters/verify.h"
#include "kinemorph/formats/grbda_rules.h"
#include "kinemorph/graph/mechanics/constraint_embedding.h"
#include "small_model.h"
#include "states.h"

namespace kinemorph::test {
namespace {

using ::testing::HasSubstr;

std::string Breaches(const GrbdaVerdict& verdict) {
  std::string text;
  for (const GrbdaCluster& cluster : verdict.clusters)
    for (const GrbdaBreach& breach : cluster.breaches)
      text += breach.rule + ": " + breach.message + "\n";
  return text;
}

struct Outcome {
  std::optional<Converted> converted;
  std::string errors, verdict;
  bool equivalent = false;
  std::string differences;
};

Outcome ConvertForGrbda(const Model& source) {
  Outcome out;
  ConvertOptions options;
  options.target = TargetNamed("urdf+ grbda");
  Diagnostics messages;
  out.converted = Convert(source, options, messages);
  out.errors = Rendered(messages);
  if (!out.converted) return out;
  Diagnostics reading;
  const std::optional<Model> again = ReadText(out.converted->text, "/tmp/out.urdf", reading);
  if (!again) return out.errors = Rendered(reading), out;
  out.verdict = Breaches(JudgeForGrbda(*again));
  VerifyOptions verify;
  verify.report = &out.converted->lowered.report;
  const VerifyResult result = VerifyEquivalent(source, *again, verify);
  out.equivalent = result.equivalent;
  for (const VerifyCheck& check : result.checks)
    if (check.max_error > check.tolerance)
      out.differences +=
          check.what + " " + std::to_string(check.max_error) + " " + check.worst + "\n";
  return out;
}

struct Named {
  const char* name;
  const char* refusal;  ///< empty: loads
};
void PrintTo(const Named& mechanism, std::ostream* out) { *out << mechanism.name; }

class FixtureForGrbda : public ::testing::TestWithParam<Named> {};

TEST_P(FixtureForGrbda, LoadsOrIsRefusedByName) {
  const std::string name = GetParam().name, refusal = GetParam().refusal;
  Diagnostics reading;
  const std::optional<Model> source =
      ReadFile(Fixtures() + "/mechanisms/" + name + "/" + name + ".sdf", reading);
  ASSERT_TRUE(source) << Rendered(reading);
  const Outcome out = ConvertForGrbda(*source);
  if (!refusal.empty()) {
    EXPECT_FALSE(out.converted);
    EXPECT_THAT(out.errors, HasSubstr(refusal));
    return;
  }
  ASSERT_TRUE(out.converted) << out.errors;
  EXPECT_EQ(out.verdict, "") << out.converted->text;
  EXPECT_TRUE(out.equivalent) << out.differences << out.converted->text;
  EXPECT_THAT(out.converted->text, HasSubstr("URDF+, profile grbda"));
}

INSTANTIATE_TEST_SUITE_P(
    Mechanisms, FixtureForGrbda,
    ::testing::Values(
        Named{"belt_transmission", ""}, Named{"biped", ""}, Named{"delta_robot", ""},
        Named{"differential", ""}, Named{"double_pendulum", ""}, Named{"four_bar", ""},
        Named{"four_bar_general", ""}, Named{"gripper", "[grbda-loop-and-coupling]"},
        Named{"lims2_wrist", "[grbda-rows]"}, Named{"planar_leg_linkage", ""}, Named{"six_bar", ""},
        Named{"slider_crank", "[target-refuses-joint-prismatic]"}, Named{"spherical_four_bar", ""},
        Named{"stewart_platform", "[target-refuses-joint-prismatic]"}),
    [](const auto& test) { return std::string(test.param.name); });

// A four-bar on a base at `X_WB`, hinged about `axis` of the base; the rocker's hinge counts the
// other way where `mixed` is set.
Model FourBar(const RigidTransform& X_WB, bool mixed) {
  SmallModel m;
  m.model.name = "four_bar";
  const LinkId base = m.AddLink("base"), crank = m.AddLink("crank"), coupler = m.AddLink("coupler"),
               rocker = m.AddLink("rocker");
  const JointId ground = m.AddJoint("ground", kWorld, base, Fixed{});
  m.model.joint(ground).X_PF = X_WB;
  const Vector3 z = Vector3::UnitZ();
  for (const auto& [name, p, s, at, sign] :
       {std::tuple{"a", base, crank, Vector3(0, 0, 0), 1.0},
        std::tuple{"b", crank, coupler, Vector3(0.1, 0.3, 0), 1.0},
        std::tuple{"c", base, rocker, Vector3(0.8, 0, 0), mixed ? -1.0 : 1.0}}) {
    m.model.joint(m.AddJoint(name, p, s, Revolute{sign * z}, at)).axes.resize(1);
  }
  m.AddJoint("d", coupler, rocker, Revolute{z}, Vector3(0.9, 0.3, 0), JointRole::kLoop,
             RigidTransform::Translation(Vector3(0.2, 0.6, 0)));
  return std::move(m.model);
}

TEST(GrbdaProfile, ATiltedPlaneAndMixedSignsAreExact) {
  struct Base {
    Vector3 rpy;
    bool tilted;  ///< the loop lies in no coordinate plane of the world
  };
  for (const Base& base : {Base{{0, 0, 0}, false}, Base{{0, 1.5707963267948966, 0}, false},
                           Base{{0.3, 0.4, 0.5}, true}}) {
    for (const bool mixed : {false, true}) {
      const Outcome out =
          ConvertForGrbda(FourBar({RotationFromRpy(base.rpy), Vector3(1, 2, 3)}, mixed));
      ASSERT_TRUE(out.converted) << out.errors;
      EXPECT_EQ(out.verdict, "") << out.converted->text;
      EXPECT_TRUE(out.equivalent) << out.differences << out.converted->text;
      const bool gives_way = out.converted->text.find("_give") != std::string::npos;
      EXPECT_EQ(gives_way, mixed || base.tilted) << out.converted->text;
    }
  }
}

TEST(GrbdaProfile, TheBaseIsTheRootInTheWorldsFrame) {
  const Outcome out =
      ConvertForGrbda(FourBar(RigidTransform::Translation(Vector3(1, 2, 3)), false));
  ASSERT_TRUE(out.converted) << out.errors;
  EXPECT_EQ(out.converted->text.find("name=\"world\""), std::string::npos);
  // The hinge slides along its axis (z) into the plane through the root's origin.
  EXPECT_THAT(out.converted->text, HasSubstr("<origin xyz=\"1 2 0\" rpy=\"0 0 0\"/>"));
}

// What a file means stands in its elements: any XML tool drops comments.
TEST(UrdfPlusProfiles, AFileWithoutItsCommentsIsTheSameRobot) {
  int compared = 0, marked = 0;
  for (const char* profile : {"urdf+", "urdf+ paper", "urdf+ grbda"}) {
    for (const std::string& path : FilesBelow(Fixtures() + "/mechanisms", {".sdf", ".urdf"})) {
      SCOPED_TRACE(std::string(profile) + " " + path);
      Diagnostics messages;
      const std::optional<Model> source = ReadFile(path, messages);
      if (!source) continue;
      ConvertOptions options;
      options.target = TargetNamed(profile);
      const std::optional<Converted> converted = Convert(*source, options, messages);
      if (!converted) continue;
      const std::string bare = std::regex_replace(converted->text, std::regex("<!--[^>]*-->"), "");
      ASSERT_EQ(bare.find("<!--"), std::string::npos);
      const std::optional<Model> a = ReadText(converted->text, "/tmp/out.urdf", messages),
                                 b = ReadText(bare, "/tmp/out.urdf", messages);
      ASSERT_TRUE(a && b);
      const Mechanism m_a = Compile(*a), m_b = Compile(*b);
      const Coordinates c_a = AnalyseCoordinates(m_a), c_b = AnalyseCoordinates(m_b);
      ASSERT_EQ(c_a.mobility, c_b.mobility);
      ASSERT_EQ(m_a.nv, m_b.nv);
      ClosureSolver solver(m_a);
      Random random(4);
      const State s = RandomClosedState(m_a, c_a, solver, random, 0.3);
      Eigen::VectorXd qdd_a, qdd_b;
      ConstraintEmbeddingDynamics dynamics_a(m_a, c_a), dynamics_b(m_b, c_b);
      ASSERT_EQ(dynamics_a.ForwardDynamics(s.q, s.v, s.tau, qdd_a),
                dynamics_b.ForwardDynamics(s.q, s.v, s.tau, qdd_b));
      EXPECT_EQ(qdd_a, qdd_b);
      ++compared;
      if (bare.find("joint=\"ball\"") == std::string::npos &&
          bare.find("of=\"predecessor") == std::string::npos)
        continue;
      EXPECT_EQ(a->dialect, b->dialect);  // verify converts to it again
      ++marked;
    }
  }
  EXPECT_GT(compared, 40);
  EXPECT_GT(marked, 3);
}

// Files that say it by the comment alone were written before.
TEST(UrdfPlusProfiles, TheCommentOfOlderFilesIsUnderstood) {
  const std::string loop =
      "<robot name=\"r\"><link name=\"base\"/><link name=\"a\"/><link name=\"b\"/>"
      "<joint name=\"ja\" type=\"continuous\"><parent link=\"base\"/><child link=\"a\"/></joint>"
      "<joint name=\"jb\" type=\"continuous\"><parent link=\"base\"/><child link=\"b\"/></joint>"
      "<loop name=\"l\" type=\"revolute\"><predecessor link=\"a\"/><successor link=\"b\"/></loop>"
      "</robot>";
  Diagnostics messages;
  const auto kind = [&](const std::string& text) {
    const std::optional<Model> model = ReadText(text, "/tmp/r.urdf", messages);
    return model ? std::string(KindName(model->joint(*model->FindJoint("l")).kind)) : "";
  };
  EXPECT_EQ(kind(loop), "revolute");
  EXPECT_EQ(kind("<!-- URDF+ profile: grbda -->" + loop), "ball");
  std::string marked = loop;
  marked.insert(marked.find("type=\"revolute\""), "joint=\"ball\" ");
  EXPECT_EQ(kind(marked), "ball");
}

// Each rule on a robot that breaks it and nothing else.
std::string Robot(const std::string& body) {
  return "<robot name=\"r\"><link name=\"base\"/>" + body + "</robot>";
}
std::string Link(const std::string& name, const std::string& rpy = "0 0 0") {
  return "<link name=\"" + name + "\"><inertial><origin xyz=\"0 0 0\" rpy=\"" + rpy +
         "\"/><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"2\" iyz=\"0\" "
         "izz=\"2.5\"/></inertial></link>";
}
std::string Hinge(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& more = "", const std::string& type = "continuous",
                  const std::string& axis = "0 0 1", const std::string& at = "1 0 0") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\" " + more + "><parent link=\"" +
         parent + "\"/><child link=\"" + child + "\"/><origin xyz=\"" + at + "\"/><axis xyz=\"" +
         axis + "\"/><limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint>";
}
std::string Loop(const std::string& p, const std::string& s, const std::string& type = "revolute",
                 const std::string& axis = "0 0 1") {
  return "<loop name=\"loop\" type=\"" + type + "\"><predecessor link=\"" + p +
         "\"><origin xyz=\"1 0 0\"/></predecessor><successor link=\"" + s +
         "\"><origin xyz=\"1 1 0\"/></successor><axis xyz=\"" + axis + "\"/></loop>";
}
std::string FourBarText(const std::string& last = "independent=\"false\"") {
  return Link("a") + Link("b") + Link("c") + Hinge("ja", "base", "a", "independent=\"true\"") +
         Hinge("jb", "a", "b", "independent=\"false\"", "continuous", "0 0 1", "0 1 0") +
         Hinge("jc", "base", "c", last, "continuous", "0 0 1", "2 0 0");
}

struct Rule {
  const char* name;  ///< the breach expected; "loads" for none
  std::string text;
};
void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.name; }

class GrbdaRule : public ::testing::TestWithParam<Rule> {};

TEST_P(GrbdaRule, IsToldApart) {
  Diagnostics reading;
  const std::optional<Model> model = ReadText(Robot(GetParam().text), "/tmp/r.urdf", reading);
  ASSERT_TRUE(model) << Rendered(reading);
  const GrbdaVerdict verdict = JudgeForGrbda(*model);
  const std::string expected = GetParam().name;
  EXPECT_EQ(verdict.Loads(), expected == "loads") << Breaches(verdict);
  std::size_t count = 0;
  for (const GrbdaCluster& cluster : verdict.clusters) {
    for (const GrbdaBreach& breach : cluster.breaches) {
      EXPECT_EQ(breach.rule, expected) << breach.message;
      ++count;
    }
  }
  EXPECT_EQ(count, expected == "loads" ? 0U : 1U) << Breaches(verdict);
}

// The four-bar with offsets along its axes, which are z.
std::string OffPlane(const std::string& first, const std::string& second,
                     const std::string& anchor) {
  std::string text = FourBarText() + Loop("b", "c");
  const auto put = [&text](const std::string& what, const std::string& with) {
    const std::size_t at = text.find("<origin xyz=\"" + what + "\"/>");
    ASSERT_NE(at, std::string::npos) << what;
    text.replace(at + 13, what.size(), with);
  };
  const std::size_t loop = text.find("<loop");
  std::string tail = text.substr(loop);
  text.resize(loop);
  put("1 0 0", "1 0 " + first);
  put("2 0 0", "2 0 " + first);
  put("0 1 0", "0 1 " + second);
  std::swap(text, tail);
  put("1 0 0", "1 0 " + anchor);
  return tail + text;
}

const std::string kCoupled = Link("a") + Link("b") + Hinge("ja", "base", "a") +
                             Hinge("jb", "base", "b", "independent=\"false\"");
const std::string kCoupling =
    "<coupling name=\"c\"><predecessor link=\"a\"/><successor link=\"b\"/><ratio "
    "value=\"2\"/></coupling>";
INSTANTIATE_TEST_SUITE_P(
    Rules, GrbdaRule,
    ::testing::Values(
        Rule{"loads", Link("a") + Hinge("j", "base", "a")},
        Rule{"loads", FourBarText() + Loop("b", "c")}, Rule{"loads", kCoupled + kCoupling},
        Rule{"loads", Link("a") + Hinge("j", "base", "a", "", "floating")},
        Rule{"joint-type", Link("a") + Hinge("j", "base", "a", "", "fixed")},
        Rule{"joint-type", Link("a") + Hinge("j", "base", "a", "", "prismatic")},
        Rule{"floating-first", Link("a") + Link("b") + Hinge("j", "base", "a", "", "floating") +
                                   Hinge("k", "base", "b")},
        Rule{"axis", Link("a") + Hinge("j", "base", "a", "", "continuous", "0.6 0.8 0")},
        Rule{"axis", Link("a") + Hinge("j", "base", "a", "", "continuous", "0 0 -1")},
        Rule{"inertia-axes", Link("a", "0.1 0 0") + Hinge("j", "base", "a")},
        Rule{"mimic", kCoupled.substr(0, kCoupled.size() - 8) +
                          "<mimic joint=\"ja\" multiplier=\"2\" offset=\"0\"/></joint>"},
        Rule{
            "loop-and-coupling",
            FourBarText() + Loop("b", "c") +
                "<coupling name=\"k\"><predecessor link=\"a\"/><successor link=\"c\"/></coupling>"},
        Rule{"loop-type", FourBarText() + Loop("b", "c", "prismatic")},
        Rule{"loop-type", FourBarText() + Loop("b", "c", "fixed")},
        Rule{"loop-type", FourBarText() + Loop("b", "c", "revolute", "1 0 0")},
        Rule{"loop-ancestor", FourBarText() + Loop("base", "c")},
        // As GRBDA itself was seen to do with each of these: an offset along the axis keeps a third
        // row, except that of the first joint where it is not turned.
        Rule{"loads", OffPlane("0.1", "0", "0")}, Rule{"rows", OffPlane("0", "0.1", "-0.1")},
        Rule{"rows", OffPlane("0.1\" rpy=\"0 0 0.3", "0", "0")},
        Rule{"independent", FourBarText("independent=\"true\"") + Loop("b", "c")},
        Rule{"independent",
             Link("a") + Link("b") +  // a triangle: no coordinate is left
                 Hinge("ja", "base", "a", "independent=\"false\"") +
                 Hinge("jb", "base", "b", "independent=\"false\"", "continuous", "0 0 1", "2 0 0") +
                 Loop("a", "b")}),
    [](const auto& test) {
      std::string name = test.param.name + std::string("_") + std::to_string(test.index);
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

// What hangs on a link that merges stays where it is, and the proof follows it; a tilt of 2e-6 is
// no noise.
TEST(GrbdaProfile, WhatHangsOnAMergedLinkStaysInPlace) {
  const std::string text = Robot(
      Link("arm") + Link("tool") + Hinge("j", "base", "arm", "", "continuous", "0 2e-6 1") +
      Hinge("weld", "arm", "tool", "", "fixed") + Link("hand") +
      Hinge("k", "tool", "hand", "", "continuous", "0 0 -1") +
      "<gazebo reference=\"tool\"><mu1 value=\"0.3\"/></gazebo><sensor name=\"on_tool\" "
      "type=\"imu\"><parent link=\"tool\"/></sensor><sensor name=\"on_hand\" type=\"imu\"><parent "
      "link=\"hand\"/><origin xyz=\"0 0.1 +0.2\"/></sensor>");
  Diagnostics reading;
  const std::optional<Model> source = ReadText(text, "/tmp/r.urdf", reading);
  ASSERT_TRUE(source) << Rendered(reading);
  const Outcome out = ConvertForGrbda(*source);
  ASSERT_TRUE(out.converted) << out.errors;
  EXPECT_TRUE(out.equivalent) << out.differences << out.converted->text;
  EXPECT_THAT(out.converted->text, HasSubstr("<mu1 value=\"0.3\"/>"));
  const std::optional<Model> again = ReadText(out.converted->text, "/tmp/out.urdf", reading);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->dialect, "grbda");
  // Asked of the two files alone, the answer is the same.
  EXPECT_NE(VerifyEquivalent(*source, *again).verdict, Verdict::kDifferent);
  // Another place of a sensor is noticed.
  std::string other = out.converted->text;
  const std::size_t sensor = other.find("name=\"on_hand\""), at = other.find("xyz=\"0", sensor);
  ASSERT_NE(at, std::string::npos) << other;
  other.replace(at, 6, "xyz=\"9");
  const std::optional<Model> moved = ReadText(other, "/tmp/out.urdf", reading);
  ASSERT_TRUE(moved);
  EXPECT_EQ(VerifyEquivalent(*source, *moved).verdict, Verdict::kDifferent);
}

TEST(GrbdaProfile, AFreeBaseIsWrittenAsAFloatingJoint) {
  SmallModel m;
  m.model.name = "free";
  const LinkId base = m.AddLink("base"), arm = m.AddLink("arm");
  Joint& free = m.model.joint(m.AddJoint("free", kWorld, base, Free{}));
  free.implicit = true;
  free.axes.resize(1);
  m.model.joint(m.AddJoint("j", base, arm, Revolute{Vector3(0, 0.6, 0.8)})).axes.resize(1);
  const Outcome out = ConvertForGrbda(m.model);
  ASSERT_TRUE(out.converted) << out.errors;
  EXPECT_EQ(out.verdict, "");
  EXPECT_TRUE(out.equivalent) << out.differences;
  EXPECT_THAT(out.converted->text, HasSubstr("type=\"floating\""));
}

}  // namespace
}  // namespace kinemorph::test

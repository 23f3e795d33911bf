// Robots that once went wrong (fixtures/regressions), to every target; and closed chains of any
// length that nothing ties to the world.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "conversion.h"
#include "kinemorph/converters/verify.h"
#include "kinemorph/graph/mechanics/kinematics.h"

namespace kinemorph::test {
namespace {

const std::vector<std::string> kTargets = {"urdf",     "urdf+", "urdf+ paper", "sdf",
                                           "sdf@1.11", "mjcf",  "mbs"};

struct Result {
  Model written;
  LossReport report;
};

// Converts, reads back, and has verify compare.
std::optional<Result> ExpectProved(const Model& source, const std::string& target,
                                   const std::string& what) {
  ConvertOptions options;
  options.target = TargetNamed(target);
  Diagnostics converting, reading;
  const std::optional<Converted> converted = Convert(source, options, converting);
  EXPECT_TRUE(converted) << what << " -> " << target << ":\n" << Rendered(converting);
  if (!converted) return std::nullopt;
  const std::optional<Model> written =
      ReadText(converted->text, "/tmp/out" + Extension(options.target.format->name), reading);
  EXPECT_TRUE(written) << what << " -> " << target << ":\n" << Rendered(reading);
  if (!written) return std::nullopt;
  VerifyOptions verify;
  verify.states = 3;
  verify.report = &converted->lowered.report;
  verify.written = &converted->lowered.model;
  const VerifyResult result = VerifyEquivalent(source, *written, verify);
  for (const VerifyCheck& check : result.checks) {
    EXPECT_LE(check.max_error, check.tolerance)
        << what << " -> " << target << ": " << check.what << ", worst at " << check.worst;
  }
  return Result{*written, converted->lowered.report};
}

double TotalMass(const Model& model) {
  double sum = 0;
  for (const LinkId id : Links(model))
    sum += model.link(id).inertial ? model.link(id).inertial->mass : 0;
  return sum;
}

Model Regression(const std::string& name) {
  Diagnostics reading;
  std::optional<Model> model = ReadFile(Fixtures() + "/regressions/" + name, reading);
  EXPECT_TRUE(model) << Rendered(reading);
  return model.value_or(Model());
}

std::vector<Loss> LossesOf(const LossReport& report, Feature feature) {
  std::vector<Loss> found;
  for (const Loss& loss : report.losses)
    if (loss.feature == feature) found.push_back(loss);
  return found;
}

TEST(Regressions, EveryOneIsConvertedToEveryTargetAndProved) {
  const std::vector<std::string> files =
      FilesBelow(Fixtures() + "/regressions", {".urdf", ".sdf", ".xml", ".mbs"});
  EXPECT_GE(files.size(), 6u);
  for (const std::string& path : files) {
    Diagnostics reading;
    const std::optional<Model> source = ReadFile(path, reading);
    ASSERT_TRUE(source) << Rendered(reading);
    for (const std::string& target : kTargets) ExpectProved(*source, target, path);
  }
}

// n links in a circle, each the parent of the next; kind is a joint type of SDFormat.
std::string Ring(int n, const std::string& kind, bool grounded) {
  std::string text = "<sdf version=\"1.9\"><model name=\"ring\">";
  for (int i = 0; i < n; ++i) {
    const double angle = 2 * M_PI * i / n;
    text += "<link name=\"l" + std::to_string(i) + "\"><pose>" + std::to_string(std::cos(angle)) +
            " 0 " + std::to_string(std::sin(angle)) + " 0 0 0</pose></link>";
  }
  for (int i = 0; i < n; ++i) {
    text += "<joint name=\"j" + std::to_string(i) + "\" type=\"" + kind + "\"><parent>l" +
            std::to_string(i) + "</parent><child>l" + std::to_string((i + 1) % n) + "</child>" +
            (kind == "ball" ? "" : "<axis><xyz>0 1 0</xyz></axis>") + "</joint>";
  }
  if (grounded)
    text += "<joint name=\"ground\" type=\"fixed\"><parent>world</parent><child>l0</child></joint>";
  return text + "</model></sdf>";
}

TEST(Rings, OfAnyLengthAndKindTiedOrNot) {
  for (const int n : {3, 4, 5, 8}) {
    for (const char* kind : {"revolute", "ball"}) {
      for (const bool grounded : {false, true}) {
        Diagnostics reading;
        const std::optional<Model> source = ReadText(Ring(n, kind, grounded), "ring.sdf", reading);
        ASSERT_TRUE(source) << Rendered(reading);
        for (const std::string& target : kTargets) {
          const std::string what =
              std::string(kind) + " ring of " + std::to_string(n) + (grounded ? ", grounded" : "");
          const std::optional<Result> result = ExpectProved(*source, target, what);
          // The root stays where it was: URDF tells it by having no joint that leads to it.
          if (!result || !target.starts_with("urdf") || grounded) continue;
          EXPECT_EQ(
              boost::in_degree(Index(*result->written.FindLink("l0")), result->written.graph()), 0u)
              << what;
        }
      }
    }
  }
}

TEST(PhantomMass, TheRobotKeepsItsMassAndIsToldOnce) {
  const Model hand = Regression("massless_hand.urdf");
  for (const char* target : {"sdf", "mjcf"}) {
    const std::optional<Result> result = ExpectProved(hand, target, "hand");
    ASSERT_TRUE(result);
    EXPECT_NEAR(TotalMass(result->written), 0.94, 0.94e-6) << target;
    const std::vector<Loss> losses = LossesOf(result->report, Feature::kMasslessLink);
    // Once what moves, what stands still, and rotors.
    EXPECT_GE(losses.size(), 1u) << target;
    EXPECT_LE(losses.size(), 3u) << target;
    for (const Loss& loss : losses) {
      EXPECT_THAT(loss.what, testing::ContainsRegex("links? ha(s|ve) no (inertia|mass) \\('"));
      EXPECT_THAT(loss.what, testing::HasSubstr("kg in all where the model has 0.94 kg"));
    }
  }
}

TEST(PhantomMass, ARobotWithoutAnyInertiaIsToldOnce) {
  const Model skeleton = Regression("no_inertia_at_all.urdf");
  for (const char* target : {"sdf", "mjcf"}) {
    const std::optional<Result> result = ExpectProved(skeleton, target, "skeleton");
    ASSERT_TRUE(result);
    EXPECT_LT(TotalMass(result->written), 1e-6) << target;
    const std::vector<Loss> losses = LossesOf(result->report, Feature::kMasslessLink);
    EXPECT_GE(losses.size(), 1u) << target;
    EXPECT_LE(losses.size(), 2u) << target;
    for (const Loss& loss : losses)
      EXPECT_THAT(loss.what, testing::HasSubstr("nothing in the model has a mass"));
  }
}

TEST(NegativeMoment, IsKeptWhereTheTargetHoldsItAndElseTheNearestBodyWithBothSetsOfMoments) {
  const Model source = Regression("negative_moment.urdf");
  for (const char* target : {"urdf", "urdf+", "mbs"}) {
    const std::optional<Result> result = ExpectProved(source, target, "antenna");
    ASSERT_TRUE(result);
    EXPECT_EQ(result->written.link(*result->written.FindLink("antenna")).inertial->I_I(2, 2),
              -3.5e-8)
        << target;
    EXPECT_TRUE(LossesOf(result->report, Feature::kUnphysicalInertia).empty()) << target;
  }
  for (const char* target : {"sdf", "mjcf"}) {
    const std::optional<Result> result = ExpectProved(source, target, "antenna");
    ASSERT_TRUE(result);
    const std::vector<Loss> losses = LossesOf(result->report, Feature::kUnphysicalInertia);
    ASSERT_EQ(losses.size(), 1u) << target;
    EXPECT_THAT(losses[0].what, testing::HasSubstr("-3.5e-08, 2e-06, 2e-06 kg m^2 are written as "))
        << target;
  }
}

// A planar chain moves as before with a moment about the one axis of its joints; a hand that turns
// about a second one does not.
TEST(UnphysicalInertia, OfALinkThatTurnsAboutOneDirectionMovesAlike) {
  const auto link = [](const std::string& name, const std::string& rpy) {
    return "<link name='" + name + "'><inertial><origin xyz='.1 .02 .03' rpy='" + rpy +
           "'/><mass value='2'/><inertia ixx='.3' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/>"
           "</inertial></link>";
  };
  const auto joint = [](const std::string& p, const std::string& s, const std::string& axis) {
    return "<joint name='" + p + s + "' type='continuous'><origin xyz='.4 0 0'/><parent link='" +
           p + "'/><child link='" + s + "'/><axis xyz='" + axis + "'/></joint>";
  };
  Diagnostics diagnostics;
  const std::optional<Model> source =
      ReadText("<robot name='r'><link name='world'/>" + link("a", "0 0 0") + link("b", ".3 .4 .5") +
                   link("c", "0 0 0") + joint("world", "a", "0 .6 .8") +
                   joint("a", "b", "0 -.6 -.8") + joint("b", "c", "1 0 0") + "</robot>",
               "r.urdf", diagnostics);
  ASSERT_TRUE(source) << Rendered(diagnostics);
  for (const char* target : {"sdf", "mjcf", "usda"}) {
    const std::optional<Result> result = ExpectProved(*source, target, "planar");
    ASSERT_TRUE(result);
    const std::vector<Loss> losses = LossesOf(result->report, Feature::kUnphysicalInertia);
    ASSERT_EQ(losses.size(), 3u) << target;
    for (const Loss& loss : losses) {
      const bool alike = loss.subject.name != "c";
      EXPECT_EQ(loss.weight, alike ? Weight::kInterface : Weight::kMotion) << loss.what;
      EXPECT_EQ(loss.what.find("about one direction at most") != std::string::npos, alike);
    }
    // The moment about the joints, by hand.
    for (const char* name : {"a", "b"}) {
      const auto moment = [&](const Model& model) {
        const Inertial& inertial = *model.link(*model.FindLink(name)).inertial;
        const Vector3 n = inertial.X_LI.R.transpose() * Vector3(0, .6, .8);
        return n.dot(inertial.I_I * n);
      };
      EXPECT_NEAR(moment(result->written), moment(*source), 1e-12) << target << ' ' << name;
    }
  }
}

TEST(NegativeMoment, OfAllThreeAxesLeavesNone) {
  const char* const text =
      "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' "
      "ixy='0' ixz='0' iyz='0'/></inertial></link><link name='b'><inertial><mass value='1'/>"
      "<inertia ixx='-1' iyy='-2' izz='-1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
      "<joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>";
  Diagnostics diagnostics;
  const std::optional<Model> source = ReadText(text, "r.urdf", diagnostics);
  ASSERT_TRUE(source);
  for (const char* target : {"sdf", "mjcf", "usda"}) {
    ConvertOptions options;
    options.target = TargetNamed(target);
    Diagnostics said;
    const auto converted = Convert(*source, options, said);
    ASSERT_TRUE(converted) << target << Rendered(said);
    EXPECT_EQ(LossesOf(converted->lowered.report, Feature::kUnphysicalInertia).size(), 1u)
        << target;
  }
}

// MJCF is read back by what points hold together: written apart they would come back as one joint
// of another name.
TEST(Regressions, TwoBallLoopsOfTheSameLinksAreOneHingeInMjcf) {
  const auto link = [](const std::string& name) {
    return "<link name='" + name +
           "'><inertial><mass value='1'/><inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' "
           "izz='0.1'/></inertial></link>";
  };
  const auto joint = [](const std::string& name, const std::string& parent,
                        const std::string& child, const std::string& xyz) {
    return "<joint name='" + name + "' type='continuous'><parent link='" + parent +
           "'/><child link='" + child + "'/><origin xyz='" + xyz + "'/><axis xyz='0 1 0'/></joint>";
  };
  const auto ball = [](const std::string& name, const std::string& on_a, const std::string& on_c) {
    return "<loop name='" + name + "' type='spherical'><predecessor link='a'><origin xyz='" + on_a +
           "'/></predecessor><successor link='c'><origin xyz='" + on_c + "'/></successor></loop>";
  };
  std::string third;
  for (const char* const kind : {"revolute", "fixed"}) {
    Diagnostics reading;
    const std::optional<Model> source = ReadText(
        "<robot name='m'>" + link("a") + link("b") + link("c") + joint("j1", "a", "b", "1 0 0") +
            joint("j2", "b", "c", "0 0 1") + ball("p", "1 0 1", "0 0 0") +
            ball("q", "1 0.5 1", "0 0.5 0") + third + "</robot>",
        "r.urdf", reading);
    ASSERT_TRUE(source) << Rendered(reading);
    const auto result = ExpectProved(*source, "mjcf", kind);
    ASSERT_TRUE(result);
    const std::optional<JointId> held = result->written.FindJoint("p");
    ASSERT_TRUE(held);
    EXPECT_EQ(KindName(result->written.joint(*held).kind), kind);
    EXPECT_FALSE(result->written.FindJoint("q"));
    EXPECT_TRUE(std::any_of(result->report.lowerings.begin(), result->report.lowerings.end(),
                            [](const Lowering& each) { return each.pass == "join_points"; }));
    third = ball("r", "1.3 0.5 1", "0.3 0.5 0");
  }
}

// A hinge with a limit on one side, and a ball beside it, over the links of a tree joint.
constexpr const char* kLimitedLoop = R"(<robot name="r"><link name="a"/><link name="b"/>
  <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/></joint>
  <gazebo><joint name="stop" type="revolute"><parent>a</parent><child>b</child><axis>
  <xyz>0 0 1</xyz><limit><upper>1</upper></limit></axis></joint>
  <joint name="pin" type="ball"><pose>-0.1 -0.3 -0.4 0 0 0</pose><parent>a</parent>
  <child>b</child></joint></gazebo></robot>)";

TEST(LimitedLoops, KeepTheirLimitOrLoseItByName) {
  Diagnostics reading;
  const std::optional<Model> source = ReadText(kLimitedLoop, "r.urdf", reading);
  ASSERT_TRUE(source) << Rendered(reading);
  for (const char* target : {"urdf", "sdf", "mjcf", "urdf+", "sdf drake", "urdf drake"}) {
    ConvertOptions options;
    options.target = TargetNamed(target);
    Diagnostics converting, again;
    const std::optional<Converted> converted = Convert(*source, options, converting);
    ASSERT_TRUE(converted) << target << ":\n" << Rendered(converting);
    const std::vector<Loss> lost = LossesOf(converted->lowered.report, Feature::kLoopAxisData);
    if (target != std::string("urdf") && target != std::string("sdf")) {
      ASSERT_EQ(lost.size(), 1u) << target;
      EXPECT_THAT(lost[0].what, testing::HasSubstr("upper limit 1 rad")) << target;
      EXPECT_EQ(lost[0].subject.name, "stop") << target;
      continue;
    }
    EXPECT_TRUE(lost.empty()) << target;
    const std::optional<Model> written =
        ReadText(converted->text, "o" + Extension(options.target.format->name), again);
    ASSERT_TRUE(written) << Rendered(again);
    const std::optional<JointId> stop = written->FindJoint("stop");
    ASSERT_TRUE(stop) << target;
    EXPECT_EQ(written->joint(*stop).axes.at(0).upper, 1.0) << target;
    EXPECT_FALSE(written->joint(*stop).axes.at(0).lower) << target;
  }
}

}  // namespace
}  // namespace kinemorph::test

// A mass that depends on a mesh that is not there is a loss of motion by name, or stays to be
// computed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion.h"
#include "edit/model_edit.h"

namespace kinemorph::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string Sdf(const std::string& inertial, const std::string& geometry,
                const std::string& density = "") {
  return "<sdf version='1.11'><model name='m'><link name='x'>\n<inertial auto='true'>" + inertial +
         "</inertial>\n<collision name='c'>" + density + "<geometry>" + geometry +
         "</geometry></collision></link></model></sdf>";
}
const std::string kMesh = "<mesh><uri>gone.stl</uri></mesh>",
                  kBox = "<box><size>1 2 3</size></box>";

struct Result {
  std::string text;
  std::vector<std::string> lost;
  std::optional<Model> again;
};
Result To(const std::string& target, const std::string& text, const std::string& file,
          std::vector<Feature> drop = {}) {
  Diagnostics messages;
  const std::optional<Model> source = ReadText(text, file, messages);
  EXPECT_TRUE(source) << Rendered(messages);
  ConvertOptions options;
  options.target = TargetNamed(target);
  options.drop = std::move(drop);
  const auto converted = Convert(*source, options, messages);
  EXPECT_TRUE(converted) << Rendered(messages);
  if (!converted) return {};
  Result result{converted->text, {}, {}};
  for (const Loss& loss : converted->lowered.report.losses) {
    if (loss.feature != Feature::kUnknownMass) continue;
    EXPECT_EQ(loss.weight, Weight::kMotion);
    result.lost.push_back(Text(loss.subject) + ": " + loss.what);
  }
  result.again =
      ReadText(result.text, "/tmp/out" + Extension(options.target.format->name), messages);
  EXPECT_TRUE(result.again) << Rendered(messages);
  return result;
}
const Inertial& InertialOf(const Model& model, const std::string& link) {
  return *model.link(model.FindLink(link).value()).inertial;
}

TEST(UnknownMass, AMissingMeshIsNamedForEveryTargetThatWantsNumbers) {
  for (const char* target : {"sdf@1.9", "urdf", "urdf+", "mjcf", "mbs"})
    EXPECT_THAT(
        To(target, Sdf("", kMesh), "/tmp/m.sdf").lost,
        ElementsAre(
            "link 'x': its mass is unknown (mesh 'gone.stl' was not found): 1 kg replace it"))
        << target;
}

TEST(UnknownMass, WhatIsToBeComputedStaysSoWhereTheTargetComputes) {
  const Result r = To("sdf@1.11",
                      Sdf("<density>5</density><auto_inertia_params><v>1</v></auto_inertia_params>",
                          kMesh, "<density>7</density>"),
                      "/tmp/m.sdf");
  EXPECT_THAT(r.lost, IsEmpty());
  EXPECT_THAT(r.text, HasSubstr("<inertial auto=\"true\">"));
  EXPECT_THAT(r.text, HasSubstr("<density>5</density>"));
  EXPECT_THAT(r.text, HasSubstr("<density>7</density>"));
  EXPECT_THAT(r.text, HasSubstr("<auto_inertia_params>"));
  EXPECT_THAT(r.text, Not(HasSubstr("<mass>")));
  EXPECT_EQ(InertialOf(*r.again, "x").unknown, "mesh 'gone.stl' was not found");
}

TEST(UnknownMass, ExactShapesAreKnownAndLoseNothing) {
  for (const char* target : {"sdf@1.9", "sdf@1.11", "urdf", "mjcf"}) {
    const Result r = To(target, Sdf("<density>2</density>", kBox), "/tmp/m.sdf");
    EXPECT_THAT(r.lost, IsEmpty());
    EXPECT_NEAR(InertialOf(*r.again, "x").mass, 12, 1e-12) << target;
    EXPECT_EQ(r.text.find("auto=") != std::string::npos, std::string(target) == "sdf@1.11");
  }
  EXPECT_THAT(To("sdf@1.9", Sdf("", kBox, "<density>2</density>"), "/tmp/m.sdf").text,
              Not(HasSubstr("density")));
}

TEST(UnknownMass, NumbersStandWhereTheShapesChange) {
  const Result r =
      To("sdf@1.11", Sdf("<density>2</density>", kBox), "/tmp/m.sdf", {Feature::kShapeBox});
  EXPECT_THAT(r.text, Not(HasSubstr("auto=")));
  EXPECT_NEAR(InertialOf(*r.again, "x").mass, 12, 1e-12);
  EXPECT_THAT(To("sdf@1.11", Sdf("", kMesh), "/tmp/m.sdf", {Feature::kShapeMesh}).lost,
              ElementsAre(HasSubstr("gone.stl")));
}

TEST(UnknownMass, AStaticModelMovesNothing) {
  std::string text = Sdf("", kMesh);
  text.insert(text.find("<link"), "<static>true</static>");
  EXPECT_THAT(To("mjcf", text, "/tmp/m.sdf").lost, IsEmpty());
}

TEST(UnknownMass, WhatElseABodyHasStandsInForIt) {
  const auto body = [](const std::string& geoms) {
    return "<mujoco><asset><mesh name='hull' file='gone.stl'/></asset><worldbody><body name='x'>"
           "<freejoint/>" +
           geoms + "</body></worldbody></mujoco>";
  };
  const std::string ball = "<geom size='0.1' mass='0.5'/>",
                    hull = "<geom type='mesh' mesh='hull'/>",
                    heavy = "<geom type='mesh' mesh='hull' mass='2' pos='1 0 0'/>",
                    fitted = "<geom type='box' mesh='hull' mass='3'/>";
  const auto read = [&](const std::string& geoms) {
    Diagnostics messages;
    const auto model = ReadText(body(geoms), "/tmp/m.xml", messages);
    EXPECT_TRUE(model) << Rendered(messages);
    return InertialOf(*model, "x");
  };
  EXPECT_EQ(read(ball).unknown, "");
  for (const std::string& geoms : {hull, heavy, fitted, ball + hull})
    EXPECT_EQ(read(geoms).unknown, "mesh 'gone.stl' was not found");
  EXPECT_EQ(read(hull).mass, 0);
  EXPECT_EQ(read(heavy).mass, 2);
  EXPECT_EQ(read(fitted).mass, 3);
  EXPECT_EQ(read(ball + hull).mass, 0.5);
  EXPECT_EQ(read(ball + heavy).mass, 2.5);
  for (const char* target : {"sdf", "sdf@1.11", "urdf", "mjcf", "mbs"})
    EXPECT_THAT(
        To(target, body(ball + heavy), "/tmp/m.xml").lost,
        ElementsAre(
            "link 'x': its mass is unknown (mesh 'gone.stl' was not found): 2.5 kg replace it"))
        << target;
  EXPECT_EQ(To("mjcf", body(hull), "/tmp/m.xml").lost.size(), 1U);
}

TEST(UnknownMass, ABodyThatBecomesAFrameOfAnotherMakesThatUnknown) {
  const Result r = To("sdf",
                      "<mujoco><asset><mesh name='hull' file='gone.stl'/></asset><worldbody>"
                      "<body name='a'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 "
                      "1'/><body name='x'><geom type='mesh' mesh='hull'/></body></body>"
                      "</worldbody></mujoco>",
                      "/tmp/m.xml");
  EXPECT_THAT(r.lost, ElementsAre("link 'a': its mass is unknown (mesh 'gone.stl' was not "
                                  "found): 1 kg replace it"));
}

TEST(UnknownMass, AMeshThatCannotBeWeighedSaysWhy) {
  Diagnostics messages;
  const auto model = ReadText(
      "<mujoco><asset><mesh name='hull' builtin='sphere' params='1'/></asset><worldbody>"
      "<body name='x'><geom type='mesh' mesh='hull'/></body></worldbody></mujoco>",
      "/tmp/m.xml", messages);
  ASSERT_TRUE(model) << Rendered(messages);
  EXPECT_THAT(InertialOf(*model, "x").unknown, HasSubstr("mesh 'hull' cannot be weighed: "));
}

TEST(UnknownMass, TogetherWithAnotherLinkItStaysUnknown) {
  Inertial known, unknown;
  known.mass = unknown.mass = 1;
  unknown.unknown = "mesh 'm' was not found";
  EXPECT_EQ(Together(known, unknown).unknown, unknown.unknown);
  EXPECT_EQ(Together(unknown, known).unknown, unknown.unknown);
}

}  // namespace
}  // namespace kinemorph::test

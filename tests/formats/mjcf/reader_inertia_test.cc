// Inertia: written, from geoms, from meshes, and the compiler's corrections.
#include <cstring>
#include <numbers>

#include "mjcf_text.h"

namespace kinemorph {
namespace {

constexpr double kPi = std::numbers::pi;

// The inertial of a body with these contents and compiler settings.
Inertial Weigh(const std::string& contents, const std::string& compiler = "") {
  const Model model =
      Quiet("<mujoco><compiler angle='radian' " + compiler + "/><worldbody><body name='b'>" +
            contents + "</body></worldbody></mujoco>");
  return LinkNamed(model, "b").inertial.value();
}

TEST(MjcfInertial, FullInertiaOrderIsXxYyZzXyXzYz) {
  const Inertial inertial = Weigh("<inertial pos='1 2 3' mass='4' fullinertia='10 20 30 1 2 3'/>");
  Matrix3 I;
  I << 10, 1, 2, 1, 20, 3, 2, 3, 30;
  EXPECT_EQ(inertial.I_I, I);
  EXPECT_EQ(inertial.X_LI.p, Vector3(1, 2, 3));
  EXPECT_EQ(inertial.mass, 4);
}

TEST(MjcfInertial, FullInertiaBesideAQuaternionIsAnError) {
  EXPECT_EQ(ReadMjcfText(World("<body><inertial pos='0 0 0' mass='1' quat='0 1 0 0' fullinertia='1 "
                               "1 1 0 0 0'/></body>"))
                .errors.size(),
            1u);
}

TEST(MjcfInertial, PrimitivesWeighAsSolidsOfWater) {
  const Inertial box = Weigh("<geom type='box' size='0.5 1 1.5'/>");
  EXPECT_DOUBLE_EQ(box.mass, 6000);
  EXPECT_NEAR_MATRIX((box.I_I / 6000).eval(),
                     Matrix3(Vector3((4 + 9) / 12.0, (1 + 9) / 12.0, (1 + 4) / 12.0).asDiagonal()));
  const Inertial sphere = Weigh("<geom size='2' mass='5'/>");
  EXPECT_DOUBLE_EQ(sphere.I_I(0, 0), 0.4 * 5 * 4);
  const Inertial cylinder = Weigh("<geom type='cylinder' size='1 2' mass='12'/>");
  EXPECT_DOUBLE_EQ(cylinder.I_I(2, 2), 6);
  EXPECT_DOUBLE_EQ(cylinder.I_I(0, 0), 3 + 16);
  const Inertial ellipsoid = Weigh("<geom type='ellipsoid' size='1 2 3' mass='5'/>");
  EXPECT_NEAR_MATRIX(Vector3(ellipsoid.I_I.diagonal()), Vector3(13, 10, 5));
}

TEST(MjcfInertial, ACapsuleIsATubeWithTwoHalfBalls) {
  const Inertial capsule = Weigh("<geom type='capsule' size='1 2' density='1'/>");
  const double tube = 4 * kPi, ball = 4 * kPi / 3;
  EXPECT_NEAR(capsule.mass, tube + ball, 1e-12);
  EXPECT_NEAR(capsule.I_I(2, 2), tube / 2 + 0.4 * ball, 1e-12);
  // Half balls: 3/8 r from their flat side, parallel axes.
  const double half_ball = ball / 2, about_com = (0.4 - 9.0 / 64) * half_ball;
  EXPECT_NEAR(capsule.I_I(0, 0), tube * (3 + 16) / 12 + 2 * (about_com + half_ball * 2.375 * 2.375),
              1e-12);
}

TEST(MjcfInertial, FromtoGivesPoseAndLength) {
  const Inertial rod = Weigh("<geom type='cylinder' fromto='0 0 0 2 0 0' size='0.1' mass='3'/>");
  EXPECT_NEAR_MATRIX(rod.X_LI.p, Vector3(1, 0, 0));
  EXPECT_NEAR(rod.InLink().I_BBcm(0, 0), 3 * 0.01 / 2, 1e-15);
}

TEST(MjcfInertial, ShellsWeighByTheirArea) {
  EXPECT_NEAR(Weigh("<geom size='2' density='1' shellinertia='true'/>").mass, 16 * kPi, 1e-12);
  const Inertial box = Weigh("<geom type='box' size='1 1 1' mass='6' shellinertia='true'/>");
  // Six plates of 1 kg, 2 m wide: two across the axis (1/6 m a^2 each), four along it.
  EXPECT_NEAR(box.I_I(0, 0), 2 * 4 / 6.0 + 4 * (4 / 12.0 + 1), 1e-12);
}

TEST(MjcfInertial, SeveralGeomsAddUpAndTheGroupRangeChooses) {
  const std::string two =
      "<geom size='1' mass='1' pos='1 0 0' group='1'/><geom size='1' mass='3' pos='-1 0 0' "
      "group='3'/>";
  const Inertial both = Weigh(two);
  EXPECT_EQ(both.mass, 4);
  EXPECT_EQ(both.X_LI.p, Vector3(-0.5, 0, 0));
  EXPECT_NEAR(both.I_I(1, 1), 4 * 0.4 + 1 * 2.25 + 3 * 0.25, 1e-12);
  EXPECT_EQ(Weigh(two, "inertiagrouprange='3 5'").mass, 3);
}

// No number of them is too large to be read.
TEST(MjcfInertial, GroupsAndMasksOfAnySizeAreRead) {
  const std::string far =
      "<geom size='1' mass='2' group='1e12' contype='1e300' conaffinity='-1e300'/>";
  EXPECT_EQ(Weigh(far + "<geom size='1' mass='3'/>").mass, 3);
  EXPECT_EQ(Weigh(far, "inertiagrouprange='0 1e13'").mass, 2);
}

TEST(MjcfInertial, VisualGeomsWeighToo) {
  EXPECT_EQ(Weigh("<geom size='1' mass='2' contype='0' conaffinity='0' group='2'/>").mass, 2);
}

TEST(MjcfInertial, InertiaFromGeomSaysWhichOneWins) {
  const std::string both =
      "<inertial pos='0 0 0' mass='7' diaginertia='1 1 1'/><geom size='1' mass='2'/>";
  EXPECT_EQ(Weigh(both).mass, 7);
  EXPECT_EQ(Weigh(both, "inertiafromgeom='true'").mass, 2);
  const Model none = Quiet(
      "<mujoco><compiler inertiafromgeom='false'/><worldbody><body name='b'><geom size='1' "
      "mass='2'/></body></worldbody></mujoco>");
  EXPECT_FALSE(LinkNamed(none, "b").inertial);
}

TEST(MjcfInertial, TheCompilerCorrectsOnRequest) {
  EXPECT_EQ(
      Weigh("<inertial pos='0 0 0' mass='1' diaginertia='1 2 9'/>", "balanceinertia='true'").I_I,
      Matrix3(4 * Matrix3::Identity()));
  EXPECT_EQ(Weigh("<inertial pos='0 0 0' mass='1' diaginertia='1 2 2.5'/>", "balanceinertia='true'")
                .I_I(2, 2),
            2.5);
  const Inertial bounded = Weigh("<inertial pos='0 0 0' mass='1' diaginertia='1 2 2'/>",
                                 "boundmass='3' boundinertia='1.5'");
  EXPECT_EQ(bounded.mass, 3);
  EXPECT_EQ(bounded.I_I(0, 0), 1.5);
}

TEST(MjcfInertial, TotalMassIsSetLastOfAll) {
  const Model model = Quiet(
      R"(<mujoco><compiler settotalmass="10"/><worldbody><body name="a"><geom size="1" mass="1"/></body><body name="b"><geom size="1" mass="4"/></body></worldbody></mujoco>)");
  EXPECT_DOUBLE_EQ(LinkNamed(model, "a").inertial->mass, 2);
  EXPECT_DOUBLE_EQ(LinkNamed(model, "b").inertial->I_I(0, 0), 0.4 * 8);
}

// A box of 2 x 4 x 6 with one corner at the origin.
std::string BoxObj() {
  std::string obj;
  for (int i = 0; i < 8; ++i)
    obj += "v " + std::to_string(2 * (i & 1)) + " " + std::to_string(4 * (i >> 1 & 1)) + " " +
           std::to_string(6 * (i >> 2)) + "\n";
  return obj + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
}

// The same as a MuJoCo MSH file: counts, then vertices and triangles.
std::string BoxMsh() {
  const auto append = [](std::string& bytes, auto value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes.append(raw, sizeof value);
  };
  std::string bytes;
  for (const int n : {8, 0, 0, 12}) append(bytes, n);
  for (int i = 0; i < 8; ++i)
    for (const int x : {2 * (i & 1), 4 * (i >> 1 & 1), 6 * (i >> 2)})
      append(bytes, static_cast<float>(x));
  for (const int corner : {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                           2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5})
    append(bytes, corner);
  return bytes;
}

const std::string kMeshBody =
    "<worldbody><body name='b'><geom type='mesh' mesh='box' "
    "density='1'/></body></worldbody></mujoco>";

void ExpectBox(const Inertial& inertial, double scale) {
  EXPECT_NEAR(inertial.mass, 48 * scale * scale * scale, 1e-9);
  EXPECT_NEAR_MATRIX(inertial.X_LI.p, Vector3(scale * Vector3(1, 2, 3)));
  EXPECT_NEAR_MATRIX(Vector3(inertial.I_I.diagonal() / inertial.mass / (scale * scale)),
                     Vector3((16 + 36) / 12.0, (4 + 36) / 12.0, (4 + 16) / 12.0));
}

TEST(MjcfMesh, ObjAndMshWeighTheSameWhateverTheMethod) {
  for (const char* method : {"legacy", "exact", "convex"}) {
    const std::string asset =
        "name='box' inertia='" + std::string(method) + "' scale='2 2 2'/></asset>";
    ExpectBox(*LinkNamed(Quiet("<mujoco><asset><mesh file='box.obj' " + asset + kMeshBody,
                               {{"box.obj", BoxObj()}}),
                         "b")
                   .inertial,
              2);
    ExpectBox(*LinkNamed(Quiet("<mujoco><asset><mesh file='box.msh' " + asset + kMeshBody,
                               {{"box.msh", BoxMsh()}}),
                         "b")
                   .inertial,
              2);
  }
}

TEST(MjcfMesh, AMirroredMeshWeighsTheSame) {
  const Model model = Quiet(
      "<mujoco><asset><mesh name='box' inertia='exact' file='box.obj' scale='-1 1 1'/></asset>" +
          kMeshBody,
      {{"box.obj", BoxObj()}});
  EXPECT_NEAR(LinkNamed(model, "b").inertial->mass, 48, 1e-9);
  EXPECT_NEAR_MATRIX(LinkNamed(model, "b").inertial->X_LI.p, Vector3(-1, 2, 3));
  EXPECT_EQ(std::get<Mesh>(LinkNamed(model, "b").collisions.at(0).shape).scale, Vector3(-1, 1, 1));
}

TEST(MjcfMesh, VerticesAloneAreTheirHull) {
  const Model model = Quiet(
      "<mujoco><asset><mesh name='box' vertex='0 0 0 2 0 0 0 4 0 2 4 0 0 0 6 2 0 6 0 4 6 2 4 6 1 1 "
      "1'/></asset>" +
      kMeshBody);
  ExpectBox(*LinkNamed(model, "b").inertial, 1);
}

TEST(MjcfMesh, AMissingMeshLeavesTheMassUnknownAndSaysSo) {
  const MjcfRead read =
      ReadMjcfText("<mujoco><asset><mesh name='box' file='gone.stl'/></asset>\n" + kMeshBody);
  EXPECT_TRUE(read.errors.empty());
  ASSERT_TRUE(LinkNamed(read.model, "b").inertial);
  EXPECT_EQ(LinkNamed(read.model, "b").inertial->unknown, "mesh 'gone.stl' was not found");
  EXPECT_EQ(LinkNamed(read.model, "b").inertial->mass, 0);
  ASSERT_EQ(read.warnings.size(), 2u);
  EXPECT_NE(read.warnings[0].find("robot.xml:2: warning"), std::string::npos);
  EXPECT_NE(read.warnings[0].find("[mesh-inertia-unknown]"), std::string::npos);
  EXPECT_EQ(read.warnings[1],
            "robot.xml:1: warning: folder '.': file 'gone.stl' is not found; its name is kept as "
            "written [resource-not-found]");
}

// Counts what is opened.
class CountingResolver : public ResourceResolver {
 public:
  std::optional<Resource> Open(std::string_view, std::string_view,
                               std::string& why) const override {
    ++opened;
    why = "counted";
    return std::nullopt;
  }
  std::optional<Resource> OpenStart(std::string_view uri, std::string_view,
                                    std::string&) const override {
    return Resource{std::string(uri), ""};
  }
  std::optional<std::string> Locate(std::string_view uri, std::string_view,
                                    std::string&) const override {
    return std::string(uri);
  }
  mutable int opened = 0;
};

TEST(MjcfMesh, NoMeshIsOpenedWhereTheInertiaIsWritten) {
  const CountingResolver resolver;
  Diagnostics diagnostics;
  const auto model = FindFormat("mjcf")->read(
      "<mujoco><asset><mesh name='m' file='huge.stl'/></asset><worldbody><geom type='mesh' "
      "mesh='m'/><body><inertial pos='0 0 0' mass='1' "
      "diaginertia='1 1 1'/>"
      "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
      {"robot.xml", &resolver}, diagnostics);
  EXPECT_TRUE(model);
  EXPECT_TRUE(diagnostics.items().empty());
  EXPECT_EQ(resolver.opened, 0);
}

TEST(MjcfMesh, APrimitiveIsFittedToTheInertiaBox) {
  const Model model = Quiet(
      "<mujoco><asset><mesh name='box' file='box.obj'/></asset><worldbody><geom type='box' "
      "mesh='box'/></worldbody></mujoco>",
      {{"box.obj", BoxObj()}});
  const Collision& geom = model.link(kWorld).collisions.at(0);
  const Vector3 size = (geom.X_LG.R * std::get<Box>(geom.shape).size).cwiseAbs();
  EXPECT_NEAR_MATRIX(size, Vector3(2, 4, 6));
  EXPECT_NEAR_MATRIX(geom.X_LG.p, Vector3(1, 2, 3));
}

TEST(MjcfGeom, HalfSizesBecomeFullSizes) {
  const Model model =
      Quiet(World("<geom type='capsule' size='1 2'/><geom type='plane' size='3 4 1'/>"));
  EXPECT_EQ(std::get<Capsule>(model.link(kWorld).collisions.at(0).shape).length, 4);
  EXPECT_EQ(std::get<Plane>(model.link(kWorld).collisions.at(1).shape).size, Eigen::Vector2d(6, 8));
}

TEST(MjcfGeom, WhatCollidesAndIsDrawnIsBoth) {
  const Model model = Quiet(World(
      R"(<body name="b"><geom name="both" size="1"/><geom name="seen" size="1" contype="0" conaffinity="0"/><geom name="felt" size="1" group="3"/></body>)"));
  const Link& link = LinkNamed(model, "b");
  ASSERT_EQ(link.collisions.size(), 2u);
  ASSERT_EQ(link.visuals.size(), 2u);
  EXPECT_EQ(link.collisions[1].name, "felt");
  EXPECT_EQ(link.visuals[0].name, "");
  EXPECT_EQ(link.visuals[1].name, "seen");
}

}  // namespace
}  // namespace kinemorph

// Inertials, geometry, materials, sensors, and what is kept as text.
#include <numbers>

#include "sdf_text.h"

namespace kinemorph::test {
namespace {

constexpr double kPi = std::numbers::pi;

Link ReadLink(const std::string& content, const std::string& version = "1.9",
              const Files& files = {}) {
  const Model m = Read(InModel("<link name='l'>" + content + "</link>", version), files);
  return m.link(LinkNamed(m, "l"));
}

TEST(SdfLinks, InertialAsAuthored) {
  const Link l = ReadLink(
      "<inertial><mass>2</mass><pose>1 2 3 0 0 1.5707963267948966</pose>"
      "<inertia><ixx>1</ixx><ixy>0.1</ixy><ixz>0.2</ixz><iyy>2</iyy><iyz>0.3</iyz><izz>3</izz></"
      "inertia></inertial>");
  EXPECT_EQ(l.inertial->mass, 2);
  EXPECT_EQ(l.inertial->X_LI.p, Vector3(1, 2, 3));
  EXPECT_EQ(l.inertial->I_I(1, 2), 0.3);
  EXPECT_EQ(l.inertial->I_I(2, 1), 0.3);
  EXPECT_NEAR(l.inertial->InLink().I_BBcm(0, 0), 2, 1e-12);  // turned by 90 degrees
}

TEST(SdfLinks, NoInertialMeansOneKilogram) {
  const ReadResult r = ReadText(InModel("<link name='l'/>\n"));
  EXPECT_EQ(r.Messages(Severity::kNote),
            "m.sdf:2: note: 'l' has no <inertial>; SDFormat means 1 kg and 1 kg m^2 about each "
            "axis [inertial-default]\n");
  EXPECT_EQ(r.model->link(LinkId{1}).inertial->mass, 1);
  EXPECT_EQ(r.model->link(LinkId{1}).inertial->I_I, Matrix3::Identity());
}

TEST(SdfLinks, AutomaticInertiaOfExactShapes) {
  const auto inertia = [](const std::string& shape,
                          const std::string& inertial = "<density>2</density>") {
    return *ReadLink("<inertial auto='true'>" + inertial +
                         "</inertial><collision name='c'><geometry>" + shape +
                         "</geometry></collision>",
                     "1.11")
                .inertial;
  };
  EXPECT_NEAR(inertia("<box><size>1 2 3</size></box>").mass, 12, 1e-12);
  EXPECT_TRUE(Near(inertia("<box><size>1 2 3</size></box>").I_I.diagonal(), Vector3(13, 10, 5)));
  EXPECT_NEAR(inertia("<sphere><radius>1</radius></sphere>").I_I(0, 0), 2.0 / 5 * 2 * 4 / 3 * kPi,
              1e-12);
  EXPECT_NEAR(inertia("<cylinder><radius>1</radius><length>3</length></cylinder>").I_I(0, 0),
              2 * kPi * 3 * (3 + 9) / 12.0, 1e-12);
  EXPECT_TRUE(
      Near(inertia("<cone><radius>1</radius><length>4</length></cone>").X_LI.p, Vector3(0, 0, -1)));
  // A capsule between its cylinder and the ball around it; the limit of zero length is a ball.
  EXPECT_NEAR(inertia("<capsule><radius>1</radius><length>1e-9</length></capsule>").I_I(0, 0),
              inertia("<sphere><radius>1</radius></sphere>").I_I(0, 0), 1e-7);
  // A given mass scales the result.
  EXPECT_NEAR(inertia("<box><size>1 2 3</size></box>", "<mass>6</mass>").I_I(0, 0), 6.5, 1e-12);
}

TEST(SdfLinks, AutomaticInertiaOfAMeshIsALoss) {
  EXPECT_EQ(Warnings(InModel(
                "<link name='l'><inertial auto='true'/><collision "
                "name='c'><geometry><mesh><uri>a.stl</uri></mesh></geometry></collision></link>\n",
                "1.11")),
            "m.sdf:2: warning: 'sdf/model[m]/link[l]/inertial' asks for automatic inertia, which "
            "cannot be computed because collision 'c' "
            "is a mesh; 1 kg and 1 kg m^2 "
            "are taken [inertia-auto-lost]\n"
            "m.sdf:2: warning: folder '.': file 'a.stl' is not found; its name is kept as written "
            "[resource-not-found]\n");
}

TEST(SdfLinks, EveryShape) {
  const auto shape = [](const std::string& text) {
    return ReadLink("<visual name='v'><geometry>" + text + "</geometry></visual>", "1.11",
                    {{"model://a/b.dae", ""}})
        .visuals.at(0)
        .shape;
  };
  EXPECT_EQ(std::get<Box>(shape("<box><size>1 2 3</size></box>")).size, Vector3(1, 2, 3));
  EXPECT_EQ(std::get<Sphere>(shape("<sphere><radius>2</radius></sphere>")).radius, 2);
  EXPECT_EQ(
      std::get<Cylinder>(shape("<cylinder><radius>2</radius><length>3</length></cylinder>")).length,
      3);
  EXPECT_EQ(
      std::get<Capsule>(shape("<capsule><radius>2</radius><length>3</length></capsule>")).length,
      3);
  EXPECT_EQ(std::get<Cone>(shape("<cone><radius>2</radius><length>3</length></cone>")).radius, 2);
  EXPECT_EQ(std::get<Ellipsoid>(shape("<ellipsoid><radii>1 2 3</radii></ellipsoid>")).radii,
            Vector3(1, 2, 3));
  EXPECT_EQ(std::get<Plane>(shape("<plane><normal>0 0 2</normal><size>4 5</size></plane>")).normal,
            Vector3::UnitZ());
  const Mesh mesh = std::get<Mesh>(
      shape("<mesh><uri>model://a/b.dae</uri><scale>1 1 "
            "-1</scale><submesh><name>s</name><center>true</center></submesh></mesh>"));
  EXPECT_EQ(mesh.uri, "model://a/b.dae");
  EXPECT_EQ(mesh.scale.z(), -1);
  EXPECT_EQ(mesh.submesh, "s");
  EXPECT_TRUE(mesh.center_submesh);
  EXPECT_EQ(
      std::get<Polyline>(
          shape("<polyline><point>0 0</point><point>1 0</point><height>2</height></polyline>"))
          .polylines[0]
          .size(),
      2u);
  EXPECT_EQ(std::get<NativeShape>(shape("<heightmap><uri>h.png</uri></heightmap>")).type,
            "heightmap");
}

// As Gazebo has it; the other heights mean nothing there.
TEST(SdfLinks, TheFirstPolylineGivesTheHeightOfAll) {
  const auto polyline = [](const std::string& height) {
    return "<polyline><point>0 0</point><point>1 0</point><point>0 1</point>" + height +
           "</polyline>";
  };
  const ReadResult read = ReadText(
      InModel("<link name='l'><visual name='v'><geometry>" + polyline("<height>2</height>") +
              polyline("<height>2</height>") + polyline("") + polyline("<height>3</height>") +
              "</geometry></visual></link>"));
  EXPECT_EQ(read.Messages(Severity::kWarning),
            "m.sdf:2: warning: element 'height' in "
            "'sdf/model[m]/link[l]/visual[v]/geometry/polyline' is not used: the first polyline of "
            "a shape gives the height of all, 2 [not-used]\n");
  const Link& link = read.model->link(LinkNamed(*read.model, "l"));
  EXPECT_EQ(std::get<Polyline>(link.visuals.at(0).shape).height, 2);
}

TEST(SdfLinks, MaterialTransparencyAndFriction) {
  const Link l = ReadLink(
      "<visual "
      "name='v'><geometry><sphere><radius>1</radius></sphere></geometry><transparency>0.5</"
      "transparency>"
      "<material><ambient>1 0 0 1</ambient><diffuse>0 1 "
      "0</diffuse><script><name>Gazebo/Red</name></script></material></visual>"
      "<collision name='c'><geometry><sphere><radius>1</radius></sphere></geometry>"
      "<surface><friction><ode><mu>0.5</mu><mu2>0.6</mu2></ode><torsional><coefficient>0.1</"
      "coefficient></torsional></friction></surface></"
      "collision>");
  EXPECT_EQ(l.visuals[0].transparency, 0.5);
  EXPECT_EQ(*l.visuals[0].material->ambient, Rgba(1, 0, 0, 1));
  EXPECT_EQ(*l.visuals[0].material->diffuse, Rgba(0, 1, 0, 1));
  EXPECT_EQ(l.visuals[0].material->native.at(0).element, "script");
  EXPECT_EQ(l.collisions[0].mu, 0.5);
  EXPECT_EQ(l.collisions[0].mu2, 0.6);
  EXPECT_EQ(l.collisions[0].torsional, 0.1);
  EXPECT_TRUE(l.collisions[0].native.empty());
}

TEST(SdfLinks, DefaultsAreNotKeptAndTheRestIs) {
  const Link l = ReadLink(
      "<gravity>true</gravity><self_collide>0</self_collide><kinematic>true</kinematic>"
      "<collision "
      "name='c'><max_contacts>10</max_contacts><geometry><sphere><radius>1</radius></sphere></"
      "geometry>"
      "<surface><contact><ode/></contact><friction><ode/></friction></surface></collision>"
      "<sensor name='s' type='imu'><pose>0 0 1 0 0 0</pose></sensor><light name='lamp' "
      "type='point'/>");
  ASSERT_EQ(l.native.size(), 2u);
  EXPECT_EQ(l.native[0].element, "kinematic");
  EXPECT_EQ(l.native[1].element, "light");
  EXPECT_TRUE(l.collisions[0].native.empty());
}

TEST(SdfLinks, GravityAndSelfCollide) {
  EXPECT_EQ(ReadLink("<gravity>false</gravity>").gravity, false);
  EXPECT_EQ(ReadLink("<gravity>0</gravity><gravity>1</gravity>").gravity, false);
  EXPECT_EQ(ReadLink("<gravity>1</gravity>").gravity, std::nullopt) << "as if nothing was written";
  EXPECT_EQ(ReadLink("<self_collide>1</self_collide>").self_collide, true);
  const Model model =
      Read(InModel("<self_collide>true</self_collide><link name='l'><gravity>0</gravity>"
                   "<self_collide>false</self_collide></link>"));
  EXPECT_EQ(model.scopes[0].self_collide, true);
  Diagnostics diagnostics;
  const std::string text = FindFormat("sdf")->write(model, {}, diagnostics).text;
  EXPECT_NE(text.find("<gravity>false</gravity>"), std::string::npos) << text;
  EXPECT_NE(text.find("<self_collide>true</self_collide>"), std::string::npos) << text;
  EXPECT_NE(text.find("<self_collide>false</self_collide>"), std::string::npos) << text;
}

TEST(SdfLinks, SensorsOfLinksAndJoints) {
  const Model m = Read(
      InModel("<link name='l'><sensor name='s' type='imu'><pose>0 0 1 0 0 0</pose></sensor></link>"
              "<joint name='j' type='fixed'><parent>world</parent><child>l</child><sensor "
              "name='ft' type='force_torque'/></joint>"));
  ASSERT_EQ(m.sensors.size(), 2u);
  EXPECT_EQ(m.link(m.sensors[0].link).name, "l");
  EXPECT_EQ(m.sensors[0].X_LS.p, Vector3(0, 0, 1));
  EXPECT_EQ(m.joint(m.sensors[1].joint).name, "j");
}

TEST(SdfLinks, WhatNobodyKnowsIsReported) {
  const ReadResult read = ReadText(InModel("<link name='l'>\n<inertail/></link>"));
  EXPECT_EQ(read.Messages(Severity::kWarning),
            "m.sdf:3: warning: element 'inertail' in 'sdf/model[m]/link[l]' is not used "
            "[not-used]\n    did you mean 'inertial'?\n");
  ASSERT_EQ(read.model->native.size(), 1u);
  EXPECT_EQ(read.model->native[0].format, "");
}

// libsdformat takes the word in any spelling, and no number that a double cannot hold.
TEST(SdfLinks, InfiniteFrictionStaysInTheText) {
  const auto surface = [](const std::string& mu) {
    return InModel(
        "<link name=\"a\"><inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz>"
        "</inertia></inertial><collision name=\"c\"><geometry><sphere><radius>1</radius></sphere>"
        "</geometry><surface><friction><ode><mu>" +
        mu + "</mu><mu2>0.5</mu2></ode></friction></surface></collision></link>");
  };
  for (const char* word : {"inf", "+inf", "INF", "infinity"}) {
    const Model model = Read(surface(word));
    const Collision& collision = model.link(LinkNamed(model, "a")).collisions.at(0);
    EXPECT_FALSE(collision.mu) << word;
    EXPECT_EQ(collision.mu2, 0.5) << word;
    const std::string again = Write(model);
    EXPECT_NE(again.find("<mu>" + std::string(word) + "</mu>"), std::string::npos) << again;
    EXPECT_EQ(Errors(again), "") << word;
  }
  for (const char* word : {"-inf", "nan", "1e999"})
    EXPECT_NE(Errors(surface(word)).find("[bad-number]"), std::string::npos) << word;
}

}  // namespace
}  // namespace kinemorph::test

// Meshes whose points stand in the stage: into the model, beside what is written of it, and from
// files into a stage.
#include <numbers>

#include "kinemorph/converters/conversion.h"
#include "kinemorph/formats/mesh_file.h"
#include "read.h"

namespace kinemorph::test::usd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// A corner of a cube: 0.1 along each axis of the file.
std::string Wedge(const std::string& more, const std::string& apis = "") {
  return "def Mesh \"wedge\" (\n prepend apiSchemas = [" + apis +
         "]\n)\n{\n int[] faceVertexCounts = [3, 3, 3, 3]\n"
         " int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]\n"
         " point3f[] points = [(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1)]\n"
         " uniform token subdivisionScheme = \"none\"\n" +
         more + "}\n";
}
const std::string kCollides = "\"PhysicsCollisionAPI\"";

std::string Bare(const std::string& inside) {
  return "def Xform \"a\" (\n prepend apiSchemas = [\"PhysicsRigidBodyAPI\"]\n)\n{\n" + inside +
         "}\n";
}

const Link& BodyOf(const Read& read) {
  static const Link kNone;
  EXPECT_TRUE(read.model) << read.said;
  return read.model ? read.model->link(LinkId{1}) : kNone;
}

Triangles TrianglesOf(const Mesh& mesh) {
  std::string why;
  EXPECT_TRUE(mesh.content);
  const auto found = mesh.content ? DecodeMesh(mesh.uri, *mesh.content, why) : std::nullopt;
  EXPECT_TRUE(found) << why;
  return found.value_or(Triangles());
}

// Six times the signed volume.
double SixVolumes(const Triangles& mesh) {
  double sum = 0;
  for (const auto& f : mesh.faces)
    sum += mesh.vertices[f[0]].dot(mesh.vertices[f[1]].cross(mesh.vertices[f[2]]));
  return sum;
}

TEST(UsdPoints, AreAMeshThatTheModelHolds) {
  const Read read = ReadStage(Robot(RigidBody("a", Wedge("", kCollides))));
  const Link& link = BodyOf(read);
  ASSERT_EQ(link.visuals.size(), 1u);
  ASSERT_EQ(link.collisions.size(), 1u);
  const auto* const mesh = std::get_if<Mesh>(&link.visuals[0].shape);
  ASSERT_NE(mesh, nullptr);
  EXPECT_EQ(mesh->uri, "a_wedge.obj");
  EXPECT_EQ(std::get<Mesh>(link.collisions[0].shape).content, mesh->content);
  const Triangles surface = TrianglesOf(*mesh);
  ASSERT_EQ(surface.vertices.size(), 4u);
  EXPECT_EQ(surface.vertices[2], Vector3(0, static_cast<double>(0.1F), 0));
  EXPECT_THAT(surface.faces.at(0), ElementsAre(0, 2, 1));
  EXPECT_THAT(read.said, Not(HasSubstr("warning"))) << read.said;
}

TEST(UsdPoints, HaveFacesOfAnyNumberOfCornersHolesAndTwoHands) {
  const std::string square =
      "def Mesh \"q\" { int[] faceVertexCounts = [4, 3]\n int[] faceVertexIndices = [0, 1, 2, 3, "
      "0, "
      "1, 2]\n point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]\n"
      " int[] holeIndices = [1]\n";
  const auto faces = [&](const std::string& more) {
    return TrianglesOf(
               std::get<Mesh>(BodyOf(ReadStage(Robot(RigidBody("a", square + more + "}\n"))))
                                  .visuals.at(0)
                                  .shape))
        .faces;
  };
  EXPECT_THAT(faces(""), ElementsAre(ElementsAre(0, 1, 2), ElementsAre(0, 2, 3)));
  EXPECT_THAT(faces("uniform token orientation = \"leftHanded\"\n"),
              ElementsAre(ElementsAre(0, 2, 1), ElementsAre(0, 3, 2)));
}

TEST(UsdPoints, ThatMakeNoSurfaceAreSaid) {
  for (const char* more :
       {"int[] faceVertexCounts = [3]\n int[] faceVertexIndices = [0, 1, 9]\n",
        "int[] faceVertexCounts = [4]\n int[] faceVertexIndices = [0, 1, 2]\n",
        "int[] faceVertexCounts = [2]\n int[] faceVertexIndices = [0, 1, 2]\n",
        "int[] faceVertexCounts = [-3, 6]\n int[] faceVertexIndices = [0, 1, 2]\n", ""}) {
    const Read read = ReadStage(Robot(RigidBody(
        "a",
        std::string("def Mesh \"m\" { point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n") +
            more + "}\n")));
    EXPECT_TRUE(std::holds_alternative<NativeShape>(BodyOf(read).visuals.at(0).shape)) << more;
    EXPECT_THAT(read.said, HasSubstr("'/r/a/m': its points and faces make no surface"));
  }
}

// Of a corner with edges of length s and mass m: centre s/4, I_xx = 0.075 m s^2, I_xy = 0.0125 m s^2.
TEST(UsdPoints, GiveMassAndInertiaAlsoMirrored) {
  for (const double side : {2.0, -2.0}) {
    const std::string scale =
        side > 0 ? "(2, 2, 2)" : "(-2, -2, -2)";  // OpenUSD mirrors all axes or none
    const Read read = ReadStage(Robot(Bare(Wedge(
        "double3 xformOp:scale = " + scale +
            "\n uniform token[] xformOpOrder = [\"xformOp:scale\"]\n float physics:density = 600\n",
        kCollides + ", \"PhysicsMassAPI\""))));
    const Link& link = BodyOf(read);
    ASSERT_TRUE(link.inertial);
    EXPECT_TRUE(link.inertial->unknown.empty()) << link.inertial->unknown;
    const SpatialInertia I = link.inertial->InLink();
    const double m = 600 * 0.2 * 0.2 * 0.2 / 6;
    EXPECT_NEAR(I.mass, m, 1e-6 * m);
    EXPECT_NEAR((I.p_BoBcm - Vector3::Constant(side / 40)).norm(), 0, 1e-8);
    EXPECT_NEAR(I.I_BBcm(0, 0), 0.075 * m * 0.04, 1e-8);
    EXPECT_NEAR(I.I_BBcm(0, 1), 0.0125 * m * 0.04, 1e-8);
  }
}

// What a conversion makes of a text, with these files beside it.
ConversionResult Converted(const std::string& text, const std::string& file, const std::string& to,
                           const std::map<std::string, std::string>& beside,
                           std::optional<bool> points = {}) {
  const MemoryResolver files(beside);
  Diagnostics reading;
  ReadOptions read;
  read.file_name = file, read.resolver = &files;
  std::optional<Model> model = ReadModel(text, nullptr, read, reading);
  EXPECT_TRUE(model) << Rendered(reading);
  ConversionRequest request;
  request.in = file, request.to = to, request.out = "out", request.resolver = &files;
  request.options.target.options.mesh_points = points, request.options.target.options.stem = "out";
  request.verify = true;
  ConversionResult done = ConvertModel(model ? std::move(*model) : Model(), request);
  EXPECT_EQ(done.end, ConversionEnd::kDone) << Rendered(done.diagnostics);
  return done;
}

const std::string kStl =
    "solid w\n"
    "facet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 0.1 0\nvertex 0.1 0 "
    "0\nendloop\nendfacet\n"
    "facet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 0.1 0 0\nvertex 0 0 "
    "0.1\nendloop\nendfacet\n"
    "facet normal 1 1 1\nouter loop\nvertex 0.1 0 0\nvertex 0 0.1 0\nvertex 0 0 "
    "0.1\nendloop\nendfacet\n"
    "facet normal -1 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 0.1\nvertex 0 0.1 "
    "0\nendloop\nendfacet\n"
    "endsolid\n";

std::string Urdf(const std::string& file, const std::string& scale = "1 1 1") {
  const std::string mesh =
      "<geometry><mesh filename='" + file + "' scale='" + scale + "'/></geometry>";
  return "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
         "izz='1' "
         "ixy='0' ixz='0' iyz='0'/></inertial><visual>" +
         mesh + "<material name='red'><color rgba='1 0 0 1'/></material></visual><collision>" +
         mesh + "</collision></link></robot>";
}

TEST(UsdPoints, ComeFromFilesAndGoBackAsFiles) {
  const ConversionResult stage =
      Converted(Urdf("meshes/w.stl", "2 -2 2"), "r.urdf", "usda", {{"meshes/w.stl", kStl}});
  EXPECT_TRUE(stage.report.losses.empty()) << Rendered(stage.diagnostics);
  EXPECT_TRUE(stage.files.side_files.empty());
  const std::string& text = stage.files.text;
  EXPECT_THAT(text, HasSubstr("def Mesh \"visual\""));
  EXPECT_THAT(text,
              HasSubstr("point3f[] points = [(0, 0, 0), (0, 0.1, 0), (0.1, 0, 0), (0, 0, 0.1)]"));
  EXPECT_THAT(text, HasSubstr("int[] faceVertexIndices = [0, 1, 2, 0, 2, 3, 2, 1, 3, 0, 3, 1]"));
  EXPECT_THAT(text, HasSubstr("double3 xformOp:scale = (2, -2, 2)"));
  EXPECT_THAT(text, HasSubstr("\"PhysicsCollisionAPI\", \"PhysicsMeshCollisionAPI\""));
  EXPECT_THAT(text, HasSubstr("rel material:binding = </r/Looks/red>"));
  EXPECT_THAT(text, Not(HasSubstr("asset")));
  ASSERT_TRUE(stage.proof);
  EXPECT_EQ(stage.proof->verdict, Verdict::kEquivalent) << stage.proof->line;

  for (const char* to : {"urdf", "sdf", "mjcf"}) {
    const ConversionResult back = Converted(text, "r.usda", to, {}, false);
    ASSERT_EQ(back.files.side_files.size(), 1u) << to;
    const SideFile& file = back.files.side_files[0];
    EXPECT_EQ(file.name, "out_meshes/w.obj");
    EXPECT_EQ(file.kind, SideFileKind::kMesh);
    EXPECT_THAT(back.files.text, HasSubstr("out_meshes/w.obj")) << to;
    std::string why;
    const auto mesh = DecodeMesh(file.name, file.text, why),
               source = DecodeMesh("w.stl", kStl, why);
    ASSERT_TRUE(mesh && source) << why;
    ASSERT_EQ(mesh->faces.size(), source->faces.size());
    for (std::size_t f = 0; f < mesh->faces.size(); ++f)
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(mesh->vertices[mesh->faces[f][i]], source->vertices[source->faces[f][i]]);
    EXPECT_GT(SixVolumes(*mesh), 0);
    ASSERT_TRUE(back.proof);
    EXPECT_EQ(back.proof->verdict, Verdict::kEquivalent) << to << back.proof->line;
  }
  // In a stage they stay where they are.
  const ConversionResult again = Converted(text, "r.usda", "usda", {}, false);
  EXPECT_TRUE(again.files.side_files.empty());
  EXPECT_THAT(again.files.text, HasSubstr("point3f[] points = [(0, 0, 0), (0, 0.1, 0)"));
}

TEST(UsdPoints, OfAFileThatIsNotReadAreALossWithTheReason) {
  const auto lost = [](const std::string& name, const std::map<std::string, std::string>& files) {
    const ConversionResult done = Converted(Urdf(name), "r.urdf", "usda", files, true);
    EXPECT_THAT(done.files.text, HasSubstr("custom asset kinemorph:visual = @./" + name + "@"));
    EXPECT_FALSE(done.report.losses.empty());
    return done.report.losses.empty() ? "" : done.report.losses[0].why;
  };
  EXPECT_THAT(lost("w.stl", {}), HasSubstr("not found"));
  EXPECT_THAT(lost("w.stl", {{"w.stl", "solid\nfacet\nvertex a b c\n"}}), HasSubstr("bad vertex"));
  EXPECT_THAT(lost("w.stl", {{"w.stl", "solid\nendsolid\nfacet\n"}}), HasSubstr("has no faces"));
  EXPECT_THAT(lost("w.dae", {{"w.dae", "<COLLADA/>"}}), HasSubstr("neither STL, OBJ nor MSH"));
}

TEST(UsdPoints, HaveNoColoursOfTheirFile) {
  const ConversionResult done =
      Converted(Urdf("w.obj"), "r.urdf", "usda",
                {{"w.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1/1/1 2/1/1 3/1/1\n"}}, true);
  ASSERT_EQ(done.report.losses.size(), 1u);
  EXPECT_EQ(done.report.losses[0].weight, Weight::kLooks);
  EXPECT_THAT(done.report.losses[0].what, HasSubstr("without its colours"));
  EXPECT_THAT(done.files.text, HasSubstr("int[] faceVertexIndices = [0, 1, 2]"));
}

// A sphere with three scales is no collider to simulators.
TEST(UsdPoints, StandForAnEllipsoidThatCollides) {
  const std::string shape = "<geometry><ellipsoid><radii>1 2 3</radii></ellipsoid></geometry>";
  const ConversionResult done =
      Converted("<sdf version='1.9'><model name='m'><link name='a'><visual name='v'>" + shape +
                    "</visual><collision name='c'>" + shape + "</collision></link></model></sdf>",
                "m.sdf", "usda", {}, false);
  EXPECT_TRUE(done.report.losses.empty());
  EXPECT_EQ(done.proof->verdict, Verdict::kEquivalent) << done.proof->line;
  EXPECT_THAT(done.files.text, HasSubstr("def Sphere \"v\""));
  EXPECT_THAT(done.files.text, HasSubstr("def Mesh \"c\""));
  // The hull itself, as others read it: inscribed, closed, with nearly all of its volume.
  std::string text = done.files.text;
  text.replace(text.find("kinemorph:ellipsoid"), 19, "kinemorph:something");
  const Read read = ReadStage(text);
  const auto& mesh = std::get<Mesh>(BodyOf(read).collisions.at(0).shape);
  EXPECT_EQ(mesh.scale, Vector3(1, 2, 3));
  const Triangles hull = TrianglesOf(mesh);
  EXPECT_EQ(hull.vertices.size(), 146u);
  for (const Vector3& v : hull.vertices) EXPECT_NEAR(v.norm(), 1, 1e-6);
  EXPECT_NEAR(SixVolumes(hull) / 6, 4.0 / 3 * std::numbers::pi, 0.2);
}

TEST(UsdPoints, StayInTheirFileOnRequest) {
  const ConversionResult done =
      Converted(Urdf("w.stl"), "r.urdf", "usda", {{"w.stl", kStl}}, false);
  EXPECT_THAT(done.files.text, HasSubstr("custom asset kinemorph:visual = @./w.stl@"));
  ASSERT_EQ(done.report.losses.size(), 2u);
  EXPECT_THAT(done.report.losses[0].why, HasSubstr("'--meshes files' leaves points out"));
}

// The name of the file alone proves nothing where the file can be opened.
TEST(UsdPoints, AreHeldAgainstTheirFile) {
  Diagnostics reading;
  const Model source = *ReadText(Urdf("w.stl"), "r.urdf", reading);
  const std::string text = Converted(Urdf("w.stl"), "r.urdf", "usda", {{"w.stl", kStl}}).files.text;
  const auto verdict = [&](const std::string& stage) {
    LossReport report;
    VerifyOptions options;
    options.report = &report;
    options.mesh_file = [](const std::string& uri) {
      return uri == "w.stl" ? std::optional(kStl) : std::nullopt;
    };
    return VerifyEquivalent(source, *ReadText(stage, "m.usda", reading), options);
  };
  EXPECT_EQ(verdict(text).verdict, Verdict::kEquivalent) << verdict(text).line;
  const std::string corner = "(0, 0.1, 0)";
  std::string other = text;
  for (std::size_t at = other.find(corner); at != std::string::npos;
       at = other.find(corner, at + 1))
    other.replace(at, corner.size(), "(0, 0.2, 0)");
  EXPECT_EQ(verdict(other).verdict, Verdict::kDifferent);
}

TEST(UsdPoints, OfFilesOfOneNameKeepTheirPlaces) {
  std::string robot = Urdf("a/w.stl");
  robot.replace(robot.rfind("a/w.stl"), 7, "b/w.stl");
  std::string other = kStl;
  other.replace(other.find("0.1"), 3, "0.3");
  const ConversionResult done =
      Converted(robot, "r.urdf", "usda", {{"a/w.stl", kStl}, {"b/w.stl", other}});
  ASSERT_TRUE(done.proof);
  EXPECT_EQ(done.proof->verdict, Verdict::kEquivalent) << done.proof->line;
}

// Two meshes of one name are two files, equal ones are one.
TEST(UsdPoints, OfOneNameStepAside) {
  const std::string more = "custom string kinemorph:mesh = \"x/w.stl\"\n";
  std::string other = Wedge(more);
  other.replace(other.find("\"wedge\""), 7, "\"other\"");
  std::string third = Wedge(more);
  third.replace(third.find("\"wedge\""), 7, "\"third\"").replace(third.find("(0.1"), 4, "(0.2");
  const Read read = ReadStage(Robot(RigidBody("a", Wedge(more) + other + third)));
  const Link& link = BodyOf(read);
  ASSERT_EQ(link.visuals.size(), 3u);
  EXPECT_EQ(std::get<Mesh>(link.visuals[0].shape).uri, "w.obj");
  EXPECT_EQ(std::get<Mesh>(link.visuals[1].shape).uri, "w.obj");
  EXPECT_EQ(std::get<Mesh>(link.visuals[2].shape).uri, "w_2.obj");
}

}  // namespace
}  // namespace kinemorph::test::usd

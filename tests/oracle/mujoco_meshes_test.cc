// Meshes that MuJoCo does not take are left out and told, and no others: the newest MuJoCo compiles
// what the conversion writes, and refuses a bare file with a mesh that was left out.
#include <gtest/gtest.h>

#include <iostream>

#include "command.h"
#include "conversion.h"
#include "kinemorph/formats/mesh_file.h"
#include "kinemorph/formats/resources.h"
#include "mujoco_judge.h"

namespace kinemorph::test {
namespace {

namespace fs = std::filesystem;

using Faces = std::vector<std::array<std::uint32_t, 3>>;

const Faces kTetrahedron = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
            kSquare = {{0, 1, 2}, {0, 2, 3}}, kStrip = {{0, 1, 2}, {1, 2, 3}};

std::string Obj(const std::vector<Vector3>& corners, const Faces& faces) {
  return ObjText({corners, faces});
}

// Corners as a tetrahedron of this size has them, one of them that far off the plane of the others.
std::vector<Vector3> Tetrahedron(double size, double height) {
  return {{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, height}};
}

struct Case {
  std::string name, obj, scale = "1 1 1";
};

std::vector<Case> Cases() {
  const std::vector<Vector3> square = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
                             line = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  const std::string body = Obj(Tetrahedron(1, 1), kTetrahedron), flat = Obj(square, kSquare);
  return {{"body", body},
          {"mirrored", body, "-1 1 1"},
          {"pressed", body, "0 1 1"},
          {"pressed_to_a_line", body, "0 0 1"},
          {"body_of_points", Obj(Tetrahedron(1, 1), {})},
          {"thin", Obj(Tetrahedron(1, 1e-7), kTetrahedron)},
          {"small", Obj(Tetrahedron(1e-4, 1e-4), kTetrahedron)},
          {"tiny", Obj(Tetrahedron(1e-5, 1e-5), kTetrahedron)},
          {"smallest", Obj(Tetrahedron(1e-9, 1e-9), kTetrahedron)},
          {"small_by_scale", body, "1e-9 1e-9 1e-9"},
          {"flat", flat},
          {"flat_of_points", Obj(square, {})},
          {"flat_to_the_last_digit", Obj(Tetrahedron(1, 1e-17), kTetrahedron)},
          {"triangle", Obj({square[0], square[1], square[2]}, {{0, 1, 2}})},
          {"line", Obj(line, kStrip)},
          {"point", Obj({4, Vector3::Zero()}, kStrip)}};
}

std::string Robot(const Case& mesh, const std::string& part) {
  const std::string inertial =
      "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
      "</inertial>";
  return "<robot name='r'><link name='a'>" + inertial + "</link><link name='b'>" + inertial + "<" +
         part + "><geometry><mesh filename='" + mesh.name + ".obj' scale='" + mesh.scale +
         "'/></geometry></" + part +
         "></link><joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>"
         "</robot>";
}

// What nobody would lose on purpose: the mesh as it is, with the most that MuJoCo can be told.
std::string Bare(const Case& mesh, const std::string& part) {
  return "<mujoco><asset><mesh name='m' inertia='shell' file='" + mesh.name + ".obj' scale='" +
         mesh.scale +
         "'/></asset><worldbody><body><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
         "<geom type='mesh' mesh='m'" +
         (part == "visual" ? " contype='0' conaffinity='0'" : "") +
         "/></body></worldbody></mujoco>";
}

TEST(MujocoMeshes, AreLeftOutWhereMujocoRefusesThem) {
  const TemporaryFolder folder;
  std::vector<std::string> names;
  std::map<std::string, std::string> files;
  std::size_t left_out = 0;
  for (const Case& mesh : Cases()) files[mesh.name + ".obj"] = mesh.obj;
  for (const auto& [name, text] : files) WriteFile(folder.path() / name, text);
  const MemoryResolver resolver(files);
  for (const Case& mesh : Cases()) {
    for (const std::string part : {"visual", "collision"}) {
      ConvertOptions options;
      options.target = TargetNamed("mjcf");
      options.target.options.files = &resolver;
      Diagnostics diagnostics;
      const auto converted =
          Convert(*ReadText(Robot(mesh, part), "r.urdf", diagnostics), options, diagnostics);
      ASSERT_TRUE(converted) << Rendered(diagnostics);
      const bool told = !converted->lowered.report.losses.empty();
      left_out += told ? 1 : 0;
      EXPECT_EQ(told, converted->text.find(".obj") == std::string::npos)
          << mesh.name << " " << part;
      names.push_back(mesh.name + "_" + part + ".xml");
      WriteFile(folder.path() / names.back(), converted->text);
      if (!told) continue;
      names.push_back("refused_" + names.back());
      WriteFile(folder.path() / names.back(), Bare(mesh, part));
    }
  }
  EXPECT_EQ(left_out, 16U);
  std::string why;
  const auto compiled = CompileWithNode(folder.path(), names, why);
  if (!compiled) GTEST_SKIP() << why;
  for (const auto& [name, model] : *compiled)
    EXPECT_EQ(name.starts_with("refused_"), !model.error.empty()) << name << ": " << model.error;
}

}  // namespace
}  // namespace kinemorph::test

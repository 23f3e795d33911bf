// Bodies that MuJoCo makes of fewer words: cables, flexcomps, replicates and attached models, each
// against the model that MuJoCo 3.14 compiles of the same files.
#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "command.h"
#include "kinemorph/formats/file_resolver.h"
#include "kinemorph/formats/formats.h"
#include "mujoco_judge.h"

namespace kinemorph {
namespace {

namespace fs = std::filesystem;

// What stands in the world body, by name.
using Cases = std::map<std::string, std::string>;

const Cases& Cables() {
  static const Cases cases = {
      {"straight", R"xml(<composite type="cable" curve="s" count="5 1 1" size="1">
          <geom type="capsule" size=".01"/></composite>)xml"},
      {"upwards", R"xml(<composite prefix="u_" type="cable" curve="0 0 s" count="26 1 1" size="2"
          offset="-0.38 -0.26 0.06" initial="free"><joint kind="main" damping="0.01" armature="0.001"
          frictionloss="0.1" stiffness="3"/><geom type="capsule" size=".005 .007" mass="0.001"/></composite>)xml"},
      {"backwards", R"xml(<composite type="cable" vertex="0 0 0 -1 0 0 -2 0 0 -3 0 0 -3 1 0">
          <geom type="cylinder" size=".1" density="500"/></composite>)xml"},
      {"coil", R"xml(<body name="hand" pos="1 2 3" euler="30 40 50"><geom size=".1"/>
          <composite prefix="c" type="cable" curve="cos(s) sin(s) s" count="20 1 1" size="1 .2 6" initial="none"
          quat="0.5 0.5 -0.5 0.5"><joint kind="main" range="0 40" damping=".02"/>
          <geom type="capsule" size=".005" contype="0" conaffinity="0"/><site size=".1" rgba="1 0 0 1"/></composite></body>)xml"},
      {"long_quaternion",
       R"xml(<composite type="cable" curve="s sin(s)" count="9" size="1 .3 2" quat="1 0.5 0 0.2">
          <geom type="capsule" size=".01"/></composite>)xml"},
      {"corners", R"xml(<composite prefix="k" type="cable" initial="free"
          vertex="0 0 0  0 1 0  0 1 1  1.1 1 1.3  1.5 0.3 0.2  1.5 0.3 0.9">
          <geom type="box" size="9 .02 .05"/></composite>)xml"},
      {"turns_back", R"xml(<composite type="cable" vertex="0 0 0 1 0 0 0.5 0 0 0.5 1 0 0.5 0.4 0">
          <geom type="capsule" size=".01"/></composite>)xml"},
      {"in_frames",
       R"xml(<frame pos="5 0 0" euler="0 0 90" childclass="heavy"><composite prefix="f" type="cable" curve="0 s 0"
          count="4 1 1" size="1" offset="0.1 0.2 0.3"><geom type="capsule" size=".01"/></composite></frame>
          <body name="after"><joint/><geom size=".1"/></body>)xml"},
      {"among_others",
       R"xml(<body name="a" childclass="heavy"><joint/><geom size=".1"/><body name="before"><joint/><geom size=".1"/></body>
          <composite prefix="x" type="cable" curve="s" count="4 1 1" size="1"><geom type="capsule" size=".01"/></composite>
          <body name="behind"><joint/><geom size=".1"/></body></body>)xml"},
  };
  return cases;
}

const Cases& Flexcomps() {
  static const Cases cases = {
      {"row", R"xml(<flexcomp name="f" type="grid" dim="1" count="4 1 1" spacing="1 1 1"/>)xml"},
      {"circle",
       R"xml(<flexcomp name="f" type="circle" dim="1" count="6 1 1" spacing="1 1 1" dof="2d"/>)xml"},
      {"plane",
       R"xml(<body name="p" childclass="heavy" pos="0 0 1"><geom size=".1"/><frame pos="0 0 9"><flexcomp name="f" type="grid"
          count="4 3 1" spacing="1 2 1" dim="2" mass="12" pos="1 0 0" euler="0 90 0">
          <pin id="0 3" grid="3 2"/><edge equality="true"/></flexcomp></frame><body name="q"><joint/><geom size=".1"/></body></body>)xml"},
      {"block",
       R"xml(<flexcomp name="f" type="grid" count="3 4 2" spacing="1 1 1" dim="3" inertiabox=".1">
          <pin gridrange="0 0 0 2 3 0"/></flexcomp>)xml"},
      {"box", R"xml(<flexcomp name="f" type="box" count="3 4 3" spacing="1 1 1" dim="3"/>)xml"},
      {"shell", R"xml(<flexcomp name="f" type="box" count="3 4 3" spacing="1 1 1" dim="2"/>)xml"},
      {"cylinder",
       R"xml(<flexcomp name="f" type="cylinder" count="5 4 3" spacing="1 1 1" dim="3" dof="radial"/>)xml"},
      {"ellipsoid",
       R"xml(<flexcomp name="f" type="ellipsoid" count="4 4 4" spacing="1 2 1" dim="3"><pin range="0 4"/></flexcomp>)xml"},
      {"open_ellipsoid",
       R"xml(<flexcomp name="f" type="ellipsoid" count="4 3 4" spacing="1 2 1" dim="2"/>)xml"},
      {"square",
       R"xml(<flexcomp name="f" type="square" count="3 3 1" spacing="1 1 1" dim="2"/>)xml"},
      {"disc", R"xml(<flexcomp name="f" type="disc" count="5 4 1" spacing="1 1 1" dim="2"/>)xml"},
      {"direct",
       R"xml(<flexcomp name="f" type="direct" point="0 0 0 1 0 0 0 1 0 5 5 5 0 0 1" scale="2 3 4" pos="0 0 1"
          axisangle="0 1 0 30" element="0 1 2 0 1 4" dim="2" mass="3"><pin id="2 3"/></flexcomp>)xml"},
      {"rigid",
       R"xml(<body name="p"><joint/><geom size=".1"/><flexcomp name="f" type="box" count="3 3 3" spacing="1 1 1" dim="3" rigid="true"/></body>)xml"},
      {"all_pinned",
       R"xml(<flexcomp name="f" type="grid" count="2 2 1" spacing="1 1 1" dim="2"><pin range="0 3"/></flexcomp>)xml"},
      {"trilinear",
       R"xml(<flexcomp name="f" type="grid" count="3 4 3" spacing="1 1 1" dim="3" dof="trilinear" mass="4" pos="1 2 3">
          <contact selfcollide="none"/></flexcomp>)xml"},
      {"quadratic",
       R"xml(<flexcomp name="f" type="box" count="4 4 3" spacing="1 1 1" dim="3" dof="quadratic">
          <contact selfcollide="none"/><pin id="2"/></flexcomp>)xml"},
      {"quadratic_shell",
       R"xml(<flexcomp name="f" type="box" count="4 4 3" spacing="1 1 1" dim="2" dof="quadratic">
          <contact selfcollide="none"/><elasticity young="1" thickness=".01" elastic2d="both"/></flexcomp>)xml"},
  };
  return cases;
}

const Cases& Replicates() {
  static const Cases cases = {
      {"row",
       R"xml(<replicate count="3" offset="1 0 0"><body name="b"><joint name="j" axis="0 1 0"/><geom name="g" size=".1"/></body></replicate>)xml"},
      {"ring",
       R"xml(<replicate count="12" sep="-" euler="0 0 30" offset=".1 0 .05"><body name="b" pos="1 0 0" euler="0 10 0">
          <joint name="j" type="slide" axis="1 0 0"/><geom name="g" type="box" size=".1 .2 .3"/>
          <body name="tip" pos="0 0 1"><joint name="k" range="-10 20"/><geom type="capsule" size=".1 .2"/></body></body></replicate>)xml"},
      {"nested",
       R"xml(<replicate count="2" sep="x" offset="0 0 1" euler="10 0 0"><frame pos="0 1 0" euler="0 0 45"><replicate count="11" sep="_"
          offset="1 0 0" euler="0 20 30"><body name="b"><freejoint name="f"/><geom name="g" type="ellipsoid" size=".1 .2 .3"/></body>
          <geom name="w" size=".3"/></replicate></frame></replicate>)xml"},
      {"inside_bodies",
       R"xml(<body name="base" childclass="heavy"><joint/><replicate count="4" euler="0 0 90"><geom type="box" pos="1 0 0" size=".1 .2 .3"/>
          <body name="leg" pos="1 0 0"><joint name="hip" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 -1" size=".05"/>
          <replicate count="2" sep="." offset="0 0 -.2"><geom size=".02" pos=".5 0 0"/></replicate></body></replicate></body>)xml"},
      {"class",
       R"xml(<replicate count="2" childclass="heavy" offset="0 1 0"><body name="b"><joint/><geom size=".1"/></body></replicate>)xml"},
      {"none",
       R"xml(<body name="b"><joint/><geom size=".1"/><replicate count="1" offset="5 0 0"><body name="only"><joint/><geom size=".1"/></body></replicate></body>)xml"},
  };
  return cases;
}

const Cases& Attaches() {
  static const Cases cases = {
      {"body",
       R"xml(<body name="arm" pos="1 0 0"><joint name="s"/><geom size=".1"/><frame pos="0 2 0" euler="0 0 30"><attach model="hand" body="palm" prefix="l_"/></frame></body>)xml"},
      {"twice",
       R"xml(<body name="arm" pos="1 0 0"><joint name="s"/><geom size=".1"/><frame pos="0 2 0"><attach model="hand" body="palm" prefix="l_"/></frame>
          <frame pos="0 -2 0" euler="180 0 0"><attach model="hand" body="palm" prefix="r_"/></frame></body>)xml"},
      {"world",
       R"xml(<body name="shelf" pos="0 5 0"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><frame pos="3 0 0" euler="0 90 0"><attach model="hand" prefix="h_"/></frame></body>)xml"},
      {"to_world",
       R"xml(<frame pos="0 0 1" euler="10 20 30"><attach model="hand" body="stand" prefix="h_"/></frame>)xml"},
      {"frame",
       R"xml(<body name="shelf"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint/><frame pos="3 0 0"><attach model="hand" frame="inner" prefix="h_"/></frame></body>)xml"},
      {"in_replicate",
       R"xml(<replicate count="3" sep="-" offset="0 0 2" euler="0 0 20"><body name="arm"><joint name="s"/><geom size=".1"/>
          <frame pos="0 1 0"><attach model="hand" body="palm" prefix="h_"/></frame></body></replicate>)xml"},
      {"nested",
       R"xml(<body name="arm"><joint name="s"/><geom size=".1"/><frame pos="1 0 0"><attach model="two" body="both" prefix="t_"/></frame></body>)xml"},
  };
  return cases;
}

// Of its own compiler settings and defaults, which do not mix with those of the file that attaches.
const std::string kHand =
    R"xml(<mujoco model="hand"><compiler angle="radian" eulerseq="zyx"/><default><joint damping="2"/><default class="heavy"><geom density="7"/></default></default>
  <worldbody><geom name="ground" type="box" size="1 2 3" pos="0 0 -1"/>
    <frame name="outer" pos="1 2 3" euler="0 1.2 0"><frame name="inner" pos="0 0 1" euler="0.1 0.2 0.3">
      <body name="boxed" pos="0 0 2"><joint name="u"/><geom class="heavy" size=".2"/></body><geom name="inside" size=".2" pos="0 0 .1"/></frame></frame>
    <body name="stand" pos="9 9 9" euler="0.1 0.2 0.3"><geom size=".3"/><joint name="lean" ref="0.1"/>
      <body name="palm" pos="0 0 .5"><geom type="capsule" size=".1 .2"/><joint name="turn" range="-1 1"/><joint name="lift" type="slide" axis="0 1 1"/>
        <body name="finger" pos=".2 0 .4"><geom type="cylinder" size=".05 .3"/><joint name="bend" axis="0 1 0"/></body>
        <replicate count="2" offset="0 .2 0"><body name="nail" pos="0 .5 0"><joint name="n" axis="1 0 0"/><geom size=".02"/></body></replicate></body></body></worldbody>
  <equality><joint joint1="bend" joint2="turn"/><connect body1="finger" body2="palm" anchor="0 0 0"/></equality>
  <contact><exclude body1="palm" body2="finger"/></contact></mujoco>)xml";
const std::string kTwo =
    R"xml(<mujoco model="two"><asset><model name="hand" file="hand.xml"/></asset><worldbody><body name="both"><joint name="root"/><geom size=".1"/>
    <frame pos="0 1 0"><attach model="hand" body="palm" prefix="a_"/></frame><frame pos="0 -1 0"><attach model="hand" body="palm" prefix="b_"/></frame></body></worldbody></mujoco>)xml";

std::string File(const std::string& world) {
  return "<mujoco><compiler angle=\"degree\"/><default><joint damping=\"7\"/><geom "
         "density=\"50\"/><default class=\"heavy\">"
         "<joint armature=\"2\"/><geom density=\"500\" conaffinity=\"3\"/></default></default>"
         "<asset><model name=\"hand\" file=\"hand.xml\"/><model name=\"two\" "
         "file=\"two.xml\"/></asset>\n<worldbody>\n" +
         world + "\n</worldbody></mujoco>";
}

std::string Listed(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < 8; ++i) text += "\n    " + lines[i];
  return text;
}

std::optional<Model> Read(const std::string& text, const fs::path& file, Diagnostics& diagnostics) {
  const FileResolver resolver(file.string(), {});
  return FindFormat("mjcf")->read(text, {file.string(), &resolver}, diagnostics);
}

// Each case, and what we write of it, against MuJoCo. `soft`: the bodies alone, without what is
// written.
void Compare(const Cases& cases, bool soft = false) {
  const test::TemporaryFolder folder;
  test::WriteFile(folder / "hand.xml", kHand);
  test::WriteFile(folder / "two.xml", kTwo);
  std::vector<std::string> files;
  std::map<std::string, Model> models;
  for (const auto& [name, world] : cases) {
    files.push_back(name + ".xml");
    test::WriteFile(folder / files.back(), File(world));
    Diagnostics diagnostics;
    auto model = Read(File(world), folder / files.back(), diagnostics);
    for (const Diagnostic& d : diagnostics.items())
      EXPECT_TRUE(d.severity != Severity::kError) << name << ": " << Render(d);
    if (!model) continue;
    if (!soft) {
      const std::string again = name + ".again.xml";
      test::WriteFile(folder / again, FindFormat("mjcf")->write(*model, {}, diagnostics).text);
      files.push_back(again);
      models.emplace(again, *model);
    }
    models.emplace(name + ".xml", std::move(*model));
  }
  std::string why;
  const auto compiled = CompileWithNode(folder.path(), files, why);
  if (!compiled) GTEST_SKIP() << why;
  std::size_t bodies = 0;
  for (const auto& [file, model] : models) {
    const CompiledMujoco& theirs = compiled->at(file);
    EXPECT_EQ(theirs.error, "") << file;
    if (!theirs.error.empty()) continue;
    const auto differences = DifferencesFromMujoco(model, theirs);
    EXPECT_TRUE(differences.empty()) << file << Listed(differences);
    const auto geoms = GeomDifferencesFromMujoco(model, theirs);
    EXPECT_TRUE(geoms.empty()) << file << Listed(geoms);
    bodies += theirs.bodies.size();
  }
  std::cout << models.size() << " files with " << bodies << " bodies agree with MuJoCo\n";
}

TEST(MujocoMadeBodies, Cables) { Compare(Cables()); }
TEST(MujocoMadeBodies, Flexcomps) { Compare(Flexcomps(), true); }
TEST(MujocoMadeBodies, Replicates) { Compare(Replicates()); }
TEST(MujocoMadeBodies, Attaches) { Compare(Attaches()); }

}  // namespace
}  // namespace kinemorph

// A cardan shaft in MuJoCo: the centres of its links lie where the axes of all joints meet, and no
// joint moves them. MuJoCo weighs a connect by how freely centres of mass move.
#include <gtest/gtest.h>

#ifdef KINEMORPH_LIBMUJOCO
#include <mujoco/mujoco.h>

#include <memory>

#include "command.h"
#include "conversion.h"
#include "convert_text.h"

namespace kinemorph {
namespace {

constexpr const char* kShafts = R"(<sdf version="1.9"><model name="shafts">
  <link name="base"><inertial><mass>1</mass></inertial></link>
  <joint name="root" type="fixed"><parent>world</parent><child>base</child></joint>
  <link name="in"><inertial><pose>0 0.02 0 0 0 0</pose><mass>1</mass><inertia><ixx>0.01</ixx>
    <iyy>0.01</iyy><izz>0.01</izz></inertia></inertial></link>
  <link name="out"><pose>0.3 0 0 0 0 0.4</pose><inertial><mass>1</mass><inertia><ixx>0.01</ixx>
    <iyy>0.01</iyy><izz>0.01</izz></inertia></inertial></link>
  <joint name="in_bearing" type="revolute"><parent>base</parent><child>in</child><axis>
    <xyz>1 0 0</xyz><dynamics><damping>0.1</damping></dynamics></axis></joint>
  <joint name="out_bearing" type="revolute"><parent>base</parent><child>out</child><axis>
    <xyz>1 0 0</xyz><dynamics><damping>0.1</damping></dynamics></axis></joint>
  <joint name="hooke" type="universal"><parent>in</parent><child>out</child>
    <axis><xyz expressed_in="__model__">0 0 1</xyz></axis>
    <axis2><xyz expressed_in="__model__">-0.38941834 0.92106099 0</xyz></axis2>
    <physics><simbody><must_be_loop_joint>true</must_be_loop_joint></simbody></physics></joint>
</model></sdf>)";

// A crank, a rod, a small cross on two Hooke joints and a rocker: what the loop is cut at decides
// whether halves of the rod or of the cross, of 20 g, hold it.
std::string Cross() {
  const auto link = [](const std::string& name, const std::string& at, const std::string& mass,
                       const std::string& moment) {
    return "<link name='" + name + "'><pose>" + at + " 0 0 0</pose><inertial><mass>" + mass +
           "</mass><inertia><ixx>" + moment + "</ixx><iyy>" + moment + "</iyy><izz>" + moment +
           "</izz></inertia></inertial></link>";
  };
  const auto joint = [](const std::string& name, const std::string& type, const std::string& at,
                        const std::string& from, const std::string& to, const std::string& axis,
                        const std::string& axis2 = "") {
    const auto turns = [](const std::string& element, const std::string& xyz) {
      return "<" + element + "><xyz expressed_in='__model__'>" + xyz +
             "</xyz><dynamics><damping>0.05</damping></dynamics></" + element + ">";
    };
    return "<joint name='" + name + "' type='" + type + "'><pose relative_to='__model__'>" + at +
           " 0 0 0</pose><parent>" + from + "</parent><child>" + to + "</child>" +
           turns("axis", axis) + (axis2.empty() ? "" : turns("axis2", axis2)) + "</joint>";
  };
  return "<sdf version='1.10'><model name='cross'>" + link("base", "0 0 0", "5", "0.1") +
         "<joint name='root' type='fixed'><parent>world</parent><child>base</child></joint>" +
         link("crank", "0.1 0 0.06", "1", "0.01") + link("rod", "0.42 0.02 0.13", "1", "0.004") +
         link("cross", "0.62 0.04 0.16", "0.02", "3e-6") +
         link("rocker", "0.71 0.07 0.08", "1", "0.01") +
         joint("a", "revolute", "0 0 0", "base", "crank", "0 1 0") +
         joint("e", "revolute", "0.81 0.1 0", "base", "rocker", "0.1 0.9 0.2") +
         joint("d", "universal", "0.62 0.04 0.16", "rocker", "cross", "0 1 0", "0 0 1") +
         joint("b", "universal", "0.22 0 0.11", "crank", "rod", "0 1 0", "0 0 1") +
         joint("c", "universal", "0.62 0.04 0.16", "rod", "cross", "1 0 0", "0 0.6 0.8") +
         "</model></sdf>";
}

// Steps the model for a second, which it stays closed, by the widest gap (m, rad) in `widest`.
void Swing(const std::string& text, const std::string& profile, double widest) {
  SCOPED_TRACE(profile);
  ConversionRequest request;
  request.in = "shafts.sdf";
  request.to = "mjcf";
  request.options.target.options.profile = profile;
  const ConversionResult result = test::ConvertText(text, request);
  ASSERT_EQ(result.end, ConversionEnd::kDone) << test::Rendered(result.diagnostics);
  const test::TemporaryFolder folder;
  test::WriteFile(folder.path() / "shafts.xml", result.files.text);
  char error[1000] = "";
  const std::unique_ptr<mjModel, void (*)(mjModel*)> model(
      mj_loadXML((folder.path() / "shafts.xml").c_str(), nullptr, error, sizeof error),
      mj_deleteModel);
  ASSERT_TRUE(model) << error;
  const std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(model.get()), mj_deleteData);
  mjtNum gap = 0, fastest = 0;
  for (int step = 1; step <= 500; ++step) {
    mj_step(model.get(), data.get());
    // An unstable simulation begins anew.
    ASSERT_NEAR(data->time, 0.002 * step, 1e-9);
    for (int row = 0; row < data->nefc; ++row)
      if (data->efc_type[row] == mjCNSTR_EQUALITY)
        gap = std::max(gap, std::abs(data->efc_pos[row]));
    fastest = std::max(fastest, std::abs(data->qvel[0]));
  }
  EXPECT_LT(gap, widest);
  EXPECT_GT(fastest, 0.1);  // rad/s: it swings
}

TEST(MujocoCardan, StaysClosedForASecond) {
  for (const char* profile : {"", "portable"}) {
    Swing(kShafts, profile, 1e-4);
    Swing(Cross(), profile, 3e-3);
  }
}

}  // namespace
}  // namespace kinemorph
#endif

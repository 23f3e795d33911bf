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

TEST(MujocoCardan, StaysClosedForASecond) {
  for (const char* profile : {"", "portable"}) {
    SCOPED_TRACE(profile);
    ConversionRequest request;
    request.in = "shafts.sdf";
    request.to = "mjcf";
    request.options.target.options.profile = profile;
    const ConversionResult result = test::ConvertText(kShafts, request);
    ASSERT_EQ(result.end, ConversionEnd::kDone) << test::Rendered(result.diagnostics);
    const test::TemporaryFolder folder;
    test::WriteFile(folder.path() / "shafts.xml", result.files.text);
    char error[1000] = "";
    const std::unique_ptr<mjModel, void (*)(mjModel*)> model(
        mj_loadXML((folder.path() / "shafts.xml").c_str(), nullptr, error, sizeof error),
        mj_deleteModel);
    ASSERT_TRUE(model) << error;
    const std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(model.get()), mj_deleteData);
    mjtNum widest = 0, fastest = 0;
    for (int step = 1; step <= 500; ++step) {
      mj_step(model.get(), data.get());
      // An unstable simulation begins anew.
      ASSERT_NEAR(data->time, 0.002 * step, 1e-9);
      for (int row = 0; row < data->nefc; ++row)
        if (data->efc_type[row] == mjCNSTR_EQUALITY)
          widest = std::max(widest, std::abs(data->efc_pos[row]));
      fastest = std::max(fastest, std::abs(data->qvel[0]));
    }
    EXPECT_LT(widest, 1e-4);  // m
    EXPECT_GT(fastest, 0.1);  // rad/s: it swings
  }
}

}  // namespace
}  // namespace kinemorph
#endif

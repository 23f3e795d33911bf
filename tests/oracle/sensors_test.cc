// Sensors that went from MJCF to SDFormat and back: libsdformat and MuJoCo read the rate and the
// noise that the source says.
#include <gtest/gtest.h>

#ifdef KINEMORPH_LIBSDFORMAT
#include <sdf/sdf.hh>
#endif

#include "conversion.h"
#ifdef KINEMORPH_LIBMUJOCO
#include "mujoco_text.h"
#endif

namespace kinemorph::test {
namespace {

constexpr const char* kMjcf =
    R"(<mujoco model="m"><worldbody><body name="base"><freejoint/><inertial pos="0 0 0" mass="1"
    diaginertia="1 1 1"/><site name="chip" pos="0 0 0.1"/></body></worldbody><sensor>
    <gyro name="imu_gyro" site="chip" noise="0.002" nsample="1" interval="0.005"/>
    <accelerometer name="imu_accel" site="chip" noise="0.03" nsample="1" interval="0.005"/>
    </sensor></mujoco>)";

std::string Written(const std::string& text, const std::string& file, const std::string& target) {
  Diagnostics said;
  const std::optional<Model> model = ReadText(text, file, said);
  EXPECT_TRUE(model) << Rendered(said);
  if (!model) return {};
  ConvertOptions options;
  options.target = TargetNamed(target);
  const std::optional<Converted> converted = Convert(*model, options, said);
  EXPECT_TRUE(converted) << Rendered(said);
  return converted ? converted->text : std::string();
}

TEST(SensorOracle, LibsdformatReadsTheImuOfAnMjcf) {
#ifdef KINEMORPH_LIBSDFORMAT
  sdf::Root root;
  const sdf::Errors errors = root.LoadSdfString(Written(kMjcf, "in.xml", "sdf"));
  ASSERT_TRUE(errors.empty()) << errors[0].Message();
  ASSERT_NE(root.Model(), nullptr);
  const sdf::Link* const link = root.Model()->LinkByName("base");
  ASSERT_NE(link, nullptr);
  ASSERT_EQ(link->SensorCount(), 1u);
  const sdf::Sensor& sensor = *link->SensorByIndex(0);
  EXPECT_EQ(sensor.Type(), sdf::SensorType::IMU);
  EXPECT_EQ(sensor.UpdateRate(), 200);
  EXPECT_EQ(sensor.RawPose().Pos().Z(), 0.1);
  const sdf::Imu* const imu = sensor.ImuSensor();
  ASSERT_NE(imu, nullptr);
  EXPECT_FALSE(imu->OrientationEnabled());
  for (const sdf::Noise& noise :
       {imu->AngularVelocityXNoise(), imu->AngularVelocityYNoise(), imu->AngularVelocityZNoise()})
    EXPECT_EQ(noise.StdDev(), 0.002);
  for (const sdf::Noise& noise : {imu->LinearAccelerationXNoise(), imu->LinearAccelerationYNoise(),
                                  imu->LinearAccelerationZNoise()}) {
    EXPECT_EQ(noise.Type(), sdf::NoiseType::GAUSSIAN);
    EXPECT_EQ(noise.StdDev(), 0.03);
  }
#else
  GTEST_SKIP() << "libsdformat was not found";
#endif
}

// The profile leaves out the rate, for which Debian's MuJoCo has no word.
TEST(SensorOracle, MujocoReadsTheImuOfAnSdf) {
#ifdef KINEMORPH_LIBMUJOCO
  const std::string sdf = Written(kMjcf, "in.xml", "sdf");
  const MujocoModel mujoco(Written(sdf, "in.sdf", "mjcf portable"));
  ASSERT_NE(mujoco.model(), nullptr) << mujoco.why();
  const mjModel& m = *mujoco.model();
  ASSERT_EQ(m.nsensor, 2);
  EXPECT_EQ(m.sensor_type[0], mjSENS_GYRO);
  EXPECT_EQ(m.sensor_noise[0], 0.002);
  EXPECT_EQ(m.sensor_type[1], mjSENS_ACCELEROMETER);
  EXPECT_EQ(m.sensor_noise[1], 0.03);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(m.sensor_objtype[i], mjOBJ_SITE);
    EXPECT_EQ(m.site_pos[3 * m.sensor_objid[i] + 2], 0.1);
  }
#else
  GTEST_SKIP() << "libmujoco was not found";
#endif
}

}  // namespace
}  // namespace kinemorph::test

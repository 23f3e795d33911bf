// Sensors that went from MJCF to SDFormat and back: libsdformat and MuJoCo read the rate, the noise
// and the view that the source says, and measure the same.
#include <gtest/gtest.h>

#ifdef KINEMORPH_LIBSDFORMAT
#include <sdf/sdf.hh>
#endif

#include <cmath>
#include <numbers>

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

// A wrist on which 2 kg hang, with a camera beside it that looks up and to the left.
constexpr const char* kWrist =
    R"(<sdf version="1.9"><model name="m"><joint name="fix" type="fixed"><parent>world</parent><child>base</child></joint>
    <link name="base"><inertial><mass>1</mass></inertial><sensor name="eye" type="camera"><pose>0.1 0 0.2 0 -0.3 0.5</pose>
    <camera><horizontal_fov>1.2</horizontal_fov><image><width>640</width><height>480</height></image></camera></sensor></link>
    <link name="tool"><pose>0 0 1 0 0 0</pose><inertial><pose>0.5 0 0 0 0 0</pose><mass>2</mass></inertial></link>
    <joint name="wrist" type="fixed"><parent>base</parent><child>tool</child><pose>0 0 0.1 0 0 0</pose>
    <sensor name="wrist" type="force_torque"><force_torque><measure_direction>parent_to_child</measure_direction></force_torque></sensor>
    </joint></model></sdf>)";

// gz sim expects +m g of a body that is held, where the parent is said to act on the child.
TEST(SensorOracle, MujocoMeasuresTheForceAndSeesTheViewOfAnSdf) {
#ifdef KINEMORPH_LIBMUJOCO
  MujocoModel mujoco(Written(kWrist, "in.sdf", "mjcf portable"));
  ASSERT_NE(mujoco.model(), nullptr) << mujoco.why();
  const mjModel& m = *mujoco.model();
  mjData* const data = mj_makeData(&m);
  mj_forward(&m, data);
  ASSERT_EQ(m.nsensordata, 6);
  EXPECT_EQ(m.sensor_type[0], mjSENS_TORQUE);
  const double weight = -2 * m.opt.gravity[2];
  EXPECT_NEAR(data->sensordata[1], -0.5 * weight, 1e-9);  // about y of the joint's origin
  EXPECT_NEAR(data->sensordata[5], weight, 1e-9);
  ASSERT_EQ(m.ncam, 1);
  EXPECT_NEAR(m.cam_fovy[0], 2 * std::atan(std::tan(0.6) * 0.75) * 180 / std::numbers::pi, 1e-9);
  // MuJoCo looks along -z: pitch -0.3 looks up, yaw 0.5 to the left.
  const double* const R = data->cam_xmat;
  const double forward[] = {std::cos(0.3) * std::cos(0.5), std::cos(0.3) * std::sin(0.5),
                            std::sin(0.3)};
  const double right[] = {std::sin(0.5), -std::cos(0.5), 0};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(-R[3 * i + 2], forward[i], 1e-12);
    EXPECT_NEAR(R[3 * i], right[i], 1e-12);
  }
  mj_deleteData(data);
#else
  GTEST_SKIP() << "libmujoco was not found";
#endif
}

TEST(SensorOracle, LibsdformatReadsTheWristAndTheCameraOfAnMjcf) {
#ifdef KINEMORPH_LIBSDFORMAT
  const std::string mjcf = Written(kWrist, "in.sdf", "mjcf");
  for (const char* target : {"sdf", "urdf"}) {
    sdf::Root root;
    const sdf::Errors errors = root.LoadSdfString(Written(mjcf, "in.xml", target));
    ASSERT_TRUE(errors.empty()) << errors[0].Message();
    ASSERT_NE(root.Model(), nullptr);
    // A weld of MuJoCo has no name.
    const sdf::Joint* joint = nullptr;
    for (std::uint64_t k = 0; k < root.Model()->JointCount(); ++k)
      if (root.Model()->JointByIndex(k)->SensorCount() == 1) joint = root.Model()->JointByIndex(k);
    ASSERT_NE(joint, nullptr) << target;
    const sdf::ForceTorque* const wrench = joint->SensorByIndex(0)->ForceTorqueSensor();
    ASSERT_NE(wrench, nullptr);
    EXPECT_EQ(wrench->MeasureDirection(), sdf::ForceTorqueMeasureDirection::PARENT_TO_CHILD);
    EXPECT_EQ(wrench->Frame(), sdf::ForceTorqueFrame::CHILD);
    const sdf::Link* const base = root.Model()->LinkByName("base");
    ASSERT_NE(base, nullptr);
    ASSERT_EQ(base->SensorCount(), 1u);
    const sdf::Sensor& eye = *base->SensorByIndex(0);
    ASSERT_NE(eye.CameraSensor(), nullptr);
    EXPECT_NEAR(eye.CameraSensor()->HorizontalFov().Radian(), 1.2, 1e-12);
    EXPECT_EQ(eye.CameraSensor()->ImageWidth(), 640u);
    EXPECT_EQ(eye.CameraSensor()->ImageHeight(), 480u);
    EXPECT_NEAR(eye.RawPose().Rot().Pitch(), -0.3, 1e-12);
    EXPECT_NEAR(eye.RawPose().Rot().Yaw(), 0.5, 1e-12);
    EXPECT_NEAR(eye.RawPose().Pos().Z(), 0.2, 1e-12);
  }
#else
  GTEST_SKIP() << "libsdformat was not found";
#endif
}

}  // namespace
}  // namespace kinemorph::test

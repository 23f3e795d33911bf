// Sensors that two formats have words for cross between them, and what one of them lacks is lost by
// name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "conversion.h"
#include "kinemorph/converters/verify.h"
#include "kinemorph/graph/base/number.h"

namespace kinemorph::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string SdfWith(const std::string& sensors) {
  return R"(<sdf version="1.9"><model name="m"><link name="base"><inertial><mass>1</mass><inertia><ixx>1</ixx>
    <iyy>1</iyy><izz>1</izz></inertia></inertial>)" +
         sensors + "</link></model></sdf>";
}
std::string MjcfWith(const std::string& sensors) {
  return R"(<mujoco model="m"><worldbody><body name="base"><freejoint/><inertial pos="0 0 0" mass="1"
    diaginertia="1 1 1"/><site name="chip" pos="0 0 0.1"/><site name="nose" pos="0.2 0 0"/></body></worldbody><sensor>)" +
         sensors + "</sensor></mujoco>";
}
std::string Noise(const std::string& group, double deviation) {
  std::string text = "<" + group + ">";
  for (const char* direction : {"x", "y", "z"})
    text += std::string("<") + direction + "><noise type='gaussian'><mean>0</mean><stddev>" +
            FormatNumber(deviation) + "</stddev></noise></" + direction + ">";
  return text + "</" + group + ">";
}

struct Crossed {
  std::string text;
  std::vector<std::string> losses;
  std::vector<Sensor> sensors;  // read again
  VerifyResult proof;
};

Crossed Cross(const std::string& text, const std::string& file, const std::string& target) {
  Diagnostics unsaid;
  const std::optional<Model> model = ReadText(text, file, unsaid);
  EXPECT_TRUE(model) << Rendered(unsaid);
  ConvertOptions options;
  options.target = TargetNamed(target);
  const std::optional<Converted> converted = Convert(*model, options, unsaid);
  EXPECT_TRUE(converted) << Rendered(unsaid);
  if (!converted) return {};
  Crossed crossed{converted->text, {}, {}, {}};
  for (const Loss& loss : converted->lowered.report.losses)
    crossed.losses.push_back(Text(loss.subject) + ": " + loss.what);
  const std::optional<Model> again =
      ReadText(converted->text, "out" + Extension(options.target.format->name), unsaid);
  EXPECT_TRUE(again) << Rendered(unsaid);
  if (!again) return crossed;
  crossed.sensors = again->sensors;
  crossed.proof = VerifyEquivalent(*model, *again);
  return crossed;
}

TEST(Sensors, AnImuBecomesAGyroscopeAndAnAccelerometer) {
  const Crossed crossed = Cross(SdfWith("<sensor name='imu' type='imu'><pose>0 0 0.1 0 0 "
                                        "0</pose><update_rate>200</update_rate><imu>"
                                        "<enable_orientation>false</enable_orientation>" +
                                        Noise("angular_velocity", 0.002) +
                                        Noise("linear_acceleration", 0.03) + "</imu></sensor>"),
                                "in.sdf", "mjcf");
  EXPECT_THAT(crossed.losses, IsEmpty());
  EXPECT_THAT(
      crossed.text,
      HasSubstr(
          R"(<gyro name="imu_gyro" noise="0.002" nsample="1" interval="0.005" site="imu_gyro"/>)"));
  EXPECT_THAT(
      crossed.text,
      HasSubstr(
          R"(<accelerometer name="imu_accel" noise="0.03" nsample="1" interval="0.005" site="imu_gyro"/>)"));
  ASSERT_EQ(crossed.sensors.size(), 2u);
  EXPECT_EQ(crossed.sensors[0].X_LS.p.z(), 0.1);
  EXPECT_EQ(crossed.sensors[1].update_rate, 200);
  EXPECT_EQ(crossed.proof.line, "equivalent");
}

// A slash is the mark of scopes of dm_control.
TEST(Sensors, LoseTheSlashesOfTheirNamesInMjcf) {
  const std::string text = SdfWith(
      "<sensor name='a/b' type='magnetometer'/>"
      "<sensor name='a_b' type='magnetometer'/>");
  const Crossed crossed = Cross(text, "in.sdf", "mjcf");
  EXPECT_THAT(crossed.text, HasSubstr("<magnetometer name=\"a_b_2\""));
  EXPECT_THAT(crossed.text, HasSubstr("<magnetometer name=\"a_b\""));
  EXPECT_THAT(crossed.text, Not(HasSubstr("a/b")));
  EXPECT_EQ(crossed.proof.line, "equivalent");
}

TEST(Sensors, AGyroscopeAndAnAccelerometerAtOnePlaceAreAnImu) {
  const Crossed crossed = Cross(
      MjcfWith(R"(<gyro name="imu_gyro" site="chip" noise="0.002" nsample="1" interval="0.005"/>
    <accelerometer name="imu_accel" site="chip" noise="0.03" nsample="1" interval="0.005"/>)"),
      "in.xml", "sdf");
  EXPECT_THAT(crossed.losses, IsEmpty());
  ASSERT_EQ(crossed.sensors.size(), 1u);
  const Sensor& imu = crossed.sensors[0];
  EXPECT_EQ(imu.name, "imu");
  EXPECT_EQ(imu.kind, SensorKind::kImu);
  EXPECT_EQ(imu.update_rate, 200);
  EXPECT_EQ(imu.angular_noise, 0.002);
  EXPECT_EQ(imu.noise, 0.03);
  EXPECT_EQ(imu.orientation, SensedTurn::kUnsaid);
  EXPECT_EQ(crossed.proof.line, "equivalent");
}

TEST(Sensors, AMagnetometerStaysOne) {
  const Crossed there =
      Cross(SdfWith("<sensor name='field' type='magnetometer'><update_rate>10</update_rate>" +
                    Noise("magnetometer", 1e-6) + "</sensor>"),
            "in.sdf", "mjcf");
  EXPECT_THAT(there.losses, IsEmpty());
  EXPECT_EQ(there.proof.line, "equivalent");
  const Crossed back = Cross(there.text, "in.xml", "sdf");
  EXPECT_THAT(back.losses,  // the site is out of sight in MuJoCo's viewer
              ElementsAre("<site> of frame 'field': <site group=\"4\"> is not written"));
  ASSERT_EQ(back.sensors.size(), 1u);
  EXPECT_EQ(back.sensors[0].noise, 1e-6);
  EXPECT_EQ(back.sensors[0].update_rate, 10);
}

TEST(Sensors, WhatTheTargetHasNoWordForIsLostByName) {
  const Crossed crossed = Cross(
      SdfWith("<sensor name='imu' type='imu'><always_on>1</always_on><topic>t</topic></sensor>"),
      "in.sdf", "mjcf");
  EXPECT_THAT(
      crossed.losses,
      ElementsAre(
          HasSubstr(
              "that the orientation counts from the start, not from the world is not written"),
          HasSubstr("(always_on 1, topic t) is not written")));
  EXPECT_THAT(crossed.proof.line, HasSubstr("equivalent except"));
}

// Other readers of MJCF know no intervals.
TEST(Sensors, ThePortableProfileLosesTheRate) {
  const Crossed crossed = Cross(
      SdfWith("<sensor name='field' type='magnetometer'><update_rate>10</update_rate></sensor>"),
      "in.sdf", "mjcf portable");
  EXPECT_THAT(crossed.losses, ElementsAre(HasSubstr("update rate 10 Hz is not written")));
  EXPECT_THAT(crossed.text, Not(HasSubstr("interval")));
}

TEST(Sensors, NoiseThatDiffersByDirectionIsText) {
  const Crossed crossed =
      Cross(SdfWith("<sensor name='field' type='magnetometer'><magnetometer><x><noise "
                    "type='gaussian'><mean>0</mean>"
                    "<stddev>1</stddev></noise></x></magnetometer></sensor>"),
            "in.sdf", "mjcf");
  ASSERT_EQ(crossed.losses.size(), 1u);
  EXPECT_THAT(crossed.losses[0], HasSubstr("stddev"));
}

TEST(Sensors, AnOrientationOfTheWorldIsTheImusOwn) {
  const Crossed crossed = Cross(
      MjcfWith(
          R"(<framequat name="imu_quat" objtype="site" objname="chip"/><gyro name="imu_gyro" site="chip"/>
    <accelerometer name="imu_accel" site="chip"/>)"),
      "in.xml", "sdf");
  EXPECT_THAT(crossed.losses, IsEmpty());
  ASSERT_EQ(crossed.sensors.size(), 1u);
  EXPECT_EQ(crossed.sensors[0].orientation, SensedTurn::kFromWorld);
  EXPECT_EQ(crossed.proof.line, "equivalent");
  const Crossed back = Cross(crossed.text, "in.sdf", "mjcf");
  EXPECT_THAT(back.text, HasSubstr(R"(<framequat name="imu_quat" objtype="site" objname=)"));
  EXPECT_EQ(back.proof.line.find("orientation"), std::string::npos);
}

// SDFormat looks along +x and has the angle from left to right, MuJoCo along -z and from bottom to
// top.
TEST(Sensors, ACameraKeepsItsViewAndItsPicture) {
  const Crossed crossed =
      Cross(SdfWith("<sensor name='eye' type='camera'><pose>0.1 0 0.2 0 0 0</pose><camera>"
                    "<horizontal_fov>1.2</horizontal_fov><image><width>640</width><height>480"
                    "</height></image></camera></sensor>"),
            "in.sdf", "mjcf");
  EXPECT_THAT(crossed.losses, IsEmpty());
  const double fovy = 2 * std::atan(std::tan(0.6) * 480 / 640) * 180 / std::numbers::pi;
  EXPECT_THAT(crossed.text,
              HasSubstr("<camera name=\"eye\" fovy=\"" + FormatNumber(fovy).substr(0, 12)));
  EXPECT_THAT(crossed.text,
              HasSubstr("resolution=\"640 480\" pos=\"0.1 0 0.2\" quat=\"0.5 0.5 -0.5 -0.5\""));
  EXPECT_EQ(crossed.proof.line, "equivalent");
  const Crossed back = Cross(crossed.text, "in.xml", "sdf");
  EXPECT_THAT(back.losses, IsEmpty());
  ASSERT_EQ(back.sensors.size(), 1u);
  EXPECT_EQ(back.sensors[0].width, 640);
  EXPECT_THAT(back.text, HasSubstr("<horizontal_fov>1.2</horizontal_fov>"));
  EXPECT_THAT(back.text, HasSubstr("<pose>0.1 0 0.2 0 0 0</pose>"));
  EXPECT_EQ(back.proof.line, "equivalent");
}

TEST(Sensors, ADepthCameraIsAnOutputAndTheRateOfACameraIsLost) {
  const std::string sdf = SdfWith(
      "<sensor name='eye' type='depth_camera'><update_rate>30</update_rate><camera/></sensor>");
  const Crossed crossed = Cross(sdf, "in.sdf", "mjcf");
  EXPECT_THAT(crossed.losses, ElementsAre(HasSubstr("update rate 30 Hz is not written")));
  EXPECT_THAT(crossed.text, HasSubstr("output=\"depth\""));
  EXPECT_THAT(Cross(sdf, "in.sdf", "mjcf portable").losses,
              ElementsAre(HasSubstr("sensor of type 'depth_camera' is not written")));
}

TEST(Sensors, ALensOfMujocoIsAnAngle) {
  const std::string body =
      R"(<mujoco model="m"><worldbody><camera name="room"/><body name="base"><freejoint/>
    <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><camera name="eye" resolution="640 480"
    sensorsize="0.004 0.003" focalpixel="500 500"/></body></worldbody></mujoco>)";
  const Crossed crossed = Cross(body, "in.xml", "sdf");
  // What stands on the world has no place in a model of SDFormat.
  EXPECT_THAT(crossed.losses, ElementsAre(HasSubstr("sensor 'room'")));
  ASSERT_EQ(crossed.sensors.size(), 1u);
  EXPECT_NEAR(crossed.sensors[0].fov.value_or(0), 2 * std::atan(240.0 / 500), 1e-12);
  EXPECT_EQ(crossed.sensors[0].height, 480);
}

std::string SdfWithWrist(const std::string& sensor) {
  const std::string inertial =
      "<inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>";
  return "<sdf version='1.9'><model name='m'><link name='base'>" + inertial +
         "</link><link name='tool'><pose>0 0 0.4 0 0 0</pose>" + inertial +
         "</link><joint name='wrist' type='fixed'><parent>base</parent><child>tool</child>"
         "<pose>0 0 0.1 0 0 0</pose>" +
         sensor + "</joint></model></sdf>";
}

TEST(Sensors, AForceTorqueSensorMeasuresAtTheJointsOrigin) {
  const Crossed crossed =
      Cross(SdfWithWrist("<sensor name='wrist' type='force_torque'><update_rate>100</update_rate>"
                         "<force_torque><measure_direction>parent_to_child</measure_direction>" +
                         Noise("force", 0.1) + Noise("torque", 0.01) + "</force_torque></sensor>"),
            "in.sdf", "mjcf");
  EXPECT_THAT(crossed.losses, IsEmpty());
  EXPECT_THAT(crossed.text, HasSubstr("<site name=\"wrist_torque\" pos=\"0 0 0.1\""));
  EXPECT_THAT(crossed.text, HasSubstr(R"(<force name="wrist_force" noise="0.1" nsample="1")"));
  EXPECT_EQ(crossed.proof.line, "equivalent");
  const Crossed back = Cross(crossed.text, "in.xml", "sdf");
  ASSERT_EQ(back.sensors.size(), 1u);
  const Sensor& wrench = back.sensors[0];
  EXPECT_NE(wrench.joint, kNoJoint);
  EXPECT_FALSE(wrench.on_parent);
  EXPECT_EQ(wrench.axes, SensorAxes::kChild);
  EXPECT_EQ(wrench.update_rate, 100);
  EXPECT_EQ(wrench.noise, 0.1);
  EXPECT_EQ(wrench.angular_noise, 0.01);
}

// MuJoCo has the force of the parent on the child alone; silence of SDFormat means the other one.
TEST(Sensors, TheOtherSignOfAForceIsALoss) {
  const Crossed crossed =
      Cross(SdfWithWrist("<sensor name='wrist' type='force_torque'/>"), "in.sdf", "mjcf");
  EXPECT_THAT(crossed.losses,
              ElementsAre(HasSubstr("that the forces are those of the child on the parent (all "
                                    "values have the other sign) is not written")));
  EXPECT_THAT(crossed.proof.line, HasSubstr("equivalent except"));
}

TEST(Sensors, MomentsAboutAnotherPointAreALoss) {
  const std::string mjcf =
      R"(<mujoco model="m"><worldbody><body name="base"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
    <body name="tool" pos="0 0 0.4"><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><site name="far" pos="0 0 0.2"/></body></body></worldbody>
    <sensor><force name="wrist_force" site="far"/><torque name="wrist_torque" site="far"/></sensor></mujoco>)";
  for (const char* target : {"sdf", "urdf"}) {
    const Crossed crossed = Cross(mjcf, "in.xml", target);
    EXPECT_THAT(crossed.losses,
                ::testing::Contains(HasSubstr("that the moments are about its own place, 0.2 m "
                                              "from the origin of the joint is not written")));
    ASSERT_EQ(crossed.sensors.size(), 1u) << target;
    EXPECT_EQ(crossed.sensors[0].kind, SensorKind::kForceTorque);
    EXPECT_NE(crossed.sensors[0].joint, kNoJoint);
    EXPECT_THAT(crossed.proof.line, HasSubstr("equivalent except"));
  }
}

TEST(Sensors, OneRayCrossesAndAScanIsLost) {
  const auto lidar = [](const std::string& samples) {
    return SdfWith("<sensor name='l' type='gpu_lidar'><lidar><scan><horizontal><samples>" +
                   samples +
                   "</samples></horizontal></scan><range><min>0</min><max>5</max></range></lidar>"
                   "</sensor>");
  };
  const Crossed one = Cross(lidar("1"), "in.sdf", "mjcf");
  EXPECT_THAT(one.losses, IsEmpty());
  EXPECT_THAT(one.text, HasSubstr(R"(<rangefinder name="l" cutoff="5" site="l"/>)"));
  EXPECT_EQ(one.proof.line, "equivalent");
  const Crossed back = Cross(one.text, "in.xml", "sdf");
  ASSERT_EQ(back.sensors.size(), 1u);
  EXPECT_EQ(back.sensors[0].kind, SensorKind::kRay);
  EXPECT_EQ(back.sensors[0].range, 5);
  EXPECT_TRUE(back.sensors[0].X_LS.IsNearIdentity(1e-12));
  EXPECT_THAT(Cross(lidar("360"), "in.sdf", "mjcf").losses,
              ElementsAre(HasSubstr("sensor of type 'gpu_lidar' is not written")));
}

TEST(Sensors, OneAloneIsNoImu) {
  const Crossed crossed =
      Cross(MjcfWith(R"(<gyro name="g" site="chip"/><accelerometer name="a" site="nose"/>)"),
            "in.xml", "sdf");
  EXPECT_THAT(crossed.losses,
              ElementsAre(HasSubstr("sensor of type 'gyro' is not written"),
                          HasSubstr("sensor of type 'accelerometer' is not written")));
  EXPECT_THAT(crossed.sensors, IsEmpty());
}

}  // namespace
}  // namespace kinemorph::test

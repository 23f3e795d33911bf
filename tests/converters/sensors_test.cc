// Sensors that two formats have words for cross between them, and what one of them lacks is lost by
// name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  EXPECT_FALSE(imu.orientation);
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
  EXPECT_THAT(crossed.losses, ElementsAre(HasSubstr("the measured orientation is not written"),
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

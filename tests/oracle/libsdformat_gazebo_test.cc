// What URDF's <gazebo> blocks become in SDFormat: libsdformat's own conversion of the same text is
// the judge.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "conversion.h"

#ifdef KINEMORPH_LIBSDFORMAT
#include <sdf/sdf.hh>

namespace kinemorph::test {
namespace {

// "sensor imu on link arm", "plugin gz::Drive on model robot" ...
void Collect(const sdf::ElementPtr& element, const std::string& owner,
             std::set<std::string>& found) {
  for (sdf::ElementPtr child = element->GetFirstElement(); child; child = child->GetNextElement()) {
    const std::string kind = child->GetName();
    const std::string name = child->HasAttribute("name") ? child->Get<std::string>("name") : "";
    if (kind == "sensor" || kind == "plugin" || kind == "light") {
      std::string where = child->HasElement("pose")
                              ? " at " + child->GetElement("pose")->GetValue()->GetAsString()
                              : "";
      found.insert(kind + " " + name + " on " + owner + (kind == "sensor" ? where : ""));
    }
    const std::set<std::string> settings = {
        "allow_auto_disable", "enable_wind",       "gravity",        "kinematic",
        "self_collide",       "must_be_base_link", "velocity_decay", "gz:note"};
    if (settings.contains(kind))
      found.insert(kind + " " + (child->GetValue() ? child->GetValue()->GetAsString() : "") +
                   " on " + owner);
    if (kind == "link" || kind == "joint" || kind == "model" || kind == "sensor")
      Collect(child, kind + " " + name, found);
  }
}

std::set<std::string> ByLibsdformat(const std::string& text, std::string& errors) {
  sdf::Errors problems;
  const sdf::SDFPtr document(new sdf::SDF());
  sdf::init(document);
  if (!sdf::readString(text, document, problems)) errors = "not read; ";
  for (const sdf::Error& problem : problems) errors += problem.Message() + "; ";
  std::set<std::string> found;
  Collect(document->Root(), "root", found);
  return found;
}

TEST(LibsdformatGazebo, SensorsAndPluginsStandWhereItsOwnConversionPutsThem) {
  const std::string inertial =
      R"(<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>)";
  const std::string urdf = R"(<robot name="robot"><link name="base">)" + inertial +
                           R"(</link><link name="arm">)" + inertial + R"(</link>
    <joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint>
    <gazebo><plugin name="gz::Drive" filename="drive.so"><api name="ns::Class"/></plugin></gazebo>
    <gazebo reference="arm"><mu1>0.2</mu1><sensor name="imu" type="imu"><pose>0 0 0.1 0 0 0</pose>
      <plugin name="driver" filename="driver.so"/></sensor></gazebo>
    <gazebo><allow_auto_disable>false</allow_auto_disable><enable_wind>true</enable_wind>
      <self_collide>true</self_collide><gz:note/></gazebo>
    <gazebo reference="base"><gravity>false</gravity><kinematic>true</kinematic>
      <must_be_base_link>true</must_be_base_link><velocity_decay/></gazebo>
    <gazebo reference="hinge"><sensor name="wrench" type="force_torque"><update_rate>10</update_rate></sensor></gazebo></robot>)";
  std::string errors;
  const std::set<std::string> theirs = ByLibsdformat(urdf, errors);
  ASSERT_EQ(errors, "");
  ASSERT_EQ(theirs.size(), 12u) << testing::PrintToString(theirs);

  Diagnostics diagnostics;
  const std::optional<Model> model = ReadText(urdf, "robot.urdf", diagnostics);
  ASSERT_TRUE(model) << Rendered(diagnostics);
  ConvertOptions options;
  options.target = TargetNamed("sdf");
  const std::optional<Converted> converted = Convert(*model, options, diagnostics);
  ASSERT_TRUE(converted) << Rendered(diagnostics);
  const std::set<std::string> ours = ByLibsdformat(converted->text, errors);
  EXPECT_EQ(errors, "");
  EXPECT_EQ(ours, theirs) << converted->text;
}

}  // namespace
}  // namespace kinemorph::test

#else
TEST(LibsdformatGazebo, NeedsLibsdformat) { GTEST_SKIP() << "built without libsdformat"; }
#endif

// A robot with Drake's elements, for the tests of its profiles.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "conversion.h"

namespace kinemorph::test {

inline std::string Robot(const std::string& rest) {
  const auto link = [](const std::string& name) {
    return "<link name=\"" + name +
           "\"><inertial><origin xyz=\"0 0 0.1\"/><mass value=\"1\"/><inertia ixx=\"0.1\" "
           "ixy=\"0\" "
           "ixz=\"0\" iyy=\"0.1\" iyz=\"0\" izz=\"0.1\"/></inertial></link>\n";
  };
  const auto joint = [](const std::string& name, const std::string& child) {
    return "<joint name=\"" + name + "\" type=\"revolute\"><parent link=\"base\"/><child link=\"" +
           child +
           "\"/><axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"1\" effort=\"5\" velocity=\"2\" "
           "drake:acceleration=\"7\"/></joint>\n";
  };
  return "<robot name=\"arms\" xmlns:drake=\"http://drake.mit.edu\">\n" + link("base") +
         link("left") + link("right") + joint("l", "left") + joint("r", "right") + rest +
         "</robot>\n";
}

inline Model Read(const std::string& text, std::string* said = nullptr) {
  Diagnostics reading;
  std::optional<Model> model = ReadText(text, "/tmp/in.urdf", reading);
  EXPECT_TRUE(model && !reading.has_errors()) << Rendered(reading);
  if (said != nullptr) *said = Rendered(reading, Severity::kWarning);
  return model ? std::move(*model) : Model();
}

inline Joint Pin(const Vector3& p_F) {
  Joint pin;
  pin.name = "pin";
  pin.kind = Ball{};
  pin.role = JointRole::kLoop;
  pin.X_PF.p = pin.X_SM.p = p_F;
  return pin;
}

/// A box on each of two links.
inline void AddBoxes(Model& model) {
  for (const char* name : {"left", "right"}) {
    Collision box;
    box.shape = Box{Vector3(0.1, 0.1, 0.1)};
    model.link(*model.FindLink(name)).collisions.push_back(box);
  }
}

/// A four-bar whose loop is drawn 5 cm open.
inline Model OpenFourBar() {
  Diagnostics reading;
  std::optional<Model> model = ReadFile(Fixtures() + "/mechanisms/four_bar/four_bar.urdf", reading);
  if (!model) return {};
  for (const JointId id : Joints(*model))
    if (model->joint(id).role == JointRole::kLoop) model->joint(id).X_SM.p.x() += 0.05;
  return std::move(*model);
}

inline const char* const kTendon =
    R"(<drake:tendon_constraint name="twin"><drake:tendon_constraint_joint name="l" a="1"/>
<drake:tendon_constraint_joint name="r" a="-2"/><drake:tendon_constraint_offset value="0.25"/>
<drake:tendon_constraint_lower_limit value="0.5"/><drake:tendon_constraint_upper_limit value="0.5"/></drake:tendon_constraint>)";
inline const char* const kGroups =
    R"(<drake:collision_filter_group name="one"><drake:member link="left"/><drake:ignored_collision_filter_group name="two"/></drake:collision_filter_group>
<drake:collision_filter_group name="two"><drake:member link="right"/></drake:collision_filter_group>)";
inline const char* const kRotor =
    R"(<transmission name="t"><type>transmission_interface/SimpleTransmission</type><joint name="l"/>
<actuator name="motor"><drake:rotor_inertia value="0.001"/><drake:gear_ratio value="10"/></actuator></transmission>)";

}  // namespace kinemorph::test

// Small robots as stages of USD.
#pragma once

#include <gtest/gtest.h>

#include "conversion.h"

namespace kinemorph::test::usd {

inline const std::string kInertial =
    "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>";

inline std::string Link(const std::string& name, const std::string& more = "") {
  return "<link name='" + name + "'>" + kInertial + more + "</link>";
}

// Base on the world, arm on `type`, with what stands in the axis and beside.
inline std::string Sdf(const std::string& type, const std::string& axis,
                       const std::string& more = "") {
  return "<sdf version='1.9'><model name='m'>" + Link("base") + Link("arm") +
         "<joint name='to_world' type='fixed'><parent>world</parent><child>base</child></joint>"
         "<joint name='j' type='" +
         type + "'><parent>base</parent><child>arm</child>" + axis + "</joint>" + more +
         "</model></sdf>";
}
inline std::string Axis(const std::string& more, const std::string& xyz = "0 0 1") {
  return "<axis><xyz>" + xyz + "</xyz>" + more + "</axis>";
}

inline std::string Mjcf(const std::string& bodies, const std::string& sections = "") {
  return "<mujoco model='m'><compiler angle='radian'/><worldbody>" + bodies + "</worldbody>" +
         sections + "</mujoco>";
}
inline std::string Body(const std::string& name, const std::string& more,
                        const std::string& pose = "") {
  return "<body name='" + name + "' " + pose +
         "><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>" + more + "</body>";
}

/// What became of a source.
struct Result {
  std::string text;
  LossReport report;
  std::string messages;
  Bundle bundle;
  [[nodiscard]] bool Loses(Feature feature, const std::string& what = "") const {
    for (const Loss& loss : report.losses)
      if (loss.feature == feature && loss.what.find(what) != std::string::npos) return true;
    return false;
  }
};

inline Result Stage(const std::string& text, const std::string& file,
                    const std::string& target = "usda", const ConvertOptions& wish = {}) {
  Result result;
  Diagnostics reading, converting;
  const std::optional<Model> model = ReadText(text, file, reading);
  EXPECT_TRUE(model) << Rendered(reading);
  if (!model) return result;
  ConvertOptions options = wish;
  options.target = TargetNamed(target);
  options.target.options.side_cars = wish.target.options.side_cars;
  options.target.options.stem = "m";
  const std::optional<Converted> converted = Convert(*model, options, converting);
  EXPECT_TRUE(converted) << Rendered(converting);
  result.messages = Rendered(converting, Severity::kNote);
  if (converted) result.text = converted->text, result.report = converted->lowered.report;
  if (converted) result.bundle.side_files = converted->side_files;
  return result;
}

}  // namespace kinemorph::test::usd

// URDF texts in tests: read them, collect every message as the user sees it.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "kinemorph/formats/formats.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph::test {

struct ReadResult {
  std::optional<Model> model;
  std::vector<std::string> messages;  ///< rendered, in order
  bool errors = false;
};

inline ReadResult ReadText(const std::string& text, const ResourceResolver* resolver = nullptr,
                           const std::string& name = "robot.urdf") {
  ReadResult result;
  Diagnostics diagnostics;
  ReadOptions options;
  options.file_name = name;
  options.resolver = resolver;
  result.model = FindFormat("urdf")->read(text, options, diagnostics);
  for (const Diagnostic& item : diagnostics.items()) result.messages.push_back(Render(item));
  result.errors = diagnostics.has_errors();
  return result;
}

/// `body` inside <robot name="r" ...>; its first line is line 1.
inline std::string Robot(const std::string& body, const std::string& attributes = "") {
  return "<robot name=\"r\"" + attributes + ">" + body + "</robot>";
}
inline ReadResult ReadRobot(const std::string& body, const std::string& attributes = "") {
  return ReadText(Robot(body, attributes));
}

/// A joint of `type` from `base` to `arm` in line 2 with `content`.
inline std::string Hinge(const std::string& content, const std::string& type = "revolute",
                         const std::string& attributes = "") {
  return "<link name=\"base\"/><link name=\"arm\"/>\n<joint name=\"hinge\" type=\"" + type + "\"" +
         attributes + "><parent link=\"base\"/><child link=\"arm\"/>" + content + "</joint>";
}

/// A four-bar without its loop (line 1 holds the links, lines 2 to 4 the joints); `loop` starts in
/// line 5.
inline std::string FourBar(const std::string& loop) {
  return R"(<link name="base"/><link name="crank"/><link name="coupler"/><link name="rocker"/>
<joint name="crank_joint" type="continuous"><parent link="base"/><child link="crank"/><axis xyz="0 1 0"/></joint>
<joint name="coupler_joint" type="continuous"><parent link="crank"/><child link="coupler"/><origin xyz="0 0 0.2"/><axis xyz="0 1 0"/></joint>
<joint name="rocker_joint" type="continuous"><parent link="base"/><child link="rocker"/><origin xyz="0.4 0 -0.1"/><axis xyz="0 1 0"/></joint>
)" + loop;
}

inline const Joint& JointNamed(const Model& model, const std::string& name) {
  return model.joint(model.FindJoint(name).value());
}
inline const Link& LinkNamed(const Model& model, const std::string& name) {
  return model.link(model.FindLink(name).value());
}

/// "revolute coupler -> rocker at 0.4 0 0 / 0 0 0.3 axis 0 1 0", the whole meaning of an untwisted
/// loop in one line.
inline std::string Describe(const Model& model, JointId id) {
  const Joint& joint = model.joint(id);
  std::ostringstream out;
  // Rounding of the last digits is not what these tests are about.
  const auto vector = [&](const Vector3& v) {
    for (const double x : v) out << " " << (std::abs(x) < 1e-15 ? 0 : x);
  };
  out << KindName(joint.kind) << " " << model.link(model.predecessor(id)).name << " -> "
      << model.link(model.successor(id)).name << " at";
  vector(joint.X_PF.p);
  out << " /";
  vector(joint.X_SM.p);
  for (const Vector3& axis : AxesOf(joint.kind)) {
    out << " axis";
    vector(axis);
  }
  if (joint.X_PF.R != Matrix3::Identity() || joint.X_SM.R != Matrix3::Identity()) out << " turned";
  return out.str();
}

inline std::vector<std::string> Loops(const Model& model) {
  std::vector<std::string> loops;
  for (const JointId id : Joints(model))
    if (model.joint(id).role == JointRole::kLoop) loops.push_back(Describe(model, id));
  return loops;
}

inline std::string Slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// Every .urdf below `root`, sorted; none when the folder is absent.
inline std::vector<std::filesystem::path> UrdfFiles(const std::filesystem::path& root) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::exists(root)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.is_regular_file() && entry.path().extension() == ".urdf")
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace kinemorph::test

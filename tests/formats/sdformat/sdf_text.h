// Reads and writes literal SDFormat in tests.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "kinemorph/formats/formats.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph::test {

using Files = std::map<std::string, std::string>;

/// What reading gave: the model (if any) and every message of the severity asked for, rendered.
struct ReadResult {
  std::optional<Model> model;
  Diagnostics diagnostics;

  [[nodiscard]] std::string Messages(Severity severity) const {
    std::string text;
    for (const Diagnostic& item : diagnostics.items())
      if (item.severity == severity) text += Render(item) + "\n";
    return text;
  }
};

inline ReadResult ReadText(const std::string& text, const Files& files = {}) {
  ReadResult result;
  const MemoryResolver resolver(files);
  ReadOptions options;
  options.file_name = "m.sdf";
  options.resolver = &resolver;
  result.model = FindFormat("sdf")->read(text, options, result.diagnostics);
  return result;
}

/// <sdf version> with one model "m" around `content`.
inline std::string InModel(const std::string& content, const std::string& version = "1.9",
                           const std::string& attributes = "") {
  return "<sdf version=\"" + version + "\"><model name=\"m\"" + attributes + ">\n" + content +
         "</model></sdf>";
}

/// A link of 1 kg at `pose`.
inline std::string LinkText(const std::string& name, const std::string& pose = "") {
  return "<link name=\"" + name + "\">" + (pose.empty() ? "" : "<pose>" + pose + "</pose>") +
         "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></"
         "inertial></link>\n";
}

/// The model of a text that must read without errors and warnings.
inline Model Read(const std::string& text, const Files& files = {}) {
  ReadResult result = ReadText(text, files);
  EXPECT_EQ(result.Messages(Severity::kError), "");
  EXPECT_EQ(result.Messages(Severity::kWarning), "");
  return result.model ? std::move(*result.model) : Model();
}

inline std::string Errors(const std::string& text, const Files& files = {}) {
  return ReadText(text, files).Messages(Severity::kError);
}
inline std::string Warnings(const std::string& text, const Files& files = {}) {
  return ReadText(text, files).Messages(Severity::kWarning);
}

inline LinkId LinkNamed(const Model& model, const std::string& name) {
  const auto id = model.FindLink(name);
  EXPECT_TRUE(id) << "no link " << name;
  return id.value_or(kWorld);
}
inline JointId JointNamed(const Model& model, const std::string& name) {
  const auto id = model.FindJoint(name);
  EXPECT_TRUE(id) << "no joint " << name;
  return id.value_or(JointId{0});
}

/// Poses of all links in the world at zero: along any joints, which agree there in SDFormat.
inline std::vector<RigidTransform> Poses(const Model& model) {
  std::vector<RigidTransform> X(model.num_links());
  std::vector<char> known(model.num_links(), 0);
  known[0] = 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (const JointId id : Joints(model)) {
      const std::size_t p = Index(model.predecessor(id)), s = Index(model.successor(id));
      const RigidTransform X_PS = model.joint(id).X_PF * model.joint(id).X_SM.inverse();
      if (known[p] && !known[s]) X[s] = X[p] * X_PS, known[s] = 1, changed = true;
      if (known[s] && !known[p]) X[p] = X[s] * X_PS.inverse(), known[p] = 1, changed = true;
    }
  }
  return X;
}
inline RigidTransform PoseOf(const Model& model, const std::string& link) {
  return Poses(model)[Index(LinkNamed(model, link))];
}

inline ::testing::AssertionResult Near(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b,
                                       double tolerance = 1e-12) {
  if (a.rows() == b.rows() && a.cols() == b.cols() && (a - b).cwiseAbs().maxCoeff() <= tolerance)
    return ::testing::AssertionSuccess();
  std::ostringstream text;
  text << a.transpose() << "\nis not\n" << b.transpose();
  return ::testing::AssertionFailure() << text.str();
}

inline std::string Write(const Model& model, const std::string& version = "",
                         std::string* messages = nullptr) {
  Diagnostics diagnostics;
  WriteOptions options;
  options.version = version;
  std::string text = FindFormat("sdf")->write(model, options, diagnostics).text;
  std::string all, of_text;  // which engines run it is no matter of the text
  for (const Diagnostic& item : diagnostics.items()) {
    all += Render(item) + "\n";
    if (!item.code.starts_with("gazebo-drops-")) of_text += Render(item) + "\n";
  }
  if (messages)
    *messages = all;
  else
    EXPECT_EQ(of_text, "");
  return text;
}

}  // namespace kinemorph::test

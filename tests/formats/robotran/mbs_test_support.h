// Helpers of the MBS tests: small files to read, and two judges that share no code with the reader
// or the writer: the rules of the published loaders, and forward kinematics straight from the text.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <map>
#include <string>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/model.h"
#include "mbs.h"

namespace kinemorph::test {

/// Everything said, one message per line.
inline std::string Messages(const Diagnostics& diagnostics) {
  std::string all;
  for (const Diagnostic& d : diagnostics.items()) all += Render(d) + "\n";
  return all;
}

struct ReadResult {
  std::optional<Model> model;
  Diagnostics diagnostics;
  [[nodiscard]] std::string messages() const { return Messages(diagnostics); }
};

inline ReadResult TryRead(const std::string& text) {
  ReadResult result;
  ReadOptions options;
  options.file_name = "robot.mbs";
  result.model = ReadMbs(text, options, result.diagnostics);
  return result;
}

/// Reads without any message, or fails the test.
inline Model Read(const std::string& text) {
  ReadResult result = TryRead(text);
  EXPECT_EQ(result.messages(), "");
  return result.model ? *std::move(result.model) : Model();
}

/// Writes without errors or warnings (an assumed gravity is only a note), or fails the test.
inline std::string Write(const Model& model) {
  Diagnostics diagnostics;
  std::string text = WriteMbs(model, {}, diagnostics).text;
  for (const Diagnostic& d : diagnostics.items())
    EXPECT_EQ(d.severity, Severity::kNote) << Render(d);
  return text;
}

/// An .mbs text around bodies, with what follows the body tree.
inline std::string File(const std::string& bodies, const std::string& rest = "",
                        const std::string& base_points = "") {
  return "<mbsDescR7><mbsname>robot</mbsname><mbsyspad_version>1.30.0</mbsyspad_version><base>"
         "<gravity><coordinates><x>0.0</x><y>0.0</y><z>-9.81</z></coordinates></"
         "gravity><baseBodyName>Body_0</baseBodyName>" +
         base_points + "</base><bodytree>" + bodies + "</bodytree>" + rest + "</mbsDescR7>";
}

/// <joint>; `rest` stands after the nature.
inline std::string JointXml(const std::string& name, const std::string& type,
                            const std::string& nature = "independent",
                            const std::string& rest = "") {
  return "<joint><jointname>" + name + "</jointname><type>" + type + "</type><nature>" + nature +
         "</nature>" + rest + "</joint>";
}

/// A driven joint held at a value.
inline std::string DrivenXml(const std::string& name, const std::string& type, double q) {
  return JointXml(
      name, type, "driven",
      "<initialvalue><q>" + std::to_string(q) + "</q></initialvalue><symbols><q/></symbols>");
}

inline std::string PointXml(const std::string& name, double x, double y, double z,
                            const std::string& rest = "") {
  return "<point><pointname>" + name + "</pointname><coordinates><x>" + std::to_string(x) +
         "</x><y>" + std::to_string(y) + "</y><z>" + std::to_string(z) + "</z></coordinates>" +
         rest + "</point>";
}

inline std::string BodyXml(
    const std::string& name, const std::string& parent, const std::string& point,
    const std::string& joints,
    const std::string& rest =
        "<mass>1.0</mass><inertia><Ixx>1.0</Ixx><Iyy>1.0</Iyy><Izz>1.0</Izz></inertia>") {
  return "<body><bodyname>" + name + "</bodyname><parent><bodyname>" + parent +
         "</bodyname><pointname>" + point + "</pointname></parent>" + joints + rest + "</body>";
}

inline std::string CutXml(const std::string& kind, const std::string& name,
                          const std::string& body1, const std::string& point1,
                          const std::string& body2, const std::string& point2,
                          const std::string& rest = "") {
  return "<" + kind + "><name>" + name + "</name><endpoint1><bodyname>" + body1 +
         "</bodyname><pointname>" + point1 + "</pointname></endpoint1><endpoint2><bodyname>" +
         body2 + "</bodyname><pointname>" + point2 + "</pointname></endpoint2>" + rest + "</" +
         kind + ">";
}

/// A text parsed by tinyxml2.
struct Parsed {
  tinyxml2::XMLDocument document;
  explicit Parsed(const std::string& text) {
    EXPECT_EQ(document.Parse(text.c_str(), text.size()), tinyxml2::XML_SUCCESS) << text;
  }
  [[nodiscard]] const tinyxml2::XMLElement* root() const { return document.RootElement(); }
};

inline std::string TextOf(const tinyxml2::XMLElement* element, const char* child) {
  const tinyxml2::XMLElement* found = element ? element->FirstChildElement(child) : nullptr;
  return found && found->GetText() ? found->GetText() : "";
}
inline double NumberOf(const tinyxml2::XMLElement* element, const char* child) {
  const std::string text = TextOf(element, child);
  return text.empty() ? 0 : std::stod(text);
}
inline Vector3 VectorOf(const tinyxml2::XMLElement* element) {
  return {NumberOf(element, "x"), NumberOf(element, "y"), NumberOf(element, "z")};
}

/// The <body> of a name, or null.
inline const tinyxml2::XMLElement* FindBody(const Parsed& parsed, const std::string& name) {
  const tinyxml2::XMLElement* body =
      parsed.root()->FirstChildElement("bodytree")->FirstChildElement("body");
  while (body && TextOf(body, "bodyname") != name) body = body->NextSiblingElement("body");
  return body;
}

/// "name type nature q" of every joint of a body, in order.
inline std::vector<std::string> JointsOf(const Parsed& parsed, const std::string& body_name) {
  std::vector<std::string> joints;
  const tinyxml2::XMLElement* body = FindBody(parsed, body_name);
  EXPECT_NE(body, nullptr) << body_name;
  for (const tinyxml2::XMLElement* j = body ? body->FirstChildElement("joint") : nullptr; j;
       j = j->NextSiblingElement("joint")) {
    const std::string q = TextOf(j->FirstChildElement("initialvalue"), "q");
    joints.push_back(TextOf(j, "jointname") + " " + TextOf(j, "type") + " " + TextOf(j, "nature") +
                     (q.empty() ? "" : " " + q));
  }
  return joints;
}

/// Names of all bodies, in document order.
inline std::vector<std::string> BodyNames(const Parsed& parsed) {
  std::vector<std::string> names;
  for (const tinyxml2::XMLElement* b =
           parsed.root()->FirstChildElement("bodytree")->FirstChildElement("body");
       b; b = b->NextSiblingElement("body")) {
    names.push_back(TextOf(b, "bodyname"));
  }
  return names;
}

/// Poses of all body frames by the rules of the format alone: the parent's point, then each joint
/// in the current frame. Joints take the value of `q`, driven ones their initial value.
inline std::map<std::string, RigidTransform> PosesByText(const Parsed& parsed,
                                                         const std::map<std::string, double>& q) {
  std::map<std::string, RigidTransform> poses = {{"base", RigidTransform()}};
  std::map<std::string, Vector3> points;
  const auto add_points = [&](const tinyxml2::XMLElement* owner, const std::string& name) {
    points[name + "/origin"] = Vector3::Zero();
    for (const tinyxml2::XMLElement* p = owner->FirstChildElement("point"); p;
         p = p->NextSiblingElement("point")) {
      points[name + "/" + TextOf(p, "pointname")] = VectorOf(p->FirstChildElement("coordinates"));
    }
  };
  add_points(parsed.root()->FirstChildElement("base"), "base");
  for (const tinyxml2::XMLElement* b =
           parsed.root()->FirstChildElement("bodytree")->FirstChildElement("body");
       b; b = b->NextSiblingElement("body")) {
    const tinyxml2::XMLElement* parent = b->FirstChildElement("parent");
    const std::string parent_name = TextOf(parent, "bodyname");
    EXPECT_EQ(poses.count(parent_name), 1u) << "parent after child: " << parent_name;
    const std::string point = parent_name + "/" + TextOf(parent, "pointname");
    EXPECT_EQ(points.count(point), 1u) << point;
    RigidTransform X = poses[parent_name] * RigidTransform::Translation(points[point]);
    for (const tinyxml2::XMLElement* j = b->FirstChildElement("joint"); j;
         j = j->NextSiblingElement("joint")) {
      const bool driven = TextOf(j, "nature") == "driven";
      const double value = driven ? NumberOf(j->FirstChildElement("initialvalue"), "q")
                                  : q.at(TextOf(j, "jointname"));
      const std::string type = TextOf(j, "type");
      const Vector3 axis = Vector3::Unit(type.at(1) - '1');
      if (type[0] == 'R')
        X.R = X.R * Eigen::AngleAxisd(value, axis).toRotationMatrix();
      else
        X = X * RigidTransform::Translation(value * axis);
    }
    const std::string name = TextOf(b, "bodyname");
    poses[name] = X;
    add_points(b, name);
  }
  return poses;
}

inline double Distance(const RigidTransform& a, const RigidTransform& b) {
  return std::max((a.R - b.R).cwiseAbs().maxCoeff(), (a.p - b.p).cwiseAbs().maxCoeff());
}

}  // namespace kinemorph::test

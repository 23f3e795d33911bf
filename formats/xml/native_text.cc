// Pose text, and small edits of elements that are kept verbatim.
#include "native_text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kinemorph/graph/model/model_dump.h"
#include "xml_writer.h"

namespace kinemorph::xml {

double Rounded(double value, double scale) {
  const double tolerance = 5e-16 * std::max({1.0, std::abs(value), scale});
  if (std::abs(value) <= tolerance) return 0;
  for (int digits = 1; digits <= 16; ++digits) {
    const double rounded = NearDecimal(value, digits);
    if (std::abs(rounded - value) <= tolerance) return rounded;
  }
  return value;
}

std::array<double, 6> PoseNumbers(const RigidTransform& X, double scale) {
  const Vector3 rpy = RpyFromRotation(Orthonormalized(X.R));
  return {Rounded(X.p.x(), scale),
          Rounded(X.p.y(), scale),
          Rounded(X.p.z(), scale),
          rpy.x(),
          rpy.y(),
          rpy.z()};
}

std::string PoseText(const RigidTransform& X, double scale) {
  const std::array<double, 6> v = PoseNumbers(X, scale);
  return VectorText(Vector3(v[0], v[1], v[2])) + " " + VectorText(Vector3(v[3], v[4], v[5]));
}

namespace {

// Position just after the tag, comment or section that starts at `at`.
std::size_t EndOfMarkup(const std::string& xml, std::size_t at) {
  const auto after = [&](std::string_view end) {
    const std::size_t found = xml.find(end, at);
    return found == std::string::npos ? xml.size() : found + end.size();
  };
  if (xml.compare(at, 4, "<!--") == 0) return after("-->");
  if (xml.compare(at, 9, "<![CDATA[") == 0) return after("]]>");
  if (xml.compare(at, 2, "<?") == 0) return after("?>");
  char quote = 0;
  for (std::size_t i = at; i < xml.size(); ++i) {
    if (quote) {
      if (xml[i] == quote) quote = 0;
    } else if (xml[i] == '"' || xml[i] == '\'') {
      quote = xml[i];
    } else if (xml[i] == '>') {
      return i + 1;
    }
  }
  return xml.size();
}

// The extent of the first <pose> directly inside the element.
bool FindPose(const std::string& xml, std::size_t& begin, std::size_t& end) {
  int depth = 0;
  bool inside = false;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at)) {
    const std::size_t next = EndOfMarkup(xml, at);
    const char second = at + 1 < xml.size() ? xml[at + 1] : '\0';
    if (second != '!' && second != '?') {
      const bool closing = second == '/', empty = xml[next - 2] == '/';
      const bool pose = xml.compare(at + 1, 4, "pose") == 0 &&
                        std::string_view(" \t\r\n/>").find(xml[at + 5]) != std::string_view::npos;
      if (!closing && depth == 1 && pose && !inside) {
        begin = at;
        inside = true;
        if (empty) {
          end = next;
          return true;
        }
      }
      if (closing)
        --depth;
      else if (!empty)
        ++depth;
      if (closing && inside && depth == 1) {
        end = next;
        return true;
      }
    }
    at = next;
  }
  return false;
}

// The pose that a <pose> without attributes gives as six numbers.
bool Says(std::string_view pose, const RigidTransform& X) {
  if (!pose.starts_with("<pose>")) return false;
  pose.remove_prefix(std::string_view("<pose>").size());
  std::array<double, 6> v{};
  for (double& x : v) {
    pose.remove_prefix(std::min(pose.find_first_not_of(" \t\r\n"), pose.size()));
    const auto [end, error] = ParseDouble(pose.data(), pose.data() + pose.size(), x);
    if (error != std::errc()) return false;
    pose.remove_prefix(static_cast<std::size_t>(end - pose.data()));
  }
  const RigidTransform said{RotationFromRpy(Vector3(v[3], v[4], v[5])), Vector3(v[0], v[1], v[2])};
  return (said.R - X.R).cwiseAbs().maxCoeff() < 1e-15 && said.p == X.p;
}

}  // namespace

std::string WithPose(const std::string& xml, const RigidTransform& X) {
  const std::string text = PoseText(X);
  const std::string pose = text == "0 0 0 0 0 0" ? "" : "<pose>" + text + "</pose>";
  std::size_t begin = 0, end = 0;
  if (FindPose(xml, begin, end)) {
    if (Says(std::string_view(xml).substr(begin, end - begin), X)) return xml;
    if (pose.empty())
      while (begin > 0 && (xml[begin - 1] == ' ' || xml[begin - 1] == '\n')) --begin;
    return xml.substr(0, begin) + pose + xml.substr(end);
  }
  if (pose.empty()) return xml;
  const std::size_t open_end = EndOfMarkup(xml, xml.find('<'));
  if (xml[open_end - 2] != '/')
    return xml.substr(0, open_end) + "\n    " + pose + xml.substr(open_end);
  const std::size_t name_end = xml.find_first_of(" \t\r\n/>", 1);
  return xml.substr(0, open_end - 2) + ">" + pose + "</" + xml.substr(1, name_end - 1) + ">";
}

std::string WithName(const std::string& xml, const std::string& name) {
  const std::size_t open_end = EndOfMarkup(xml, xml.find('<'));
  const std::size_t begin = xml.find(" name=\"");
  if (begin == std::string::npos || begin > open_end) return xml;
  const std::size_t value = begin + std::string_view(" name=\"").size();
  return xml.substr(0, value) + Escaped(name) + xml.substr(xml.find('"', value));
}

}  // namespace kinemorph::xml

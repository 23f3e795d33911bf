// Pose text, and small edits of elements that are kept verbatim.
#include "native_text.h"

#include <tinyxml2.h>

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

// The extent of the first child `name` directly inside the element.
bool FindChild(const std::string& xml, std::string_view name, std::size_t& begin,
               std::size_t& end) {
  int depth = 0;
  bool inside = false;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at)) {
    const std::size_t next = EndOfMarkup(xml, at);
    const char second = at + 1 < xml.size() ? xml[at + 1] : '\0';
    if (second != '!' && second != '?') {
      const bool closing = second == '/', empty = xml[next - 2] == '/';
      const std::size_t after = at + 1 + name.size();
      const bool wanted = xml.compare(at + 1, name.size(), name) == 0 && after < xml.size() &&
                          std::string_view(" \t\r\n/>").find(xml[after]) != std::string_view::npos;
      if (!closing && depth == 1 && wanted && !inside) {
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

// The next `count` numbers of a text, which is shortened by them.
bool TakeNumbers(std::string_view& text, double* numbers, int count) {
  for (int i = 0; i < count; ++i) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, error] = ParseDouble(text.data(), text.data() + text.size(), numbers[i]);
    if (error != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return true;
}

// x y z roll pitch yaw are X.
bool Is(const std::array<double, 6>& v, const RigidTransform& X) {
  const Matrix3 R = RotationFromRpy(Vector3(v[3], v[4], v[5]));
  return (R - X.R).cwiseAbs().maxCoeff() < 1e-15 && Vector3(v[0], v[1], v[2]) == X.p;
}

// The pose that a <pose> without attributes gives as six numbers.
bool Says(std::string_view pose, const RigidTransform& X) {
  if (!pose.starts_with("<pose>")) return false;
  pose.remove_prefix(std::string_view("<pose>").size());
  std::array<double, 6> v{};
  return TakeNumbers(pose, v.data(), 6) && Is(v, X);
}

// The pose of an <origin xyz rpy/>.
bool OriginSays(const std::string& origin, const RigidTransform& X) {
  tinyxml2::XMLDocument document;
  if (document.Parse(origin.data(), origin.size()) != tinyxml2::XML_SUCCESS) return false;
  std::array<double, 6> v{};
  for (const auto& [name, at] : {std::pair("xyz", 0), std::pair("rpy", 3)}) {
    const char* const text = document.RootElement()->Attribute(name);
    std::string_view numbers = text == nullptr ? "0 0 0" : text;
    if (!TakeNumbers(numbers, v.data() + at, 3)) return false;
  }
  return Is(v, X);
}

}  // namespace

namespace {

// `xml` with its child `name` replaced by `child`, removed where that is empty; added where there
// was none.
std::string WithChild(const std::string& xml, std::string_view name, const std::string& child) {
  std::size_t begin = 0, end = 0;
  if (FindChild(xml, name, begin, end)) {
    if (child.empty())
      while (begin > 0 && (xml[begin - 1] == ' ' || xml[begin - 1] == '\n')) --begin;
    return xml.substr(0, begin) + child + xml.substr(end);
  }
  if (child.empty()) return xml;
  const std::size_t open_end = EndOfMarkup(xml, xml.find('<'));
  if (xml[open_end - 2] != '/')
    return xml.substr(0, open_end) + "\n    " + child + xml.substr(open_end);
  const std::size_t name_end = xml.find_first_of(" \t\r\n/>", 1);
  return xml.substr(0, open_end - 2) + ">" + child + "</" + xml.substr(1, name_end - 1) + ">";
}

}  // namespace

std::string WithPose(const std::string& xml, const RigidTransform& X) {
  std::size_t begin = 0, end = 0;
  if (FindChild(xml, "pose", begin, end) &&
      Says(std::string_view(xml).substr(begin, end - begin), X))
    return xml;
  const std::string text = PoseText(X);
  return WithChild(xml, "pose", text == "0 0 0 0 0 0" ? "" : "<pose>" + text + "</pose>");
}

std::string WithOrigin(const std::string& xml, const RigidTransform& X) {
  std::size_t begin = 0, end = 0;
  if (FindChild(xml, "origin", begin, end) && OriginSays(xml.substr(begin, end - begin), X))
    return xml;
  if (X.IsExactlyIdentity()) return WithChild(xml, "origin", "");
  return WithChild(
      xml, "origin",
      "<origin xyz=\"" + VectorText(X.p) + "\" rpy=\"" + VectorText(RpyFromRotation(X.R)) + "\"/>");
}

std::string WithName(const std::string& xml, const std::string& name) {
  const std::size_t open_end = EndOfMarkup(xml, xml.find('<'));
  const std::size_t begin = xml.find(" name=\"");
  if (begin == std::string::npos || begin > open_end) return xml;
  const std::size_t value = begin + std::string_view(" name=\"").size();
  return xml.substr(0, value) + Escaped(name) + xml.substr(xml.find('"', value));
}

}  // namespace kinemorph::xml

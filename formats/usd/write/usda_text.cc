#include "write/usda_text.h"

#include <cmath>
#include <limits>

#include "kinemorph/graph/base/number.h"

namespace kinemorph::usd {

// Most attributes are of single precision, which would make a denormal or a zero of it.
std::string Number(double value) {
  return FormatNumber(std::abs(value) < std::numeric_limits<float>::min() ? 0 : value);
}

std::string Tuple(const Vector3& v) {
  return "(" + Number(v.x()) + ", " + Number(v.y()) + ", " + Number(v.z()) + ")";
}

std::string Quaternion(const Matrix3& R) {
  const Eigen::Vector4d q = QuaternionFromRotation(R);
  return "(" + Number(q[0]) + ", " + Number(q[1]) + ", " + Number(q[2]) + ", " + Number(q[3]) + ")";
}

// Other control characters by their number, which Python reads alike.
std::string Quoted(std::string_view text) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else if (byte >= ' ' && byte != 0x7F)
      out += c;
    else
      out.append("\\x").append({kDigits[byte >> 4], kDigits[byte & 15]});
  }
  return out + "\"";
}

namespace {

// Between marks of three the last one may be followed by two more, which belong to the name; a
// backslash before them all would take the marks for a part of it.
bool EndsWell(std::string_view file) {
  for (int i = 0; i < 2 && file.ends_with('@'); ++i) file.remove_suffix(1);
  return !file.ends_with('\\');
}

}  // namespace

// No mark stands for a control character (those of one byte, and U+0080 to U+009F).
bool IsAsset(std::string_view file) {
  for (std::size_t i = 0; i < file.size(); ++i) {
    const auto byte = static_cast<unsigned char>(file[i]);
    if (byte < ' ' || byte == 0x7F) return false;
    if (byte == 0xC2 && i + 1 < file.size() && static_cast<unsigned char>(file[i + 1]) < 0xA0)
      return false;
  }
  return file.find('@') == std::string_view::npos || EndsWell(file);
}

// A name that begins with no dot would be looked for on search paths too. Between marks of three,
// one of three in the name has a backslash before it.
std::string Asset(std::string_view file) {
  const bool anchored = file.empty() || file[0] == '/' || file[0] == '.' ||
                        file.find("://") != std::string_view::npos;
  const std::string before = anchored ? "" : "./";
  if (file.find('@') == std::string_view::npos) return "@" + before + std::string(file) + "@";
  std::string out = "@@@" + before;
  while (!file.empty()) {
    const bool marks = file.starts_with("@@@");
    out.append(marks ? "\\@@@" : file.substr(0, 1));
    file.remove_prefix(marks ? 3 : 1);
  }
  return out + "@@@";
}

std::string Path(std::string_view prim) { return "<" + std::string(prim) + ">"; }

std::string List(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) out += (out.size() > 1 ? ", " : "") + item;
  return out + "]";
}

std::string Boolean(bool value) { return value ? "true" : "false"; }

// Prims are named by identifiers; what has none of their characters gets the other name.
std::string PrimName(std::string_view name, const char* otherwise) {
  std::string out;
  for (const char c : name) {
    // One mark for each character outside ASCII, not one for each byte.
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80) continue;
    const bool digit = c >= '0' && c <= '9';
    if (digit && out.empty()) out += '_';
    out += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || digit ? c : '_';
  }
  return out.find_first_not_of('_') == std::string::npos ? otherwise : out;
}

std::vector<std::string> PrimNames(const std::vector<std::string>& names, const char* otherwise,
                                   UniqueNames& taken) {
  std::vector<std::string> prims(names.size());
  for (const bool stays : {true, false})
    for (std::size_t i = 0; i < names.size(); ++i)
      if (const std::string prim = PrimName(names[i], otherwise); (prim == names[i]) == stays)
        prims[i] = taken.Take(prim);
  return prims;
}

UsdaText::UsdaText(std::string_view default_prim) {
  text_ = "#usda 1.0\n(\n    defaultPrim = " + Quoted(default_prim) +
          "\n    doc = \"written by kinemorph\"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n"
          "    upAxis = \"Z\"\n)\n";
}

void UsdaText::Line(std::string_view line) {
  text_.append(4 * depth_, ' ').append(line).append("\n");
}

void UsdaText::Open(std::string_view type, std::string_view name, const PrimHead& head) {
  text_ += "\n";
  const std::string start = "def " + std::string(type) + (type.empty() ? "" : " ") + Quoted(name);
  const bool shown = !head.shown.empty() && head.shown != name;
  if (head.apis.empty() && head.reference.empty() && !shown) {
    Line(start);
  } else {
    Line(start + " (");
    ++depth_;
    std::vector<std::string> apis;
    for (const std::string& api : head.apis) apis.push_back(Quoted(api));
    if (!apis.empty()) Line("prepend apiSchemas = " + List(apis));
    if (shown) Line("displayName = " + Quoted(head.shown));
    if (!head.reference.empty()) Line("prepend references = " + Asset(head.reference));
    --depth_;
    Line(")");
  }
  Line("{");
  ++depth_;
}

void UsdaText::Close() {
  --depth_;
  Line("}");
}

void UsdaText::Set(std::string_view declaration, std::string_view value) {
  Line(std::string(declaration) + " = " + std::string(value));
}

void UsdaText::Relate(std::string_view name, const std::vector<std::string>& prims) {
  std::vector<std::string> paths;
  for (const std::string& prim : prims) paths.push_back(Path(prim));
  Line("rel " + std::string(name) + " = " + (paths.size() == 1 ? paths[0] : List(paths)));
}

// Exactly translate, orient and scale, in this order, as importers expect them; no matrix.
void UsdaText::Place(const RigidTransform& X, const Vector3& scale) {
  std::vector<std::string> order = {Quoted("xformOp:translate"), Quoted("xformOp:orient")};
  Set("double3 xformOp:translate", Tuple(X.p));
  Set("quatd xformOp:orient", Quaternion(X.R));
  if (scale != Vector3::Ones()) {
    Set("double3 xformOp:scale", Tuple(scale));
    order.push_back(Quoted("xformOp:scale"));
  }
  Set("uniform token[] xformOpOrder", List(order));
}

}  // namespace kinemorph::usd

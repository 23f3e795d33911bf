// Pose text, and the poses of elements that are kept.
#include "pose_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "kinemorph/graph/model/model_dump.h"
#include "xml_reader.h"
#include "xml_writer.h"

// Poses come out of products of transforms, and bring noise in the last digits with them. Writers
// print the shortest decimal that lies within that noise, so that 0.30000000000000004 is 0.3 again
// and a conversion there and back gives the same text. A pose that was kept as text stays as it was
// written where it still says the same.

namespace kinemorph::xml {

double Rounded(double value, double scale) {
  // A few units in the last place of the largest number that was summed up; `scale` is its size in
  // metres.
  const double tolerance = 5e-16 * std::max({1.0, std::abs(value), scale});
  if (std::abs(value) <= tolerance) return 0;
  for (int digits = 1; digits <= 16; ++digits) {
    const double rounded = NearDecimal(value, digits);
    if (std::abs(rounded - value) <= tolerance) return rounded;
  }
  return value;
}

std::array<double, 6> PoseNumbers(const RigidTransform& X, double scale) {
  // The product of many rotations is no rotation to the last digit.
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

// Three numbers each for position and angles are X.
bool Says(std::string_view xyz, std::string_view rpy, const RigidTransform& X) {
  const auto p = ParseNumbers(xyz, 3), angles = ParseNumbers(rpy, 3);
  if (!p || p->size() != 3 || !angles || angles->size() != 3) return false;
  const Matrix3 R = RotationFromRpy(Vector3(angles->data()));
  return (R - X.R).cwiseAbs().maxCoeff() < 1e-15 && Vector3(p->data()) == X.p;
}

// The pose that a <pose> without attributes gives as six numbers.
bool PoseSays(const NativeElement& pose, const RigidTransform& X) {
  const std::string_view text = pose.Text();
  const std::vector<std::string_view> words = SplitWords(text);
  if (words.size() != 6 || !pose.attributes.empty()) return false;
  const auto middle = static_cast<std::size_t>(words[3].data() - text.data());
  return Says(text.substr(0, middle), text.substr(middle), X);
}

// Replaces the first child of that name, or adds one in front; without one where that is empty.
void SetChild(NativeElement& element, std::string_view name, NativeElement child) {
  NativeElement* const old = element.Child(name);
  if (old != nullptr && child.empty())
    element.children.erase(element.children.begin() + (old - element.children.data()));
  else if (old != nullptr)
    *old = std::move(child);
  else if (!child.empty())
    element.children.insert(element.children.begin(), std::move(child));
}

}  // namespace

void SetPose(NativeElement& element, const RigidTransform& X) {
  // As the author wrote it, as long as that is right.
  const NativeElement* const old = element.Child("pose");
  if (old != nullptr && PoseSays(*old, X)) return;
  const std::string text = PoseText(X);
  SetChild(element, "pose",
           text == "0 0 0 0 0 0" ? NativeElement() : NativeElement{.name = "pose", .text = text});
}

void SetOrigin(NativeElement& element, const RigidTransform& X) {
  const auto word = [&](const NativeElement& origin, std::string_view name) {
    const std::string* const value = origin.Attribute(name);
    return value == nullptr ? std::string_view("0 0 0") : std::string_view(*value);
  };
  const NativeElement* const old = element.Child("origin");
  if (old != nullptr && Says(word(*old, "xyz"), word(*old, "rpy"), X)) return;
  NativeElement origin;
  if (!X.IsExactlyIdentity())
    origin = {.name = "origin",
              .attributes = {{"xyz", VectorText(X.p)}, {"rpy", VectorText(RpyFromRotation(X.R))}}};
  SetChild(element, "origin", std::move(origin));
}

namespace {

// An angle is the same with whole turns more; nine decimals survive that.
std::string AngleText(double value, double turn) {
  // Both ends of a turn, -pi and pi, are one direction.
  const auto rounded = [](double x) { return std::round(1e9 * x) / 1e9; };
  double angle = rounded(std::remainder(value, turn));
  if (angle <= rounded(-turn / 2)) angle = rounded(turn / 2);
  return FormatNumber(angle + 0.0);
}

// Canonical words, of which those from `first` on are angles where there are three of these.
std::string WithAngles(const std::string& words, std::size_t first, double turn) {
  const std::vector<std::string_view> parts = SplitWords(words);
  if (parts.size() != first + 3) return words;
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    double value = 0;
    const char* const last = parts[i].data() + parts[i].size();
    const auto [end, error] = ParseDouble(parts[i].data(), last, value);
    if (error != std::errc() || end != last || !std::isfinite(value)) return words;
    out += (i > 0 ? " " : "") + (i < first ? std::string(parts[i]) : AngleText(value, turn));
  }
  return out;
}

}  // namespace

// Two spellings of one pose become one text, for the comparison of kept content. The order of names
// in <script> means nothing either.
void RespellPose(NativeElement& element) {
  constexpr double kTurn = 2 * std::numbers::pi;
  for (auto& [name, value] : element.attributes)
    if (name == "rpy") value = WithAngles(value, 0, kTurn);
  if (element.name == "script")
    std::ranges::stable_sort(element.children, {}, &NativeElement::name);
  if (element.name != "pose") return;
  // <pose frame=""> names the frame that is meant without it.
  std::erase_if(element.attributes, [](const auto& attribute) { return attribute.second.empty(); });
  const auto is = [&](std::string_view name, std::string_view value) {
    const std::string* const found = element.Attribute(name);
    return found != nullptr && *found == value;
  };
  // Quaternions have no turns to take off.
  if (is("rotation_format", "quat_xyzw")) return;
  const bool degrees = is("degrees", "true") || is("degrees", "1");
  element.text = WithAngles(element.text, 3, degrees ? 360 : kTurn);
}

}  // namespace kinemorph::xml

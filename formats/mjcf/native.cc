#include "native.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "kinemorph/graph/base/number.h"
#include "xml_writer.h"

namespace kinemorph::mjcf {
// Elements of MJCF beside the model. Their attributes come from default classes and units that are
// gone by the time they are written; so they are folded in here, once. What has a place in the
// model must be left out of them, or the writer would say it twice.

AttributeList NativeAttributes(const std::vector<NativeData>& natives, std::string_view element) {
  for (const NativeData& native : natives)
    if (native.format == "mjcf" && native.element == element) return native.content.attributes;
  return {};
}

NativeData MakeNative(const xml::Element& origin, std::string_view kind,
                      const AttributeList& attributes, bool with_children) {
  const SourceLocation where = origin.where();
  NativeElement element{.name = std::string(kind), .attributes = attributes, .line = where.line};
  // Children are kept as they are written: MuJoCo has no defaults for what stands inside these.
  if (with_children)
    for (const xml::Element child : origin.Children())
      element.children.push_back(child.Native().content);
  return {"mjcf", std::string(kind), std::move(element), where};
}

// MuJoCo makes no time constant shorter than two steps, so that a longer step stays stable. Both
// numbers were measured: over 110 robots with loops, none opens wider with these than with the
// defaults, most a hundred times less.
const AttributeList& HardEquality() {
  static const AttributeList kHard = {{"solref", "0.004 1"}, {"solimp", "0.99 0.999"}};
  return kHard;
}

// An angle counts as much as a distance of 10 m for each rad. With MuJoCo's 1 m the weld of a coupler
// of 10 g turned by 0.12 rad, with this by 0.001; its position and heavy robots hold as before.
const AttributeList& HardWeld() {
  static const AttributeList kHard = [] {
    AttributeList all = HardEquality();
    all.emplace_back("torquescale", "10");
    return all;
  }();
  return kHard;
}

NativeData MakeSoftness(const xml::Element& origin, std::string_view kind,
                        const AttributeList& attributes) {
  NativeData softness = MakeNative(origin, kind, attributes);
  softness.idle = attributes == HardEquality() || attributes == HardWeld();
  return softness;
}

NativeData Unread(const xml::Element& element) {
  NativeData data = element.Native();
  // Without a format no writer takes it for its own, so that the account finds it lost for every
  // target, MJCF too.
  data.format.clear();
  return data;
}

AttributeList AttributesExcept(const Attributes& attributes,
                               std::initializer_list<std::string_view> without) {
  AttributeList all = attributes.All();
  std::erase_if(all, [&](const auto& a) {
    return std::find(without.begin(), without.end(), a.first) != without.end();
  });
  return all;
}

AttributeList AttributesOnly(const Attributes& attributes,
                             std::initializer_list<std::string_view> only) {
  AttributeList some;
  for (const std::string_view name : only)
    if (const auto value = attributes.Copy(name)) some.emplace_back(name, *value);
  return some;
}

namespace {

// What stands for the last numbers of a list of softness where nothing says them.
std::vector<double> WholeSoftness(std::string_view name) {
  if (name.starts_with("solref")) return {0.02, 1};
  if (name.starts_with("solimp")) return {0.9, 0.95, 0.001, 0.5, 2};
  return {};
}

// The last numbers of a shorter list are those of a more general class.
std::string InForce(const Attributes& attributes, std::string_view name, std::string_view value) {
  const std::vector<double> whole = WholeSoftness(name);
  std::vector<double> alone = whole;
  const auto numbers = xml::ParseNumbers(value, whole.size());
  if (!numbers) return std::string(value);
  std::copy(numbers->begin(), numbers->end(), alone.begin());
  const std::vector<double> in_force = attributes.Overlaid(name, whole);
  return in_force == alone ? std::string(value) : xml::NumbersText(in_force);
}

}  // namespace

AttributeList KeptAttributes(const Attributes& attributes, std::string_view element) {
  AttributeList kept;
  for (const std::string_view name : KeptOf(element))
    if (const auto value = attributes.Copy(name))
      kept.emplace_back(name, InForce(attributes, name, *value));
  return kept;
}

double EndOfLock(double lower, double ref) {
  // MuJoCo refuses a range whose ends are equal, and readers in single precision see two doubles as
  // one number. So the range is one step of a float wide; below kLeast that step would be a
  // subnormal number, which some flush to zero.
  constexpr float kLeast = std::numeric_limits<float>::min();  // smaller ones count as zero
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  if (const auto size = static_cast<float>(std::abs(ref)); size > std::abs(lower))
    return lower + 2.0 * (std::nextafter(size, kInfinite) - size);
  const float next = std::nextafter(static_cast<float>(lower), kInfinite);
  return std::abs(next) < kLeast ? kLeast : next;
}

std::string QuaternionText(const Matrix3& R) {
  const Eigen::Vector4d q = QuaternionFromRotation(R);
  return xml::NumbersText(std::span<const double>(q.data(), 4));
}

void RespellSoftness(NativeElement& element) {
  for (auto& [name, value] : element.attributes) {
    const std::vector<double> whole = WholeSoftness(name);
    for (std::size_t i = xml::SplitWords(value).size(); i < whole.size(); ++i)
      value += " " + FormatNumber(whole[i]);
  }
}

}  // namespace kinemorph::mjcf

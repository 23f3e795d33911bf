#include "collada.h"

#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "kinemorph/formats/xml_tags.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/base/text.h"

namespace kinemorph {
namespace {

using Bounds = Eigen::AlignedBox3d;

// Calls `take(number)` for each number, until one is none.
template <class Take>
void ForEachNumber(std::string_view text, const Take& take) {
  for (const char *at = text.data(), *const last = at + text.size(); at != last;) {
    if (IsSpace(*at)) {
      ++at;
      continue;
    }
    double value = 0;
    const auto [end, error] = ParseDouble(at, last, value);
    if (error != std::errc()) return;
    take(value);
    at = end;
  }
}

std::vector<double> Numbers(std::string_view text) {
  std::vector<double> numbers;
  ForEachNumber(text, [&](double value) { numbers.push_back(value); });
  return numbers;
}

Bounds BoundsOfPoints(std::string_view text) {
  Bounds bounds;
  Vector3 point;
  Eigen::Index i = 0;
  ForEachNumber(text, [&](double value) {
    point[i] = value;
    i = (i + 1) % 3;
    if (i == 0) bounds.extend(point);
  });
  return bounds;
}

std::string IdIn(const XmlTag& tag, std::string_view attribute) {
  const std::string_view id = tag.Attribute(attribute).value_or("");
  return std::string(id.starts_with('#') ? id.substr(1) : id);
}

// The boxes of the positions of geometries, by id.
// One pass over the tags: a geometry's <vertices> names the source of its positions, which stands
// before it.
std::map<std::string, Bounds> Geometries(std::string_view text) {
  std::map<std::string, Bounds> sources, geometries;
  std::string geometry, source;
  bool vertices = false;
  for (auto tag = NextTag(text); tag; tag = NextTag(text, tag->end)) {
    if (tag->name == "vertices") vertices = !tag->closes;
    if (tag->closes) continue;
    if (tag->name == "geometry") geometry = IdIn(*tag, "id");
    if (tag->name == "source") source = IdIn(*tag, "id");
    if (tag->name == "float_array") sources[source] = BoundsOfPoints(TextBehind(text, *tag));
    if (vertices && tag->name == "input" && tag->Attribute("semantic") == "POSITION")
      geometries[geometry].extend(sources[IdIn(*tag, "source")]);
  }
  return geometries;
}

// The transform that an element of a node says; nothing where it is of another kind.
// Degrees for rotations; a matrix is row by row.
std::optional<Eigen::Affine3d> Transform(std::string_view name, const std::vector<double>& n) {
  Eigen::Affine3d X = Eigen::Affine3d::Identity();
  if (name == "matrix" && n.size() == 16)
    X.matrix() = Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(n.data());
  else if (name == "translate" && n.size() == 3)
    X.translate(Vector3(n[0], n[1], n[2]));
  else if (name == "scale" && n.size() == 3)
    X.scale(Vector3(n[0], n[1], n[2]));
  else if (name == "rotate" && n.size() == 4 && Vector3(n[0], n[1], n[2]).norm() > 0)
    X.rotate(
        Eigen::AngleAxisd(n[3] * std::numbers::pi / 180, Vector3(n[0], n[1], n[2]).normalized()));
  else
    return std::nullopt;
  return X;
}

}  // namespace

// Only a box is wanted, so the scene is not built: a stack of the transforms of open nodes is
// enough, and each instance of a geometry extends the box by its eight corners. Skins, nodes by
// reference and skews are given up: a wrong box is worse than none.
std::optional<Bounds> BoundsOfCollada(std::string_view text) {
  const std::map<std::string, Bounds> geometries = Geometries(text);
  double unit = 1;
  Bounds all;
  std::vector<Eigen::Affine3d> nodes{Eigen::Affine3d::Identity()};
  for (auto tag = NextTag(text); tag; tag = NextTag(text, tag->end)) {
    const std::string_view name = tag->name;
    if (name == "node" && tag->closes && nodes.size() > 1) nodes.pop_back();
    if (tag->closes) continue;
    if (name == "unit")
      ForEachNumber(tag->Attribute("meter").value_or("1"), [&](double value) { unit = value; });
    if (name == "node" && !tag->inside.ends_with('/')) nodes.push_back(nodes.back());
    if (name == "instance_controller" || name == "instance_node" || name == "lookat" ||
        name == "skew")
      return std::nullopt;
    if (nodes.size() > 1 &&
        (name == "matrix" || name == "translate" || name == "scale" || name == "rotate")) {
      const auto X = Transform(name, Numbers(TextBehind(text, *tag)));
      if (!X) return std::nullopt;
      nodes.back() = nodes.back() * *X;
    }
    // Physics libraries have geometries too, which no node places.
    if (name != "instance_geometry" || nodes.size() == 1) continue;
    const auto found = geometries.find(IdIn(*tag, "url"));
    if (found == geometries.end() || found->second.isEmpty()) continue;
    for (int corner = 0; corner < 8; ++corner)
      all.extend(nodes.back() * found->second.corner(static_cast<Bounds::CornerType>(corner)));
  }
  if (all.isEmpty() || !all.min().allFinite() || !all.max().allFinite() || !(unit > 0))
    return std::nullopt;
  return Bounds(unit * all.min(), unit * all.max());
}

}  // namespace kinemorph

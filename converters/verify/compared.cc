#include "verify/compared.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "kinemorph/formats/mesh_file.h"
#include "kinemorph/graph/base/text.h"

namespace kinemorph::verify {
namespace {

// "package://arm/meshes/a.stl", "../arm/meshes/a.stl" -> {"arm", "meshes", "a.stl"}: folders up and
// the scheme say where one starts.
std::vector<std::string> PathOf(std::string uri, bool& open) {
  std::replace(uri.begin(), uri.end(), '\\', '/');
  if (const std::size_t scheme = uri.find("://"); scheme != std::string::npos)
    uri.erase(0, scheme + 3), open = true;
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= uri.size();) {
    const std::size_t end = std::min(uri.find('/', at), uri.size());
    const std::string part = uri.substr(at, end - at);
    at = end + 1;
    if (part == ".." && !parts.empty())
      parts.pop_back();
    else if (part == "..")
      open = true;
    else if (!part.empty() && part != ".")
      parts.push_back(part);
  }
  return parts;
}

}  // namespace

double PoseError(const RigidTransform& a, const RigidTransform& b, double length) {
  double error = (a.R - b.R).cwiseAbs().maxCoeff();
  // Over the distance, and no finer than 1e-4 of the length: RelativeError knows 1e-5 of its scale.
  const double scale = std::max(10 * length, 1e5 * std::max(a.p.norm(), b.p.norm()));
  for (int i = 0; i < 3; ++i) error = std::max(error, RelativeError(a.p[i], b.p[i], scale));
  return error;
}

void AddMade(std::initializer_list<const Worst*> made, std::vector<Worst>& checks) {
  for (const Worst* check : made)
    if (check->made()) checks.push_back(*check);
}

bool SameFile(const std::string& a, const std::string& b, const Compared& sides) {
  const LossReport* const report = sides.options_.report;
  if (a == b) return true;
  // Several files of the source may have become one in the target: any of them will do.
  if (report != nullptr) {
    const auto [first, last] = report->files.equal_range(b);
    if (first != last)
      return std::any_of(first, last, [&](const auto& file) { return file.second == a; });
  }
  bool open_a = false, open_b = false;
  const std::vector<std::string> x = PathOf(a, open_a), y = PathOf(b, open_b);
  if (!sides.Converted() && !open_a && !open_b) return false;
  // The common end of the two paths must be all of one of them: where a path starts at a package or
  // above its folder, but for the first part, which is the package's or folder's name.
  const auto [p, q] = std::mismatch(x.rbegin(), x.rend(), y.rbegin(), y.rend());
  const auto same = static_cast<std::size_t>(p - x.rbegin());
  return same > 0 && (same + (open_a ? 1 : 0) >= x.size() || same + (open_b ? 1 : 0) >= y.size());
}

namespace {

// "a/finger.stl" -> "finger".
std::string_view StemOf(std::string_view uri) {
  const std::string_view name = uri.substr(uri.find_last_of("/\\:") + 1);
  return name.substr(0, name.rfind('.'));
}

// As names of USD spell it.
std::string AsIdentifier(std::string_view name) {
  std::string spelt(name);
  for (char& c : spelt)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return spelt;
}

// Files of one name are told apart by numbers, and so are the parts of a mesh: name_2, name_1_2.
bool HasNameOf(std::string_view held, std::string_view named) {
  std::string stem = AsIdentifier(StemOf(held));
  const std::string asked = AsIdentifier(StemOf(named));
  while (stem != asked) {
    const std::size_t end = stem.find_last_not_of("0123456789");
    if (end == std::string::npos || end == 0 || end + 1 == stem.size() || stem[end] != '_')
      return false;
    stem.resize(end);
  }
  return true;
}

// Files that may have colours of their own, and that nobody here decodes.
bool MayHaveColours(const Mesh& mesh) {
  const std::string end = ExtensionOf(mesh.uri);
  return !mesh.content && end != ".stl" && end != ".obj" && end != ".msh";
}

}  // namespace

bool IsPartOf(const Mesh& part, const Mesh& whole) { return HasNameOf(part.uri, whole.uri); }

bool HoldsPartOf(const Mesh& held, const Mesh& file) {
  return held.content && MayHaveColours(file) && IsPartOf(held, file);
}

namespace {

// Corner by corner; nothing where there is nothing to compare with.
std::optional<bool> HasTrianglesOf(const Mesh& held, const Mesh& named, const Compared& sides) {
  const auto& open = sides.options_.mesh_file;
  const std::optional<std::string> file = open ? open(named.uri) : std::nullopt;
  std::string why;
  const auto there = file ? DecodeMesh(named.uri, *file, why) : std::nullopt;
  const auto here = there ? DecodeMesh(held.uri, *held.content, why) : std::nullopt;
  if (!there) return std::nullopt;
  if (!here || here->faces.size() != there->faces.size()) return false;
  for (std::size_t i = 0; i < here->faces.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k)
      if (here->vertices[here->faces[i][k]] != there->vertices[there->faces[i][k]]) return false;
  return true;
}

}  // namespace

bool SameMesh(const Mesh& a, const Mesh& b, const Compared& sides) {
  if (a.content && b.content) return *a.content == *b.content;
  if (!a.content && !b.content) return SameFile(a.uri, b.uri, sides);
  if (!sides.Converted()) return false;
  const Mesh& held = a.content ? a : b;
  const Mesh& named = a.content ? b : a;
  return HasNameOf(held.uri, named.uri) && HasTrianglesOf(held, named, sides).value_or(true);
}

}  // namespace kinemorph::verify

#include "verify/compared.h"

#include <algorithm>
#include <optional>

#include "kinemorph/formats/mesh_file.h"

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
  // Ten times the length, as RelativeError is no finer than 1e-5 of its scale.
  for (int i = 0; i < 3; ++i) error = std::max(error, RelativeError(a.p[i], b.p[i], 10 * length));
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
  // The second mesh of a name is read as name_2.
  const auto stem = [](const std::string& uri) {
    const std::string name = uri.substr(uri.find_last_of("/\\:") + 1);
    const std::string whole = name.substr(0, name.rfind('.'));
    const std::size_t end = whole.find_last_not_of("0123456789");
    const bool counted =
        end != std::string::npos && end > 0 && end + 1 < whole.size() && whole[end] == '_';
    return counted ? whole.substr(0, end) : whole;
  };
  if (a.content && b.content) return *a.content == *b.content;
  if (a.content || b.content)
    return sides.Converted() &&
           (a.content ? HasTrianglesOf(a, b, sides) : HasTrianglesOf(b, a, sides))
               .value_or(stem(a.uri) == stem(b.uri));
  return SameFile(a.uri, b.uri, sides);
}

}  // namespace kinemorph::verify

// The points of one body while it is being built.
#pragma once

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinemorph/graph/base/unique_names.h"
#include "mbs_file.h"

namespace kinemorph::mbs {

class BodyPoints {
 public:
  BodyPoints() { names_.Add("origin"); }

  void Keep(FilePoint point) {
    names_.Add(point.name);
    index_.emplace(point.name, points_.size());
    points_.push_back(std::move(point));
  }

  /// Adds a point; its name is made unique in this body. Returns the name.
  const std::string& AddUnique(FilePoint point) {
    point.name = names_.Take(point.name.empty() ? "point" : point.name);
    Keep(std::move(point));
    return points_.back().name;
  }

  /// The name of a point at p: `before` if there is such a point there still, the origin, or a new
  /// point.
  std::string At(const Vector3& p, const std::string& wanted, const std::string* before = nullptr) {
    const auto found = before ? index_.find(*before) : index_.end();
    if (found != index_.end() && (points_[found->second].p - p).cwiseAbs().maxCoeff() <= 1e-14)
      return *before;
    if (p == Vector3::Zero()) return "origin";
    FilePoint point;
    point.name = wanted;
    point.p = p;
    return AddUnique(std::move(point));
  }

  /// The origin as a point of its own: declared only to carry a sensor or a force.
  FilePoint& DeclaredOrigin() {
    const auto found = index_.find("origin");
    if (found != index_.end()) return points_[found->second];
    FilePoint origin;
    origin.name = "origin";
    Keep(std::move(origin));
    return points_.back();
  }

  /// A declared origin stands first; then the order of adding.
  [[nodiscard]] std::vector<FilePoint> Take() && {
    std::stable_partition(points_.begin(), points_.end(),
                          [](const FilePoint& point) { return point.name == "origin"; });
    return std::move(points_);
  }

 private:
  std::vector<FilePoint> points_;
  std::unordered_map<std::string, std::size_t> index_;
  UniqueNames names_;  // the origin's too, which is declared only where it is needed
};

}  // namespace kinemorph::mbs

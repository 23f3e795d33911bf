// What an SDFormat text says in world axes at zero, by libsdformat and by our reader, in the same
// words.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kinemorph/graph/model/model.h"

namespace kinemorph::test {

struct AxisFacts {
  Vector3 axis = Vector3::Zero();
  JointAxis properties;
};
struct JointFacts {
  std::string type, parent, child;
  Vector3 anchor = Vector3::Zero();
  std::vector<AxisFacts> axes;
};
struct LinkFacts {
  RigidTransform X_W;
  SpatialInertia inertia;
  std::size_t visuals = 0, collisions = 0;
};

/// Names as libsdformat gives them: `model::link` in a world, `link` in a file of one model.
/// Gearbox joints are only counted.
struct SdfFacts {
  bool ok = false;     ///< read without errors
  std::string errors;  ///< the first few
  std::map<std::string, LinkFacts> links;
  std::map<std::string, JointFacts> joints;
  std::map<std::string, RigidTransform> frames;
  std::size_t gearboxes = 0;
};

/// Folder (or file) for an include uri without its scheme; empty when unknown.
using FindUri = std::function<std::string(const std::string&)>;

[[nodiscard]] bool HaveLibsdformat();
[[nodiscard]] SdfFacts FactsOfFile(const std::string& path, const FindUri& find);
[[nodiscard]] SdfFacts FactsOfText(const std::string& text);
[[nodiscard]] SdfFacts FactsOfModel(const Model& model);

/// Empty when both say the same to `tolerance` (relative above 1).
[[nodiscard]] std::string Differences(const SdfFacts& ours, const SdfFacts& theirs,
                                      double tolerance = 1e-9);

}  // namespace kinemorph::test

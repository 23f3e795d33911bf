#include <algorithm>
#include <iterator>

#include "kinemorph/graph/checks/feature.h"

namespace kinemorph {

std::string_view Name(Weight weight) {
  switch (weight) {
    case Weight::kLooks:
      return "looks";
    case Weight::kInterface:
      return "interface";
    case Weight::kMotion:
      break;
  }
  return "motion";
}

Weight WeightOf(Feature feature, SubjectKind kind) {
  using enum Feature;
  static constexpr Feature kLooks[] = {kVisual, kMaterialColor, kMaterialTexture, kMaterialLighting,
                                       kTransparency};
  static constexpr Feature kInterface[] = {
      kIndependent, kSeveralModels,  kNestedModel,     kFrame,  kNameClash,        kReservedName,
      kCalibration, kPositionOffset, kInitialPosition, kSensor, kContactExclusion, kNativeData};
  static constexpr Feature kShapes[] = {
      kShapeBox,   kShapeSphere, kShapeCylinder,  kShapeCapsule, kShapeCone,     kShapeEllipsoid,
      kShapePlane, kShapeMesh,   kShapeMeshScale, kShapeSubmesh, kShapePolyline, kShapeNative};
  const auto among = [&](const auto& features) {
    return std::find(std::begin(features), std::end(features), feature) != std::end(features);
  };
  if (among(kLooks) || (kind == SubjectKind::kVisual && among(kShapes))) return Weight::kLooks;
  return among(kInterface) ? Weight::kInterface : Weight::kMotion;
}

}  // namespace kinemorph

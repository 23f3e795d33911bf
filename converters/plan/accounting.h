// The conservation law: what a model holds before lowering is in the model afterwards, or the
// report says what became of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kinemorph/converters/loss_report.h"

namespace kinemorph {

/// Every link, joint, coupling, frame, visual, collision, sensor, actuator, exclusion and native
/// text of a model, what is said of joint coordinates, materials, meshes and surfaces, and masses,
/// as taken before the passes run.
///
/// An element is known by its origin, whatever it is called afterwards and wherever it stands. Mass
/// may move to another link, and no kilogram goes.
class Inventory {
 public:
  /// Of a model with numbered elements (NumberElements). Linear.
  explicit Inventory(const Model& model);

  struct Item {
    SubjectKind kind = SubjectKind::kModel;
    Feature feature = Feature::kCount;  ///< what is said of the element; kCount: the element itself
    std::string name;
    SourceLocation where;
  };

  /// The items that are neither in `now`, which was made of the model, nor lost nor lowered. Linear.
  [[nodiscard]] std::vector<Item> Unaccounted(const Model& now, const LossReport& report) const;

 private:
  struct Listed {
    bool there = false;  // to be accounted for
    SubjectKind kind = SubjectKind::kModel;
    std::string name;
    SourceLocation where;
    std::uint32_t owner = 0;  // of native text: the origin of what it belongs to
    FeatureSet said;
  };
  std::vector<Listed> listed_;  // by origin; the first is the model
  double mass_ = 0;             // kg, of the whole model
};

/// "damping of joint 'knee'".
[[nodiscard]] std::string Text(const Inventory::Item& item);

}  // namespace kinemorph

// The conservation law: what a model holds before lowering is in the model afterwards, or the
// report says what became of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/converters/loss_report.h"

namespace kinemorph {

/// Every link, joint, coupling, frame, visual, collision, sensor, actuator, exclusion and native
/// text of a model, what is said of joint coordinates, materials, meshes and surfaces, and masses,
/// as taken before the passes run.
///
/// An item is known again by its name (through the report's renames) and its place in the source,
/// which moves and copies keep; of several alike, as many as are missing must be lost. Mass may
/// move to another link, and no kilogram goes.
class Inventory {
 public:
  /// Linear.
  explicit Inventory(const Model& model);

  struct Item {
    SubjectKind kind;
    Feature feature;  ///< what is said of the element; kCount: the element itself
    std::string name;
    SourceLocation where;
    std::size_t owner;  ///< of native text: the item that it belongs to; kNobody
  };
  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

  /// The items that are neither in `now` nor lost nor lowered by name. Linear but for hashing.
  [[nodiscard]] std::vector<Item> Unaccounted(const Model& now, const LossReport& report) const;

 private:
  std::vector<Item> items_;
  double mass_ = 0;  // kg, of the whole model
};

/// "damping of joint 'knee'".
[[nodiscard]] std::string Text(const Inventory::Item& item);

}  // namespace kinemorph

// The text of a stage: prims, attributes and relationships, in the layout of `usdcat`, which every
// parser reads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/graph/base/spatial.h"
#include "kinemorph/graph/base/unique_names.h"

namespace kinemorph::usd {

/// @{
/// Values as they stand behind "=". Numbers are the shortest that read back as the same double; what
/// is too small for single precision is 0, as parsers refuse it.
[[nodiscard]] std::string Number(double value);
[[nodiscard]] std::string Tuple(const Vector3& v);
[[nodiscard]] std::string Quaternion(const Matrix3& R);  ///< (w, x, y, z)
[[nodiscard]] std::string Quoted(std::string_view text);
[[nodiscard]] std::string Asset(std::string_view file);  ///< a name from the layer's folder on
[[nodiscard]] std::string Path(std::string_view prim);   ///< <...>
[[nodiscard]] std::string List(const std::vector<std::string>& items);
[[nodiscard]] std::string Boolean(bool value);
/// @}

/// Whether Asset can say the name of a file at all.
[[nodiscard]] bool IsAsset(std::string_view file);

/// A legal name of a prim, as like `name` as can be; `otherwise` where nothing of it is left.
[[nodiscard]] std::string PrimName(std::string_view name, const char* otherwise);

/// The names of prims for things with these names: identifiers stay, others become like them, and
/// step aside.
[[nodiscard]] std::vector<std::string> PrimNames(const std::vector<std::string>& names,
                                                 const char* otherwise, UniqueNames& taken);

/// What stands in parentheses behind the name of a prim.
struct PrimHead {
  std::vector<std::string> apis = {};  ///< applied schemas
  std::string reference = {};          ///< a file whose default prim this one is; may be empty
  std::string shown = {};              ///< its name for people, where that is not the prim's
};

/// A stage that is being written.
class UsdaText {
 public:
  /// The head of the layer: metres, kilograms, z up.
  explicit UsdaText(std::string_view default_prim);

  /// Begins a prim; `type` may be empty where a reference gives it.
  void Open(std::string_view type, std::string_view name, const PrimHead& head = {});
  void Close();  ///< Ends the innermost prim that is open.
  /// "float physics:mass" and its value.
  void Set(std::string_view declaration, std::string_view value);
  /// An attribute without a value: the output of a shader.
  void Declare(std::string_view declaration) { Line(declaration); }
  /// A relationship; several targets are a list.
  void Relate(std::string_view name, const std::vector<std::string>& prims);
  /// The pose of a prim in its parent's frame, with a scale behind it where that is not 1.
  void Place(const RigidTransform& X, const Vector3& scale = Vector3::Ones());

  /// All that was written.
  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  void Line(std::string_view line);
  std::string text_;
  std::size_t depth_ = 0;
};

}  // namespace kinemorph::usd

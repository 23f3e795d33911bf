// The six tables of a crate: words, fields with the places of their values, paths, specs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "crate/decoding.h"

namespace kinemorph::usd {

inline constexpr std::uint32_t kNone = 0xffffffff;  ///< no path, no spec

/// What a spec describes (pxr/usd/sdf/types.h).
enum class SpecForm : std::uint32_t {
  kAttribute = 1,
  kPrim = 6,
  kLayer = 7,
  kRelationship = 8,
  kVariant = 10,
  kVariantSet = 11
};

/// A field of a spec.
struct CrateField {
  std::uint32_t name = 0;   ///< a token
  std::uint64_t value = 0;  ///< its representation (crate/values.h)
};
/// A prim, a property or a variant, by what it is below its parent.
struct CratePath {
  std::uint32_t parent = kNone, token = 0, depth = 0;
  std::uint32_t first = kNone, next = kNone;  ///< its children, in no order that counts
  std::uint32_t spec = kNone;
  bool property = false, known = false;
};
/// Its fields begin at `fields` of the list of them.
struct CrateSpec {
  std::uint32_t path = 0, fields = 0;
  SpecForm form = SpecForm::kPrim;
};

/// The tables of a file, with all indices checked.
class CrateTables {
 public:
  /// `decoding` has the fault where one is found; then the tables are not to be used.
  explicit CrateTables(Decoding& decoding);
  CrateTables(const CrateTables&) = delete;
  CrateTables& operator=(const CrateTables&) = delete;

  [[nodiscard]] Decoding& decoding() const { return decoding_; }
  [[nodiscard]] int minor() const { return minor_; }  ///< of the version 0.MINOR
  [[nodiscard]] std::uint32_t root() const {
    return root_;
  }  ///< the path "/"; kNone: there is none
  [[nodiscard]] const std::vector<CratePath>& paths() const { return paths_; }
  [[nodiscard]] const std::vector<CrateSpec>& specs() const { return specs_; }
  [[nodiscard]] std::vector<CrateField> FieldsOf(const CrateSpec& spec) const;
  /// @{
  /// By its number; nothing, and a fault, where there is none.
  [[nodiscard]] std::string_view Token(std::uint64_t index) const;
  [[nodiscard]] std::string_view String(std::uint64_t index) const;
  [[nodiscard]] std::string PathText(std::uint64_t index) const;
  /// @}
  /// The children of a path, properties or others, by their names.
  [[nodiscard]] std::unordered_map<std::string_view, std::uint32_t> Children(std::uint32_t path,
                                                                             bool properties) const;

 private:
  bool ReadSections();
  bool ReadTokens(Cursor from);
  bool ReadStrings(Cursor from);
  bool ReadFields(Cursor from);
  bool ReadFieldSets(Cursor from);
  bool ReadPaths(Cursor from);
  bool AddPath(std::uint32_t path, std::uint32_t parent, std::uint32_t element, std::uint64_t at);
  bool ReadSpecs(Cursor from);

  Decoding& decoding_;
  int minor_ = 0;
  std::uint32_t root_ = kNone;
  std::string words_;
  std::vector<std::string_view> tokens_;
  std::vector<std::uint32_t> strings_, field_sets_;
  std::vector<CrateField> fields_;
  std::vector<CratePath> paths_;
  std::vector<CrateSpec> specs_;
};

}  // namespace kinemorph::usd

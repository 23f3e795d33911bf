// One layer of USD's text: its prims with their properties, as written; nothing is composed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"

namespace kinemorph::usd {

/// The number of a prim in Layer::prims.
using PrimId = std::uint32_t;
inline constexpr PrimId kNoPrim = 0xffffffff;  ///< none

/// An attribute or a relationship. Its values stay text: meshes can be large.
struct Property {
  std::string_view name;                    ///< "physics:mass"
  std::string_view type;                    ///< "float", "token"; of a relationship empty
  std::optional<std::string_view> value;    ///< as written; absent: none is
  std::optional<std::string_view> connect;  ///< what it is connected to
  std::uint32_t line = 0;                   ///< from 1
  bool samples = false;                     ///< it has a value at times only
  mutable bool used = false;                ///< somebody asked for it
};

/// A composition arc, which a reader of one layer cannot follow.
struct Arc {
  std::string_view kind;   ///< "references", "payload", "variantSets" ...
  std::string_view value;  ///< as written
  std::uint32_t line = 0;  ///< from 1
};

/// A node of the scene.
struct Prim {
  std::string_view specifier;        ///< "def", "over", "class"
  std::string_view type;             ///< "Xform"; may be empty
  std::string_view name;             ///< unique among its siblings
  std::string display_name;          ///< what a user is shown; may be empty
  PrimId parent = kNoPrim;           ///< which it stands in
  PrimId first = kNoPrim,            ///< its first child
      last = kNoPrim,                ///< its last child
      next = kNoPrim;                ///< its next sibling
  std::vector<std::string> apis;     ///< applied schemas, "PhysicsDriveAPI:angular"
  std::vector<Arc> arcs;             ///< may be empty
  std::vector<Property> properties;  ///< by name
  bool active = true;                ///< false: it and all below is switched off
  bool custom_data = false;          ///< it carries data of some program
  std::uint32_t line = 0;            ///< from 1
  /// Whether that schema is applied.
  [[nodiscard]] bool Has(std::string_view api) const;
  /// The property of that name, which is used then, or null.
  [[nodiscard]] const Property* Find(std::string_view property) const;
};

/// A file of USD.
class Layer {
 public:
  std::vector<Prim> prims;                  ///< parents before children, in the order of the text
  std::string default_prim;                 ///< its name; may be empty
  std::optional<double> metres, kilograms;  ///< per unit; absent: not written
  std::string up_axis;                      ///< "Y", "Z"; empty: not written
  std::vector<Arc> arcs;                    ///< sublayers

  /// The prim at a path from the root, "/robot/base"; kNoPrim: there is none. `from` is where a
  /// relative one begins.
  [[nodiscard]] PrimId FindPath(std::string_view path, PrimId from = kNoPrim) const;
  /// The child of that name; kNoPrim: there is none.
  [[nodiscard]] PrimId FindChild(PrimId parent, std::string_view name) const;
  /// Adds a prim to its parent; false where it has a sibling of that name.
  bool Add(Prim prim);
  /// "/robot/base".
  [[nodiscard]] std::string PathOf(PrimId prim) const;

 private:
  struct Key {
    PrimId parent;
    std::string_view name;
    friend bool operator==(const Key& a, const Key& b) {
      return a.parent == b.parent && a.name == b.name;
    }
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return std::hash<std::string_view>()(key.name) * 31 + key.parent;
    }
  };
  std::unordered_map<Key, PrimId, Hash> by_name_;
  PrimId last_root_ = kNoPrim;
};

/// Who says what of a file.
struct Reporter {
  Diagnostics& diagnostics;
  std::string file;   ///< as the user named it
  bool lines = true;  ///< false: it is binary, and its text is none that the user has
  /// A message about a line.
  Diagnostic& Say(Severity severity, const char* code, std::uint32_t line,
                  Statement statement) const;
};

/// The command that makes one text without arcs of a stage.
[[nodiscard]] std::string FlattenCommand(const std::string& file);

/// Parses a text, which must outlive the layer. After an error, which `report` has, nothing.
/// Linear in time and memory; prims and values nest up to a bound.
[[nodiscard]] std::optional<Layer> ParseLayer(std::string_view text, const Reporter& report);

}  // namespace kinemorph::usd

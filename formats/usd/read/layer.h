// One layer of USD's text: its prims with their properties. As written it is what `compose/` takes,
// composed it is what the rest of this folder reads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
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
  std::string_view edit;                    ///< of a list as written: "prepend", "delete" ...
  std::uint32_t line = 0;                   ///< of all layers: see Reporter
  bool samples = false;                     ///< it has a value at times only
  mutable bool used = false;                ///< somebody asked for it
};

/// Metadata that composition asks for: arcs, lists of schemas, choices of variants.
struct Edit {
  std::string_view field;  ///< "references", "apiSchemas", "variants" ...
  std::string_view edit;   ///< "prepend", "append", "add", "delete", "reorder"; empty: all of it
  std::string_view value;  ///< as written
  std::uint32_t line = 0;  ///< of all layers
};

/// A composition arc that could not be followed.
struct Arc {
  std::string_view kind;   ///< "references", "payload" ...
  std::string file;        ///< as the main file would name it; empty: the arc stays in its layers
  std::string prim;        ///< a path; empty: the default prim
  std::string why;         ///< what is wrong with it
  std::uint32_t line = 0;  ///< of all layers
};

/// What a prim is with one choice of a set of variants.
struct Variant {
  std::string_view set, name;
  PrimId content;  ///< a prim that no other one lists
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
  std::vector<std::string> apis;     ///< composed: applied schemas, "PhysicsDriveAPI:angular"
  std::vector<Edit> edits;           ///< as written
  std::vector<Variant> variants;     ///< as written
  std::vector<Arc> arcs;             ///< composed: may be empty
  std::vector<Property> properties;  ///< by name; as written one may stand there many times
  std::optional<bool> active;        ///< false: it and all below is switched off
  std::optional<bool> instanceable;  ///< true: what is below it comes from its arcs alone
  bool custom_data = false;          ///< it carries data of some program
  std::uint32_t line = 0;            ///< of all layers
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
  std::vector<Edit> edits;                  ///< as written: sublayers, relocates

  /// The prim at a path from the root, "/robot/base"; kNoPrim: there is none. `from` is where a
  /// relative one begins.
  [[nodiscard]] PrimId FindPath(std::string_view path, PrimId from = kNoPrim) const;
  /// The child of that name; kNoPrim: there is none.
  [[nodiscard]] PrimId FindChild(PrimId parent, std::string_view name) const;
  /// Adds a prim to its parent; false where it has a sibling of that name.
  bool Add(Prim prim);
  /// Adds what the prim is with a variant.
  PrimId AddVariant(PrimId prim, std::string_view set, Prim content);
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

/// A layer for messages. Lines of all layers are counted in one row, so that a line alone says where
/// something stands.
struct Source {
  std::string file;         ///< its name
  std::uint32_t first = 0;  ///< its lines are those behind this one
  bool lines = true;        ///< false: it is binary, and its text is none that the user has
};

/// Who says what of a stage.
struct Reporter {
  Diagnostics& diagnostics;
  std::string file;                  ///< the main one, as the user named it
  std::vector<Source> sources = {};  ///< in the order of their lines; the first is the main file
  /// The file, by its place among the sources, and the line in it.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> PlaceOf(std::uint32_t line) const;
  /// A message about a line of all layers.
  Diagnostic& Say(Severity severity, const char* code, std::uint32_t line,
                  Statement statement) const;
};

/// The command that makes one text without arcs of a stage.
[[nodiscard]] std::string FlattenCommand(const std::string& file);

/// Parses the text of the last source, which must outlive the layer. After an error, which `report`
/// has, nothing. Linear in time and memory; prims and values nest up to a bound.
[[nodiscard]] std::optional<Layer> ParseLayer(std::string_view text, const Reporter& report);

}  // namespace kinemorph::usd

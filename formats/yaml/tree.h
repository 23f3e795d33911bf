// A YAML document as a tree of plain values with lines: the only file that sees yaml-cpp's events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"

namespace kinemorph::yaml {

enum class Kind { kNull, kScalar, kList, kMap };

/// A value. Anchors that are used again share theirs: children are positions in Tree::nodes.
struct Node {
  Kind kind = Kind::kNull;
  std::uint32_t line = 0;
  std::string text;                     ///< of a scalar
  std::vector<std::string> keys;        ///< of a map, by child
  std::vector<std::uint32_t> children;  ///< of a list or map
};

struct Tree {
  std::vector<Node> nodes;  ///< [0] is the root; empty: an empty document
};

inline constexpr std::size_t kMostBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMostLevels = 32;
inline constexpr std::size_t kMostValues = 1'000'000;

/// The first document of `text`. Nothing, with an error of file and line, where it is no YAML, is
/// beyond the bounds above, has a key twice in one map, or goes round in a circle.
[[nodiscard]] std::optional<Tree> ReadTree(std::string_view text, const std::string& file,
                                           Diagnostics& diagnostics);

}  // namespace kinemorph::yaml

// What a piece of XML that is kept says, leaf by leaf, and the same with other words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/graph/model/native_data.h"

namespace kinemorph::xml {

/// An element without child elements.
struct Leaf {
  std::string path;   ///< names from below the piece's own: "friction/ode/mu"
  std::string text;   ///< trimmed
  bool plain = true;  ///< no attributes
};
/// Those of the piece, in order; without any where it has no child elements. An element without
/// children, text or attributes says nothing and is none.
[[nodiscard]] std::vector<Leaf> LeavesOf(const NativeElement& piece);
/// The text of the first leaf of that path; empty where there is none.
[[nodiscard]] std::string LeafText(const std::vector<Leaf>& leaves, std::string_view path);
/// Gives the piece this text at the path, whose elements are made where they are missing.
void SetLeaf(NativeElement& piece, std::string_view path, std::string_view text);

}  // namespace kinemorph::xml

// Text of one format in a spelling of its own: what is left is what it says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kinemorph::verify {

/// An XML fragment with its attributes sorted, numbers in their shortest form, white space and
/// comments gone, entities resolved; angles of rpy="..." and <pose> without whole turns.
[[nodiscard]] std::string Canonical(std::string_view xml);

/// Canonical text of one element without its children of that name.
[[nodiscard]] std::string WithoutChildren(std::string_view canonical, std::string_view name);

/// Whether canonical text `whole` has all that `part` has, element in element and in its order; it
/// may have more. `zeros_say_nothing`: a number that is zero in `part` may also be absent there.
/// `lost`: canonical texts of elements that may be absent, too; `<text>...</>` is text between
/// them.
[[nodiscard]] bool SaysAllOf(std::string_view whole, std::string_view part, bool zeros_say_nothing,
                             const std::vector<std::string>& lost = {});

}  // namespace kinemorph::verify

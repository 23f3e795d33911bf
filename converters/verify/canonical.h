// Text of one format in a spelling of its own: what is left is what it says.
#pragma once

#include <string>
#include <string_view>

namespace kinemorph::verify {

/// An XML fragment with its attributes sorted, numbers in their shortest form, white space and
/// comments gone, entities resolved.
[[nodiscard]] std::string Canonical(std::string_view xml);

/// Canonical text of one element without its children of that name.
[[nodiscard]] std::string WithoutChildren(std::string_view canonical, std::string_view name);

/// Canonical text without the elements that hold the number zero, and without those that held
/// nothing else.
[[nodiscard]] std::string WithoutZeros(std::string_view canonical);

}  // namespace kinemorph::verify

// NativeData of MJCF elements with defaults folded in and angles in radians, so that it means the same anywhere.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "defaults.h"

namespace kinemorph::mjcf {

using AttributeList = std::vector<std::pair<std::string, std::string>>;

/// An element of `kind` with these attributes and, verbatim, the children of `children_of` (none when it is absent).
[[nodiscard]] NativeData MakeNative(const xml::Element& origin, std::string_view kind, const AttributeList& attributes,
                                    bool with_children = false);
/// The attributes in force, those in `without` left out.
[[nodiscard]] AttributeList AttributesExcept(const Attributes& attributes, std::initializer_list<std::string_view> without);
/// Only those in `only` that are in force.
[[nodiscard]] AttributeList AttributesOnly(const Attributes& attributes, std::initializer_list<std::string_view> only);
/// The attributes of the element `native` holds, entities resolved.
[[nodiscard]] AttributeList AttributesOf(const NativeData& native);
/// The attributes of the MJCF `element` among `natives`; none when there is no such element.
[[nodiscard]] AttributeList NativeAttributes(const std::vector<NativeData>& natives, std::string_view element);
/// Sets or replaces one attribute.
void SetAttribute(AttributeList& attributes, std::string_view name, std::string value);

}  // namespace kinemorph::mjcf

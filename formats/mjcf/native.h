// NativeData of MJCF elements with defaults folded in and angles in radians, so that it means the
// same anywhere.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "read/defaults.h"

namespace kinemorph::mjcf {

/// Native element of a revolute loop: what the second of its two connects says for itself; idle where
/// that is what the first says.
inline constexpr std::string_view kAxisEquality = "equality_axis";
/// An attribute of it that no file has: how far it is from the first (m), which is part of how soft
/// the loop is.
inline constexpr const char* kLever = "lever";

/// Native element of a coupling that was read from an equality of two tendons: its words for them.
/// Never content: the coupling says the same, but MuJoCo weighs the two apart.
inline constexpr std::string_view kTwoTendons = "equality_tendons";

/// An element of `kind` with these attributes and, on request, the children of `origin`.
[[nodiscard]] NativeData MakeNative(const xml::Element& origin, std::string_view kind,
                                    const AttributeList& attributes, bool with_children = false);
/// An element that no writer can put back, as it makes what was not read: a loss for every target.
[[nodiscard]] NativeData Unread(const xml::Element& element);
/// The attributes in force, those in `without` left out.
[[nodiscard]] AttributeList AttributesExcept(const Attributes& attributes,
                                             std::initializer_list<std::string_view> without);
/// Only those in `only` that are in force.
[[nodiscard]] AttributeList AttributesOnly(const Attributes& attributes,
                                           std::initializer_list<std::string_view> only);
/// As hard as MuJoCo holds an equality at its default step of 2 ms: how loops and couplings are
/// written that come from formats that hold them exactly.
[[nodiscard]] const AttributeList& HardEquality();
/// The same of a weld.
[[nodiscard]] const AttributeList& HardWeld();
/// What an equality says for itself, as `kind`. Of a hard one other formats lose nothing.
[[nodiscard]] NativeData MakeSoftness(const xml::Element& origin, std::string_view kind,
                                      const AttributeList& attributes);
/// Those in force that the schema keeps of an element.
[[nodiscard]] AttributeList KeptAttributes(const Attributes& attributes, std::string_view element);
/// The attributes of the MJCF `element` among `natives`; none when there is no such element.
[[nodiscard]] AttributeList NativeAttributes(const std::vector<NativeData>& natives,
                                             std::string_view element);
/// The upper end of a range that holds a joint at its lower end: what readers in single precision
/// see as another number, behind the subtraction of `ref` too.
[[nodiscard]] double EndOfLock(double lower, double ref);
/// The cameras of a model that is read become sensors, kept behind the others.
void TakeCameras(Model& model);
/// `R` as the value of a quat attribute.
[[nodiscard]] std::string QuaternionText(const Matrix3& R);

/// Format::respell: softness of limits and contacts with all its numbers.
void RespellSoftness(NativeElement& element);

}  // namespace kinemorph::mjcf

// The registry of formats: a literal list.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "kinemorph/formats/format.h"

namespace kinemorph {

/// urdf, urdf+, sdf, mjcf, mbs. Lives as long as the program.
[[nodiscard]] const std::vector<Format>& AllFormats();

/// "sdf" or "sdf@1.9": the format and, in `version`, what stands after the @. Null when unknown (or
/// the version cannot be written).
[[nodiscard]] const Format* FindFormat(std::string_view name, std::string& version);
/// The same where the version does not matter.
[[nodiscard]] const Format* FindFormat(std::string_view name);

/// By the root element of `text` (trusted over the name), then the extension of `file_name`. URDF
/// text with loops or couplings is "urdf+". A root that contradicts the extension gives a warning.
/// Null with an error when nothing fits.
[[nodiscard]] const Format* DetectFormat(std::string_view text, std::string_view file_name,
                                         Diagnostics& diagnostics);

/// The default profile of every format has no name in WriteOptions, and this one for users.
inline constexpr std::string_view kDefaultProfile = "reference";

/// The dialect of `format` that is the profile of that name; null where it has none.
[[nodiscard]] const Dialect* FindProfile(const Format& format, std::string_view name);

/// The names of all profiles of all formats, kDefaultProfile first.
[[nodiscard]] std::vector<std::string_view> AllProfiles();

/// As WriteOptions has it: empty for kDefaultProfile and for what is no profile's name.
[[nodiscard]] std::string ProfileNamed(std::string_view name);

/// The first format whose content is of that family ("usd"); null: none is.
[[nodiscard]] const Format* FormatOfFamily(std::string_view family);

/// What the words of a sensor say beyond its fields, as text of its format; nothing: no more.
[[nodiscard]] std::optional<NativeData> BeyondFields(const Sensor& sensor);
/// Likewise of a drive, where other formats have a word for it.
[[nodiscard]] std::optional<NativeData> BeyondFields(const Actuator& drive);

/// By extension alone, for output files. Null when unknown.
[[nodiscard]] const Format* FormatForExtension(std::string_view file_name);

}  // namespace kinemorph

// What is promised of any text, for fuzz targets and for the tests that replay what they found.
#pragma once

#include <string>
#include <string_view>

namespace kinemorph::fuzz {

/// Read as `format` ("urdf", "sdf", "mjcf", "mbs", "usda"), with itself as a file that it may include: a
/// model that validates and can be dumped and converted, or errors. Returns the promise that was
/// broken, empty when none was.
[[nodiscard]] std::string Read(std::string_view format, std::string_view text);

/// Parsed as XML: every element can be walked, and what is not consumed is told.
[[nodiscard]] std::string Parse(std::string_view text);

/// Expanded as xacro, with itself as the file that it includes: well-formed XML with a place for
/// each line, or an error that has one.
[[nodiscard]] std::string Expand(std::string_view text);

/// Read as whatever it looks like, written in every format, read again: what was written is read
/// without an error, is what was there except for what the report says, and is written again as it
/// is.
[[nodiscard]] std::string RoundTrip(std::string_view text);

}  // namespace kinemorph::fuzz

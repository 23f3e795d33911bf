// Files on disk, read whole (library kinemorph::files).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace kinemorph {

/// The bytes of a regular file ("-" is standard input). A pipe, a device or a folder is refused at
/// once, never waited for. Nothing, and the reason in `why`, when the file cannot be read or is larger
/// than 2 GiB.
[[nodiscard]] std::optional<std::string> ReadWhole(const std::string& path, std::string& why);

/// "a folder", "a pipe", "a socket", "a device": what stands there in place of a file, by the mode
/// that stat gives.
[[nodiscard]] std::string KindOfFile(unsigned mode);

/// The first bytes of a file; less where it is shorter, nothing where the file cannot be read.
[[nodiscard]] std::string ReadStart(const std::string& path,
                                    std::size_t bytes = std::size_t{1} << 16);

}  // namespace kinemorph

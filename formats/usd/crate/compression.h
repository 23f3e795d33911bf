// Compressed parts of a crate: blocks of LZ4, and differences of integers in two bits and more.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crate/decoding.h"

namespace kinemorph::usd {

/// The next `packed` bytes, unpacked: one block of LZ4, or several with their lengths before them.
/// Nothing, and a fault, where they hold more than `most` bytes.
[[nodiscard]] std::string Unpacked(Cursor& from, std::uint64_t packed, std::uint64_t most);

/// @{
/// The next `count` integers: the size of what they are packed in, and that. Whether all is well.
bool ReadIntegers(Cursor& from, std::uint64_t count, std::vector<std::uint32_t>& out);
bool ReadIntegers(Cursor& from, std::uint64_t count, std::vector<std::uint64_t>& out);
/// @}

}  // namespace kinemorph::usd

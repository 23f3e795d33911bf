// Which parts of an element somebody read: kept in the parser's user data, so that marking costs nothing.
#pragma once

#include <tinyxml2.h>

#include <cstdint>

namespace kinemorph::xml {

// Bit 0: the element was visited. Bits 1..61: its attributes by position. Bit 62: later attributes, together. Bit 63: the whole subtree.
inline constexpr std::uintptr_t kVisited = 1;
inline constexpr std::uintptr_t kAll = std::uintptr_t{1} << 63;

inline std::uintptr_t AttributeBit(unsigned index) { return std::uintptr_t{1} << (index < 61 ? index + 1 : 62); }
inline std::uintptr_t Marks(const tinyxml2::XMLElement& element) { return reinterpret_cast<std::uintptr_t>(element.GetUserData()); }
inline void Mark(tinyxml2::XMLElement& element, std::uintptr_t bits) {
  element.SetUserData(reinterpret_cast<void*>(Marks(element) | bits));
}

}  // namespace kinemorph::xml

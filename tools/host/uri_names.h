// Files that a mesh names by their addresses: buffers and pictures of glTF, pictures of COLLADA.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/asset_kinds.h"

namespace kinemorph::tools {

/// An address that stands in a text.
struct NamedAddress : NamedFile {
  std::string name;                   ///< of the file: what the address means
  std::optional<std::size_t> buffer;  ///< of a buffer of glTF: how many bytes it has
};

/// The buffers and pictures that a glTF file names; those that it holds itself (`data:`) are none.
[[nodiscard]] std::vector<NamedAddress> AddressesInGltf(std::string_view text);

/// The pictures that a COLLADA file names.
[[nodiscard]] std::vector<NamedAddress> AddressesInDae(std::string_view text);

/// The name of a file as an address that stands in JSON and XML as it is.
[[nodiscard]] std::string AddressOf(std::string_view name);

}  // namespace kinemorph::tools

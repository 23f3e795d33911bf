// Meshes, pictures, height fields and skins, by what they begin with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kinemorph::tools {

/// Why a file of this name and content is not copied as a mesh, a material library, a height field, a
/// skin or a picture; empty where it is one. Both the extension and the first bytes must be of the
/// kind, so that no link makes a copy of something else.
[[nodiscard]] std::string WhyNoAsset(std::string_view path, std::string_view bytes);

/// The same of a buffer of glTF, which has the bytes that the mesh says.
[[nodiscard]] std::string WhyNoBuffer(std::string_view path, std::string_view bytes,
                                      std::size_t length);

/// True where the name is of a mesh, of what goes with one, or of a picture.
[[nodiscard]] bool IsAssetName(std::string_view path);

/// A name of another file that stands in a text: `text.substr(at, size)`.
struct NamedFile {
  std::size_t at = 0, size = 0;
};

/// The material libraries that an OBJ file names, each line's as one name.
[[nodiscard]] std::vector<NamedFile> LibrariesOfObj(std::string_view text);

/// The pictures that a material library names.
[[nodiscard]] std::vector<NamedFile> PicturesOfMtl(std::string_view text);

}  // namespace kinemorph::tools

// Values of USD's text as numbers, words and paths.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kinemorph::usd {

/// One number, inf and nan among them; nothing where the text is another thing.
[[nodiscard]] std::optional<double> NumberIn(std::string_view value);
/// The numbers of tuples and lists, one behind the other; nothing where there is another thing or
/// more than `most`.
[[nodiscard]] std::optional<std::vector<double>> NumbersIn(std::string_view value,
                                                           std::size_t most);
/// true, false, 1, 0.
[[nodiscard]] std::optional<bool> BooleanIn(std::string_view value);
/// A string or a token, escapes resolved; nothing where the text is another thing.
[[nodiscard]] std::optional<std::string> StringIn(std::string_view value);
/// A string, or a list of them.
[[nodiscard]] std::vector<std::string> StringsIn(std::string_view value);
/// The path, or the list of them, without < and >.
[[nodiscard]] std::vector<std::string> PathsIn(std::string_view value);

/// The name of a file, with the prim in it where one is named.
struct AssetName {
  std::string file;  ///< empty: this one
  std::string prim;  ///< empty: its default prim
};
/// The file, or the list of them.
[[nodiscard]] std::vector<AssetName> AssetsIn(std::string_view value);

}  // namespace kinemorph::usd

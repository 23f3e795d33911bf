// Binary USD as text: what OpenUSD would write of the same layer. So that there is one reader of
// prims and properties, and one place where it is said what they mean.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crate/decoding.h"

namespace kinemorph::usd {

[[nodiscard]] bool IsCrate(std::string_view bytes);
[[nodiscard]] bool IsPackage(std::string_view bytes);

/// The layer of a crate (`decoding.file`) of version 0.4 to 0.14 as text: all prims, properties and
/// metadata in their order; of time samples the first, of splines that there is one. Nothing, and a
/// fault, where it is damaged.
[[nodiscard]] std::optional<std::string> TextOfCrate(Decoding& decoding);

/// A file in a package.
struct PackageFile {
  std::string_view name, bytes;
};
/// What lies in a package (.usdz): the first file is its root layer.
struct Package {
  std::vector<PackageFile> files;
  /// The file of that name, or null.
  [[nodiscard]] const PackageFile* Find(std::string_view name) const;
};
/// Looks into a zip of stored files. Nothing, and a fault, where that is not what it is.
[[nodiscard]] std::optional<Package> OpenPackage(Decoding& decoding);

}  // namespace kinemorph::usd

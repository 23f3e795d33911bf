// A .usdz package: a zip whose files are stored as they are, the first of which is the root layer.
#include <algorithm>

#include "crate/crate.h"

namespace kinemorph::usd {
namespace {

constexpr std::string_view kLocalHeader = "PK\x03\x04";

// Names that lead out of the package.
bool LeadsOut(std::string_view name) {
  return name.empty() || name[0] == '/' || name.find('\\') != std::string_view::npos ||
         name.find(':') != std::string_view::npos || name.starts_with("../") ||
         name.find("/../") != std::string_view::npos;
}

// The next file. Nothing, and a fault, where it cannot be taken as it lies.
std::optional<PackageFile> NextEntry(Cursor& from) {
  from.Bytes(kLocalHeader.size());
  from.Get<std::uint16_t>();  // the version that is needed
  const auto flags = from.Get<std::uint16_t>(), method = from.Get<std::uint16_t>();
  from.Bytes(8);  // time, day, checksum
  const auto packed = from.Get<std::uint32_t>(), size = from.Get<std::uint32_t>();
  const auto name_size = from.Get<std::uint16_t>(), extra = from.Get<std::uint16_t>();
  PackageFile entry;
  entry.name = from.Bytes(name_size);
  from.Bytes(extra);
  constexpr int kEncrypted = 1, kSizeBehind = 8;
  if (method != 0 || packed != size || (flags & (kEncrypted | kSizeBehind)) != 0)
    from.Fail("a file in the package is compressed or encrypted, which a .usdz must not have");
  else if (LeadsOut(entry.name))
    from.Fail("a file in the package has a name that leads out of it");
  entry.bytes = from.Bytes(size);
  return from.decoding().failed() ? std::nullopt : std::optional(entry);
}

}  // namespace

bool IsPackage(std::string_view bytes) { return bytes.starts_with(kLocalHeader); }

const PackageFile* Package::Find(std::string_view name) const {
  const auto found = std::find_if(files.begin(), files.end(),
                                  [&](const PackageFile& file) { return file.name == name; });
  return found == files.end() ? nullptr : &*found;
}

std::optional<Package> OpenPackage(Decoding& decoding) {
  Package package;
  Cursor from(decoding, 0);
  while (decoding.file.substr(Checked(from.at())).starts_with(kLocalHeader)) {
    const std::optional<PackageFile> entry = NextEntry(from);
    if (!entry) return std::nullopt;
    package.files.push_back(*entry);
  }
  return package;
}

}  // namespace kinemorph::usd

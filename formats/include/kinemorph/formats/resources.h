// How readers reach other files: includes, meshes, packages. Readers never open a file themselves.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace kinemorph {

/// A file that was found: its name for messages, and its bytes.
struct Resource {
  std::string path;     ///< for messages, and `from` for what it names in turn
  std::string content;  ///< all of it, as it stands
};

/// What OpenStart reads.
inline constexpr std::size_t kStartOfFile = 1024;

/// Resolves `package://`, `model://`, `file://` and relative uris.
class ResourceResolver {
 public:
  virtual ~ResourceResolver() = default;
  /// Opens `uri`, relative to the folder of the file `from` (a Resource::path or the main file's
  /// name). On failure returns nothing and says why in `why` ("not found", "leaves the model's
  /// folder", ...).
  [[nodiscard]] virtual std::optional<Resource> Open(std::string_view uri, std::string_view from,
                                                     std::string& why) const = 0;
  /// The beginning of what Open gives, enough to tell what kind of file it is: kStartOfFile bytes at
  /// most where a resolver need not read more.
  [[nodiscard]] virtual std::optional<Resource> OpenStart(std::string_view uri,
                                                          std::string_view from,
                                                          std::string& why) const {
    return Open(uri, from, why);
  }
  /// Like Open without reading: whether the file is there, and where.
  [[nodiscard]] virtual std::optional<std::string> Locate(std::string_view uri,
                                                          std::string_view from,
                                                          std::string& why) const = 0;
};

/// The bytes of a file, where there is a resolver that finds it.
[[nodiscard]] inline std::optional<std::string> BytesOf(const ResourceResolver* resolver,
                                                        std::string_view uri,
                                                        std::string_view from) {
  std::string why;
  std::optional<Resource> file =
      resolver == nullptr ? std::nullopt : resolver->Open(uri, from, why);
  return file ? std::optional(std::move(file->content)) : std::nullopt;
}

/// Named texts in memory, for pages, tests and library users without a disk. Uris are looked up as
/// written, then relative to `from`. `package://NAME/...` and `model://NAME/...` lead to the folder
/// that holds the package.xml of that name, or to a folder NAME with a package.xml or model.config.
class MemoryResolver : public ResourceResolver {
 public:
  /// Contents by name.
  explicit MemoryResolver(std::map<std::string, std::string> files);
  [[nodiscard]] std::optional<Resource> Open(std::string_view uri, std::string_view from,
                                             std::string& why) const override;
  [[nodiscard]] std::optional<Resource> OpenStart(std::string_view uri, std::string_view from,
                                                  std::string& why) const override;
  [[nodiscard]] std::optional<std::string> Locate(std::string_view uri, std::string_view from,
                                                  std::string& why) const override;

 private:
  std::map<std::string, std::string> files_, packages_;  // packages: folder by name
};

}  // namespace kinemorph

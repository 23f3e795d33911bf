// Files that are texts in memory.
#include <filesystem>

#include "kinemorph/formats/resources.h"

namespace kinemorph {

std::optional<std::string> MemoryResolver::Locate(std::string_view uri, std::string_view from,
                                                  std::string& why) const {
  if (files_.count(std::string(uri))) return std::string(uri);
  const std::string relative =
      (std::filesystem::path(std::string(from)).parent_path() / std::string(uri))
          .lexically_normal()
          .string();
  if (files_.count(relative)) return relative;
  why = "not found";
  return std::nullopt;
}

std::optional<Resource> MemoryResolver::Open(std::string_view uri, std::string_view from,
                                             std::string& why) const {
  const std::optional<std::string> path = Locate(uri, from, why);
  return path ? std::optional<Resource>({*path, files_.at(*path)}) : std::nullopt;
}

}  // namespace kinemorph

#include "host/inputs.h"

namespace kinemorph::tools {

// What a description asks for is recorded, whether it was found or not: a file that comes to be
// there would change the result, which --resume has to notice.
std::optional<Resource> InputRecorder::Open(std::string_view uri, std::string_view from,
                                            std::string& why) const {
  std::optional<Resource> resource = files_.Open(uri, from, why);
  Keep(uri, from, resource ? resource->path : "");
  return resource;
}

std::optional<Resource> InputRecorder::OpenStart(std::string_view uri, std::string_view from,
                                                 std::string& why) const {
  std::optional<Resource> resource = files_.OpenStart(uri, from, why);
  Keep(uri, from, resource ? resource->path : "");
  return resource;
}

std::optional<std::string> InputRecorder::Locate(std::string_view uri, std::string_view from,
                                                 std::string& why) const {
  std::optional<std::string> path = files_.Locate(uri, from, why);
  Keep(uri, from, path.value_or(""));
  return path;
}

void InputRecorder::Keep(std::string_view uri, std::string_view from,
                         const std::string& path) const {
  // Asked the same from the same file, the answer is the same.
  std::string key = std::string(from) + '\0' + std::string(uri);
  if (position_.try_emplace(std::move(key), asked_.size()).second)
    asked_.push_back({std::string(uri), std::string(from), path});
}

}  // namespace kinemorph::tools

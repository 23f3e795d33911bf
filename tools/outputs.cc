#include "outputs.h"

#include <filesystem>
#include <optional>

#include "files.h"
#include "session.h"

namespace kinemorph::tools {

void RefuseInputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  std::error_code error;
  for (const std::string& out : outputs) {
    if (out.empty() || out == "-" || !std::filesystem::exists(out, error)) continue;
    for (const std::string& in : inputs)
      if (!in.empty() && SameFile(in, out))
        throw UsageError("'" + out + "' is '" + in +
                         "', which is read: the command would overwrite it");
  }
}

namespace {

bool MayReplace(const std::string& path, const std::function<bool(const std::string& text)>& ours) {
  std::error_code error;
  const auto status = std::filesystem::symlink_status(path, error);
  if (path == "-" || !std::filesystem::exists(status)) return true;
  if (std::filesystem::is_symlink(status) && !std::filesystem::exists(path, error))
    return false;  // it leads nowhere, and is somebody's
  std::string why;
  const std::optional<std::string> there = ReadWhole(path, why);
  // What cannot be read, as a folder or a pipe, writing refuses in its own words.
  return !there || there->empty() || ours(*there);
}

}  // namespace

bool MayReplace(const std::string& path, std::string_view text, std::string_view mark) {
  return MayReplace(path, [&](const std::string& there) {
    return (!text.empty() && there == text) || there.find(mark) != std::string::npos;
  });
}

void RefuseForeign(const std::string& path,
                   const std::function<bool(const std::string& text)>& ours) {
  if (!path.empty() && !MayReplace(path, ours))
    throw UsageError("'" + path +
                     "' is there already, was not written by such a command, and stays as it is: "
                     "name another file, or remove it");
}

void RefuseForeign(const std::string& path, std::string_view mark) {
  RefuseForeign(path,
                [&](const std::string& there) { return there.find(mark) != std::string::npos; });
}

}  // namespace kinemorph::tools

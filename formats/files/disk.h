// What stands where on the disk, each name looked at once.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kinemorph {

/// Names on the disk and what they lead to. What was seen stays so: one of these is for a run that
/// may take the files for fixed. Safe to use from several threads.
class Disk {
 public:
  enum class Kind { kNothing, kFile, kFolder, kOther };
  struct Place {
    std::string path;  ///< absolute, through all links; of what is not there, as far as it goes
    Kind kind = Kind::kNothing;
  };

  /// Where `path` leads from the folder `from`, a Place::path.
  [[nodiscard]] Place Find(const std::string& from, std::string_view path);
  /// The names of the folders in a folder, sorted.
  [[nodiscard]] std::vector<std::string> FoldersIn(const std::string& folder);

 private:
  Place Entry(const std::string& folder, std::string_view name);

  std::mutex mutex_;
  std::unordered_map<std::string, Place> seen_;
  std::unordered_map<std::string, std::vector<std::string>> folders_;
};

}  // namespace kinemorph

#include "mujoco_library.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

namespace kinemorph::judge {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> In(const fs::path& folder, const std::string& start) {
  std::vector<fs::path> found;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none))
    if (entry.path().filename().string().starts_with(start)) found.push_back(entry.path());
  // By the numbers in the names: 3.10 is above 3.9.
  std::ranges::sort(found, [](const fs::path& a, const fs::path& b) {
    return ::strverscmp(a.c_str(), b.c_str()) > 0;
  });
  return found;
}

// Wheels below PREFIX/lib/python3.N/{site,dist}-packages. A path that is not whole would mean
// whatever lies where the command runs.
void AddWheels(const fs::path& prefix, std::vector<std::string>& files) {
  if (!prefix.is_absolute()) return;
  for (const char* lib : {"lib", "lib64"})
    for (const fs::path& python : In(prefix / lib, "python3"))
      for (const char* packages : {"site-packages", "dist-packages"})
        for (const fs::path& file : In(python / packages / "mujoco", "libmujoco.so"))
          files.push_back(file.string());
}

std::string Environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

template <class Function>
bool Find(void* handle, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(::dlsym(handle, name));
  return function != nullptr;
}

std::optional<MujocoLibrary> Opened(const std::string& file) {
  void* const handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return std::nullopt;
  MujocoLibrary library;
  const bool whole = Find(handle, "mj_versionString", library.version_string) &&
                     Find(handle, "mj_version", library.version) &&
                     Find(handle, "mj_loadXML", library.load_xml) &&
                     Find(handle, "mj_printModel", library.print_model) &&
                     Find(handle, "mj_deleteModel", library.delete_model) &&
                     Find(handle, "mju_user_error", library.user_error) &&
                     Find(handle, "mju_user_warning", library.user_warning);
  return whole ? std::optional(library) : std::nullopt;
}

std::vector<std::string> MujocoFiles() {
  std::vector<std::string> files;
  AddWheels(Environment("VIRTUAL_ENV"), files);
  std::stringstream folders(Environment("PATH"));
  std::error_code none;
  for (std::string folder; std::getline(folders, folder, ':');)
    if (fs::exists(fs::path(folder) / "python3", none))
      for (const fs::path& prefix : {fs::path(folder).parent_path(), fs::path("/usr/local")})
        AddWheels(prefix, files);
  if (const std::string home = Environment("HOME"); !home.empty())
    AddWheels(fs::path(home) / ".local", files);
#ifdef KINEMORPH_LIBMUJOCO
  files.emplace_back(KINEMORPH_LIBMUJOCO);
#endif
  return files;
}

}  // namespace

const MujocoLibrary* FindMujoco() {
  static const std::optional<MujocoLibrary> library = [] {
    std::optional<MujocoLibrary> found;
    for (const std::string& file : MujocoFiles())
      if ((found = Opened(file))) break;
    return found;
  }();
  return library ? &*library : nullptr;
}

std::string CountsOf(const void* model, const MujocoLibrary& library) {
  // Its own words: "nbody  3", and nothing of what there is none of.
  const int memory = ::memfd_create("model", MFD_CLOEXEC);
  if (memory < 0) return "";
  const std::string name = "/proc/self/fd/" + std::to_string(memory);
  library.print_model(model, name.c_str());
  std::map<std::string, long> sizes;
  std::ifstream text(name);
  for (std::string line; sizes.size() < 3 && std::getline(text, line);) {
    std::istringstream words(line);
    std::string word;
    long count = 0;
    if (words >> word >> count && (word == "nbody" || word == "nv" || word == "neq"))
      sizes[word] = count;
  }
  ::close(memory);
  return std::to_string(sizes["nbody"] - 1) + " bodies, " + std::to_string(sizes["nv"]) +
         " degrees of freedom, " + std::to_string(sizes["neq"]) + " equalities";
}

}  // namespace kinemorph::judge

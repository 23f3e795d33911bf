// A libmujoco: that of the user's own Python, or the installed one. The layout of its structures is
// not known.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <tinyxml2.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "judge.h"
#include "mujoco.h"

namespace kinemorph::judge {
namespace {

namespace fs = std::filesystem;

// The functions of a libmujoco, which is never unloaded.
struct Functions {
  const char* (*version_string)();
  int (*version)();
  void* (*load_xml)(const char* file, const void* vfs, char* error, int error_size);
  void (*print_model)(const void* model, const char* file);
  void (*delete_model)(void* model);
  // Called for errors that do not come back, and for warnings, which go to a log file otherwise.
  void (**user_error)(const char* message);
  void (**user_warning)(const char* message);
};

// MuJoCo says so in its error or through its error function, in words of its own.
bool LacksMemory(const char* why) { return std::strstr(why, "allocate") != nullptr; }

// The name of the library that compiles.
std::string& Compiling() {
  static std::string name;
  return name;
}

// In place of MuJoCo's own: a log file in the working folder, and a question to the terminal.
void EndWith(const char* why) {
  if (LacksMemory(why)) EndTooLarge();
  std::printf("%s: %s\n", Compiling().c_str(), why);
  std::fflush(stdout);
  ::unlink(CopyMade().c_str());
  ::_exit(kRefused);
}

class Library : public Mujoco {
 public:
  explicit Library(const Functions& functions)
      : Mujoco(std::string("MuJoCo ") + functions.version_string(), functions.version()),
        mujoco_(functions) {}

  [[nodiscard]] std::optional<Compilation> Compile(const Description& description) override;

 private:
  [[nodiscard]] std::string CountsOf(const void* model) const;

  Functions mujoco_;
};

// Compiles a copy beside the file, because assets are found relative to it. It is locked while it
// is there, as what kinemorph makes itself.
std::optional<Compilation> Library::Compile(const Description& description) {
  const std::string& copy = CopyMade() = description.file + ".judge";
  const int handle = ::open(copy.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (handle < 0) {
    CopyMade().clear();  // it is somebody's
    return Compilation{false, "no copy can be made beside the file"};
  }
  ::flock(handle, LOCK_EX | LOCK_NB);
  std::FILE* stream = ::fdopen(handle, "w");
  description.text.Accept(std::make_unique<tinyxml2::XMLPrinter>(stream).get());
  std::fflush(stream);
  char error[1024] = "";
  // Errors inside MuJoCo, such as a bad mesh, call this function and do not come back.
  Compiling() = name();
  *mujoco_.user_error = EndWith;
  *mujoco_.user_warning = [](const char*) {};
  const std::unique_ptr<void, void (*)(void*)> model(
      mujoco_.load_xml(copy.c_str(), nullptr, error, sizeof error), mujoco_.delete_model);
  if (LacksMemory(error)) EndTooLarge();
  ::unlink(copy.c_str());
  CopyMade().clear();
  std::fclose(stream);
  return Compilation{model != nullptr, model ? CountsOf(model.get()) : error};
}

std::string Library::CountsOf(const void* model) const {
  // Its own words: "nbody  3", and nothing of what there is none of.
  const int memory = ::memfd_create("model", MFD_CLOEXEC);
  if (memory < 0) return "";
  const std::string name = "/proc/self/fd/" + std::to_string(memory);
  mujoco_.print_model(model, name.c_str());
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

std::unique_ptr<Mujoco> Opened(const std::string& file) {
  void* const handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return nullptr;
  Functions library{};
  const bool whole = Find(handle, "mj_versionString", library.version_string) &&
                     Find(handle, "mj_version", library.version) &&
                     Find(handle, "mj_loadXML", library.load_xml) &&
                     Find(handle, "mj_printModel", library.print_model) &&
                     Find(handle, "mj_deleteModel", library.delete_model) &&
                     Find(handle, "mju_user_error", library.user_error) &&
                     Find(handle, "mju_user_warning", library.user_warning);
  return whole ? std::make_unique<Library>(library) : nullptr;
}

}  // namespace

std::unique_ptr<Mujoco> FindWheel() {
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
  for (const std::string& file : files)
    if (std::unique_ptr<Mujoco> mujoco = Opened(file)) return mujoco;
  return nullptr;
}

std::unique_ptr<Mujoco> FindInstalled() {
#ifdef KINEMORPH_LIBMUJOCO
  return Opened(KINEMORPH_LIBMUJOCO);
#else
  return nullptr;
#endif
}

}  // namespace kinemorph::judge

// A MuJoCo of whatever version, found when it is needed: the layout of its structures is not known.
#pragma once

#include <string>

namespace kinemorph::judge {

/// The functions of a libmujoco, which is never unloaded.
struct MujocoLibrary {
  const char* (*version_string)();
  int (*version)();  ///< 222, or 4000000 where parts have more digits
  void* (*load_xml)(const char* file, const void* vfs, char* error, int error_size);
  void (*print_model)(const void* model, const char* file);
  void (*delete_model)(void* model);
  /// Called for errors that do not come back, and for warnings, which go to a log file otherwise.
  void (**user_error)(const char* message);
  void (**user_warning)(const char* message);
};

/// The first that can be loaded, opened once; null where none can: of Python's wheels in the
/// environment that is active, beside the Pythons of PATH and in the user's own packages, then the
/// one that this program was built with.
[[nodiscard]] const MujocoLibrary* FindMujoco();

/// "3 bodies, 2 degrees of freedom, 1 equalities" of a model of `library`.
[[nodiscard]] std::string CountsOf(const void* model, const MujocoLibrary& library);

}  // namespace kinemorph::judge

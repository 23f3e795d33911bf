// MuJoCo as a library and as a Node module, each behind one call.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiled_mujoco.h"

namespace kinemorph {

/// The MuJoCo that is linked (Debian's 2.x). Nothing when the test was built without it.
[[nodiscard]] std::optional<CompiledMujoco> CompileWithLibrary(const std::filesystem::path& file);

/// The newest MuJoCo under Node, all files (paths below `root`) in one process. Nothing and a
/// reason when Node or the module is absent.
[[nodiscard]] std::optional<std::map<std::string, CompiledMujoco>> CompileWithNode(
    const std::filesystem::path& root, const std::vector<std::string>& files, std::string& why);

/// A copy of the MJCF corpus with placeholder meshes and textures, made once per process. Nothing
/// and a reason when there is no corpus.
[[nodiscard]] std::optional<std::filesystem::path> StubbedCorpus(std::string& why);
/// The files of the corpus that are models by themselves, below StubbedCorpus.
[[nodiscard]] std::vector<std::string> CorpusMains();

}  // namespace kinemorph

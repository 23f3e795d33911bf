// The <compiler> settings, gathered over all sections and includes (they are global: the last one
// wins).
#pragma once

#include <array>
#include <string>

#include "read/source_tree.h"

namespace kinemorph::mjcf {

/// Lengths, masses and volumes below it are zero to MuJoCo (mjEPS).
inline constexpr double kTiny = 1e-14;

enum class InertiaFromGeom { kFalse, kTrue, kAuto };

struct CompilerSettings {
  bool degree = true;
  std::array<char, 3> eulerseq = {'x', 'y', 'z'};
  bool autolimits = true;
  std::string meshdir, texturedir, assetdir;
  bool strippath = false;
  InertiaFromGeom inertiafromgeom = InertiaFromGeom::kAuto;
  double inertiagroup_min = 0, inertiagroup_max = 5;
  bool balanceinertia = false;
  double boundmass = 0, boundinertia = 0;
  double settotalmass = -1;
  bool fitaabb = false;
  bool alignfree = false;
  bool exactmeshinertia = false;  ///< until MuJoCo 3.2.4; each mesh has its own word since
};

/// Errors: coordinate="global", bad eulerseq, unknown keywords. Settings that only change how
/// MuJoCo stores a model are noted.
[[nodiscard]] CompilerSettings ReadCompiler(const SourceTree& sources);

}  // namespace kinemorph::mjcf

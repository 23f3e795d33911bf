// What a format is to the rest of the gateway: a reader, a writer and a name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/formats/resources.h"
#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph {

struct ReadOptions {
  std::string file_name = "<text>";  ///< for messages, and the base of relative uris
  const ResourceResolver* resolver =
      nullptr;  ///< none: nothing else can be opened, which is reported where it matters
};

/// How URDF+ is spelt: what the reference parser accepts, the paper's types and ratio convention,
/// or what GRBDA runs.
enum class UrdfPlusProfile { kReference, kPaper, kGrbda };

struct WriteOptions {
  std::string version;  ///< e.g. "1.9" for sdf; empty: the format's default
  UrdfPlusProfile profile = UrdfPlusProfile::kReference;
  std::optional<double>
      massless_mass;  ///< kg for links that stay massless, on request only (--massless)
};

/// Reads `text`; messages go to `diagnostics`. Nothing is returned when no model can be built at
/// all; a partial model may come with errors. Files it wanted but could not open are reported.
using ReadFunction = std::optional<Model> (*)(std::string_view text, const ReadOptions& options,
                                              Diagnostics& diagnostics);

/// Writes a model that is legal for the format (after lowering). A model that is not legal is a
/// programming error and is reported as an error diagnostic; the text is then empty.
using WriteFunction = std::string (*)(const Model& model, const WriteOptions& options,
                                      Diagnostics& diagnostics);

/// Source code that must go with the written file, because the format only announces what it does;
/// empty when there is none.
using UserCodeFunction = std::string (*)(const Model& model);

struct Format {
  std::string_view name;                     ///< "urdf", "urdf+", "sdf", "mjcf", "mbs"
  std::string_view title;                    ///< "URDF+ (URDF with loops)"
  std::vector<std::string_view> extensions;  ///< with the dot, preferred first
  std::string_view root_element;             ///< "robot", "sdf", "mujoco", "mbsDescR7"
  std::vector<std::string_view>
      versions;  ///< writable versions; default first; empty when the format has none
  ReadFunction read;
  WriteFunction write;
  UserCodeFunction user_code = nullptr;  ///< null: the files of this format stand alone
};

}  // namespace kinemorph

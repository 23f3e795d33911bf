// What a batch will do, known whole before anything is written.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batch/worker_pool.h"
#include "session/named_files.h"

namespace kinemorph::tools {

struct BatchJob {
  std::string relative;  ///< path below SRC_DIR: the name of the job in reports and for shards
  std::string source, out;
  std::string place;            ///< path of `out` below DST_DIR
  std::string model = {};       ///< which of several models of the source; empty: all there is
  bool left_out = false;        ///< by --include or --exclude: not converted, and its output stays
  std::string model_file = {};  ///< of `model`: the name of its file, without an extension
  std::optional<WorkResult> lost =
      {};  ///< which models it holds is not known: how the worker that read it ended
};

struct BatchPlan {
  std::vector<BatchJob> jobs;           ///< sorted by `relative`, byte by byte
  std::vector<std::string> unreadable;  ///< what could not be listed or read, and why
};

/// The names of the models of a source that holds several; or how the worker that was to read it
/// ended.
struct ModelsFound {
  std::vector<std::string> names;
  std::optional<WorkResult> lost;
};
using ModelsOf = std::function<std::vector<ModelsFound>(const std::vector<std::string>& sources)>;

/// Every description below `source` (DescriptionsBelow), and its target below `destination` with
/// `extension`. Throws UsageError, naming both files, where a target is a source, where one folder
/// lies in the other so that results would be read as sources, and where sources share a target,
/// unless `suffix_on_clash`: then each of these keeps its whole name in front of the extension
/// (arm.sdf.xml and arm.urdf.xml).
/// `models`: the names of the models of a source that holds several, which become a job each, with
/// targets in a folder of the source's name (world.sdf::arm goes to world/arm.urdf); null: nothing
/// is split. What `globs` do not take is a job that is left out, and shares its target with others;
/// so does a source whose models are not known, which is not converted.
[[nodiscard]] BatchPlan PlanBatch(const std::string& source, const std::string& destination,
                                  std::string_view extension, bool suffix_on_clash,
                                  const ModelsOf& models = nullptr, const Globs& globs = {},
                                  bool allow_outside = false);

/// Part `index` (from 1) of `count`.
struct Shard {
  std::size_t index = 1, count = 1;
};

/// "I/N" with 1 <= I <= N; throws UsageError.
[[nodiscard]] Shard ParseShard(const std::string& text);

/// Rendezvous hashing by name: a file's shard depends on its relative path and the number of shards
/// alone, so that no other file moves when one is added, and going from N to N+1 shards moves one
/// file in N+1.
[[nodiscard]] bool InShard(std::string_view relative, const Shard& shard);

}  // namespace kinemorph::tools

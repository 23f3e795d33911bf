#include "batch/models.h"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "host/cleanup.h"
#include "host/files.h"
#include "kinemorph/formats/xml_tags.h"
#include "session/all_models.h"

namespace kinemorph::tools {
namespace {

// --all-models has to know what is in a world before there is a plan, so the worlds are read once
// more, by workers with the same limits: a file that hangs or crashes is lost here as it would be
// in its conversion.

// Of files that hold several, as a worker answers: each name and a zero. Others are not read for it.
std::string SeveralModels(const Input& like, const std::string& source) {
  std::string why;
  const std::optional<std::string> text = ReadWhole(source, why);
  // Only SDFormat has worlds with several models that this option splits, and most files have none:
  // a look at the text saves reading them.
  if (!text || !NextTag(*text, "sdf", 0)) return {};
  if (!NextTag(*text, "world", 0) && !source.ends_with(".xacro")) return {};
  Input input = like;
  input.path = source;
  std::string names;
  for (const std::string& name : ModelsIn(input)) names += name + '\0';
  return names;
}

std::vector<std::string> Words(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace

std::vector<ModelsFound> FindModels(const std::vector<std::string>& sources, const Input& like,
                                    int workers, WorkLimits limits) {
  std::vector<ModelsFound> found(sources.size());
  if (sources.empty()) return found;
  const TemporaryFolder scratch;
  limits.scratch = scratch.path();
  std::vector<std::size_t> jobs(sources.size());
  std::iota(jobs.begin(), jobs.end(), std::size_t{0});
  int signal = 0;
  {
    const SignalsTold told;
    WorkerPool pool(std::min(workers, static_cast<int>(sources.size())), limits,
                    [&](std::size_t i) { return SeveralModels(like, sources[i]); });
    pool.Run(
        jobs,
        [&](std::size_t i, WorkResult result) {
          if (result.end == WorkEnd::kDone)
            found[i].names = Words(result.text);
          else
            found[i].lost = std::move(result);
        },
        [] {}, [] { return SignalsTold::Signal() != 0; });
    signal = SignalsTold::Signal();
  }
  if (signal != 0) EndBySignal(signal);
  return found;
}

}  // namespace kinemorph::tools

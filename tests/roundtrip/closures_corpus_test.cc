// Every aggregate of the corpus: its closure beside Newton on all loops at once, and beside K and
// k.
#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "conversion.h"
#include "kinemorph/graph/closures/explicit_closure.h"

namespace kinemorph::test {
namespace {

struct Tally {
  std::map<std::string, int> natures;  // of aggregates with loops or couplings
  int compared = 0, beyond = 0;        // beyond: a ball or free joint depends in part, or singular
};

void Compare(const std::string& path, Tally& tally) {
  Diagnostics reading;
  const std::optional<Model> model = ReadFile(path, reading);
  if (!model) return;
  const Mechanism m = Compile(*model);
  const Coordinates coordinates = AnalyseCoordinates(m);
  if (coordinates.rank == 0 || !coordinates.assembles) return;
  const std::vector<ClosureDescription> described = DescribeClosures(m, coordinates);
  const std::vector<ClosureComparison> compared = CompareClosures(m, coordinates, 20);
  for (std::size_t a = 0; a < compared.size(); ++a) {
    if (described[a].nature == ClosureNature::kNone) continue;
    const ClosureComparison& c = compared[a];
    ++tally.natures[std::string(Name(described[a].nature))];
    ++(c.states > 0 ? tally.compared : tally.beyond);
    const std::string what = path + ", aggregate " + std::to_string(a) + ": " + described[a].detail;
    // Rows that contradict each other in the last digits of the frames are weighed otherwise by each.
    const double residual = coordinates.aggregates[a].residual;
    const double most = residual > kClosed ? 50 * residual : 1e-10;
    EXPECT_LE(c.position, most) << what;
    EXPECT_LE(c.velocity, most) << what;
    EXPECT_LE(c.acceleration, most) << what;
    if (c.lost > 0) { EXPECT_EQ(c.states, 0) << what; }
    if (described[a].nature != ClosureNature::kNumerical) { EXPECT_GT(c.states, 0) << what; }
  }
}

TEST(ClosuresCorpus, EqualToNewtonEverywhere) {
  Tally tally;
  std::size_t files = 0;
  for (const char* folder : {"corpus", "urdf_plus", "legs"}) {
    for (const std::string& path :
         FilesBelow(std::filesystem::path(Shared()) / folder, {".urdf", ".sdf", ".xml"})) {
      Compare(path, tally);
      ++files;
    }
  }
  if (files == 0) GTEST_SKIP() << "no corpus beside the project";
  int all = 0;
  for (const auto& [nature, count] : tally.natures) all += count;
  std::cout << "closures of " << files << " files:";
  for (const auto& [nature, count] : tally.natures)
    std::cout << ' ' << count << ' ' << nature << " (" << 100 * count / all << " %)";
  std::cout << "; " << tally.compared << " equal to Newton, " << tally.beyond
            << " not to be compared (part of a ball or free joint depends, or all is singular)\n";
  EXPECT_GT(tally.compared, 1500);
}

}  // namespace
}  // namespace kinemorph::test

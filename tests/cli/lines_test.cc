// How many lines a conversion prints: a screen, not a log.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include "command.h"
#include "paths.h"

namespace kinemorph::test {
namespace {

constexpr std::size_t kMedian = 11, kNinetyFifth = 20, kWidest = 200;

std::vector<fs::path> Descriptions(const fs::path& folder, std::size_t every) {
  std::vector<fs::path> all, some;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (entry.is_regular_file() && entry.file_size() < 300000 &&
        (extension == ".urdf" || extension == ".sdf" || extension == ".xml" || extension == ".mbs"))
      all.push_back(entry.path());
  }
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size(); i += every) some.push_back(all[i]);
  return some;
}

// Lines of each conversion that is done, in order.
std::vector<std::size_t> LinesOf(const std::vector<fs::path>& files, const std::string& options) {
  const TemporaryFolder folder;
  const char* const targets[] = {"sdf", "mjcf", "urdf", "urdf+", "mbs"};
  std::vector<std::size_t> counts;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const CommandResult result =
        Shell(std::string(KINEMORPH_COMMAND) + " convert '" + files[i].string() + "' out" +
                  std::to_string(i) + " --timeout 20 --to " + targets[i % 5] + options,
              folder.path());
    if (result.exit_code != 0) continue;
    counts.push_back(
        static_cast<std::size_t>(std::count(result.err.begin(), result.err.end(), '\n')));
    // Rows are cut; a verdict and names of files are whole.
    std::istringstream lines(result.err);
    for (std::string line; std::getline(lines, line);) {
      if (line.find("[verify-") == std::string::npos && line.find("--") == std::string::npos) {
        EXPECT_LE(line.size(), kWidest + files[i].string().size()) << line;
      }
    }
  }
  std::sort(counts.begin(), counts.end());
  return counts;
}

void ExpectFew(const std::vector<std::size_t>& counts, std::size_t least) {
  ASSERT_GT(counts.size(), least);
  EXPECT_LE(counts[counts.size() / 2], kMedian);
  EXPECT_LE(counts[counts.size() * 95 / 100], kNinetyFifth);
  std::cout << counts.size() << " conversions: median " << counts[counts.size() / 2]
            << " lines, 95th percentile " << counts[counts.size() * 95 / 100] << ", most "
            << counts.back() << '\n';
}

TEST(Lines, OfFixtures) {
  std::vector<fs::path> files = Descriptions(SourceDir() + "/fixtures/mechanisms", 1);
  const std::vector<fs::path> features = Descriptions(SourceDir() + "/fixtures/features", 2);
  files.insert(files.end(), features.begin(), features.end());
  ExpectFew(LinesOf(files, " --verify"), 60);
}

TEST(Lines, OfRobotsOfOthers) {
  const fs::path data = SourceDir() + "/../shared/data";
  if (!fs::exists(data)) GTEST_SKIP() << data << " is not here";
  ExpectFew(LinesOf(Descriptions(data, 8), ""), 60);
}

}  // namespace
}  // namespace kinemorph::test

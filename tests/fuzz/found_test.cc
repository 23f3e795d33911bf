// What fuzzing found once (tools/dev/fuzz puts it into fixtures/invalid/found), again: every promise
// holds for each of these texts.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "paths.h"
#include "promises.h"

namespace kinemorph::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> Found() {
  std::vector<fs::path> files;
  const fs::path folder = fs::path(kinemorph::test::SourceDir()) / "fixtures/invalid/found";
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

class FoundByFuzzing : public ::testing::TestWithParam<fs::path> {};

TEST_P(FoundByFuzzing, EveryPromiseHolds) {
  std::ifstream stream(GetParam(), std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(Parse(text), "");
  EXPECT_EQ(Expand(text), "");
  for (const char* format : {"urdf", "sdf", "mjcf", "mbs", "usda"})
    EXPECT_EQ(Read(format, text), "");
  EXPECT_EQ(RoundTrip(text), "");
}

INSTANTIATE_TEST_SUITE_P(Files, FoundByFuzzing, ::testing::ValuesIn(Found()),
                         [](const auto& tested) {
                           std::string name = tested.param.filename().string();
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

}  // namespace
}  // namespace kinemorph::fuzz

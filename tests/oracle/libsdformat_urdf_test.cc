// Our URDF to SDFormat conversion against libsdformat's own, on URDF files of the shared corpus.
//
// libsdformat merges links on fixed joints, so both results are merged before they are compared:
// masses, centres of mass and inertias of the merged bodies, joints with their anchors, axes and
// limits, in world axes. It writes angles and numbers with some ten digits: lengths and axes agree
// to 1e-7 at best. What differs for another reason is listed in libsdformat_urdf.txt, with the
// reason, and the list is checked both ways.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>
#include <sstream>
#include <thread>

#include "conversion.h"
#include "in_child.h"
#include "kinemorph/formats/file_resolver.h"
#include "paths.h"
#include "sdf_bodies.h"

namespace kinemorph::test {
namespace {

namespace fs = std::filesystem;

fs::path Corpus() { return fs::path(SharedDir()) / "data" / "corpus" / "urdf"; }

std::vector<std::string> UrdfFiles() {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(Corpus()))
    if (entry.is_regular_file() && entry.path().extension() == ".urdf")
      files.push_back(fs::relative(entry.path(), Corpus()).string());
  std::sort(files.begin(), files.end());
  return files;
}

// verdict, tab, details
std::string Check(const std::string& file) {
  const fs::path path = Corpus() / file;
  const SdfFacts theirs = FactsOfFile(path.string(), [](const std::string&) { return ""; });
  if (!theirs.ok || theirs.links.empty()) return "not theirs\t" + theirs.errors;
  const FileResolver resolver(path.string(), {});
  std::ifstream in(path, std::ios::binary);
  std::ostringstream source;
  source << in.rdbuf();
  Diagnostics diagnostics;
  auto model = ReadModel(source.str(), nullptr, {path.string(), &resolver}, diagnostics);
  ConvertOptions options;
  options.target = TargetNamed("sdf");
  const auto converted = model ? Convert(std::move(*model), options, diagnostics) : std::nullopt;
  if (!converted) return "refused\t" + Rendered(diagnostics);
  const SdfFacts ours = FactsOfText(converted->text);
  if (!ours.ok) return "ours does not load\t" + ours.errors;
  const std::string difference = DifferencesOfBodies(ours, theirs);
  return difference.empty() ? "same\t" : "differs\t" + difference;
}

// `path: reason`
std::map<std::string, std::string> Listed() {
  std::ifstream in(fs::path(SourceDir()) / "tests" / "oracle" / "libsdformat_urdf.txt");
  std::map<std::string, std::string> listed;
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (!line.empty() && line[0] != '#' && colon != std::string::npos)
      listed[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return listed;
}

TEST(LibsdformatUrdf, OurConversionIsTheirsWhereTheyLoseNothing) {
  if (!HaveLibsdformat()) GTEST_SKIP() << "libsdformat 12 is not installed";
  if (!fs::exists(Corpus())) GTEST_SKIP() << "no corpus in " << Corpus();
  setenv("HOME", ::testing::TempDir().c_str(), 1);  // libsdformat keeps a log there
  const std::map<std::string, std::string> listed = Listed();
  // One file in three, and all that are listed: libsdformat takes half a second for one.
  // KINEMORPH_ALL_URDF=1 takes all.
  const bool all = std::getenv("KINEMORPH_ALL_URDF") != nullptr;
  std::vector<std::string> files;
  std::size_t i = 0;
  for (const std::string& file : UrdfFiles())
    if (i++ % 3 == 0 || all || listed.count(file)) files.push_back(file);
  for (const auto& [file, reason] : listed)
    EXPECT_TRUE(std::binary_search(files.begin(), files.end(), file)) << file << " is not there";

  std::vector<std::future<std::vector<std::string>>> shards;
  constexpr std::size_t kShards = 2;
  for (std::size_t shard = 0; shard < kShards; ++shard)
    shards.push_back(std::async(std::launch::async, [&files, shard] {
      std::vector<std::string> results;
      for (std::size_t k = shard; k < files.size(); k += kShards)
        results.push_back(InChild([&] { return Check(files[k]); }));
      return results;
    }));
  std::vector<std::vector<std::string>> results;
  for (auto& shard : shards) results.push_back(shard.get());
  std::size_t same = 0, differ = 0;
  for (std::size_t k = 0; k < files.size(); ++k) {
    const std::string& result = results[k % kShards][k / kShards];
    const std::string verdict = result.substr(0, result.find('\t'));
    if (verdict == "not theirs" || verdict == "aborts") continue;
    (verdict == "same" ? same : differ) += 1;
    const auto reason = listed.find(files[k]);
    if (reason == listed.end())
      EXPECT_EQ(verdict, "same") << files[k] << ": " << result;
    else
      EXPECT_NE(verdict, "same") << files[k] << " is listed (" << reason->second << ") but agrees";
  }
  std::cout << same << " of " << same + differ << " conversions agree\n";
  EXPECT_GT(same, 25u);
}

}  // namespace
}  // namespace kinemorph::test

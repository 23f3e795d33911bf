// The MJCF reader and writer against MuJoCo itself, over every MJCF of the corpus that MuJoCo
// compiles.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "kinemorph/formats/file_resolver.h"
#include "kinemorph/formats/formats.h"
#include "mujoco_judge.h"

namespace kinemorph {
namespace {

namespace fs = std::filesystem;

// Files that read otherwise, with the reason. Checked both ways: each of them must differ.
//   fusestatic: MuJoCo merges the one body into the world.
//   diagonalisation: MuJoCo turns small mesh tensors to their principal axes with an absolute
//   tolerance, 1e-7 of them; ours is the tensor itself.
const std::map<std::string, std::string>& KnownDifferences() {
  static const std::map<std::string, std::string> known = {
      {"newton-physics__mujoco-usd-converter/tests/data/scene_attributes.xml", "fusestatic"},
      {"with_assets/johnnynunez__mujoco_menagerie/wonik_allegro/scene_right.xml",
       "diagonalisation"},
  };
  return known;
}

std::string TextOf(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::optional<Model> Read(const fs::path& file, Diagnostics& diagnostics) {
  FileAccess access;
  access.outside = true;  // as MuJoCo reads
  const FileResolver resolver(file.string(), access);
  return FindFormat("mjcf")->read(TextOf(file), {file.string(), &resolver}, diagnostics);
}

std::string Listed(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < 8; ++i) text += "\n    " + lines[i];
  return text;
}

TEST(MujocoDifferential, TheCorpusReadsAsTheNewestMujocoCompilesIt) {
  std::string why;
  const auto corpus = StubbedCorpus(why);
  if (!corpus) GTEST_SKIP() << why;
  const std::vector<std::string> files = CorpusMains();
  const auto compiled = CompileWithNode(*corpus, files, why);
  if (!compiled) GTEST_SKIP() << why;
  ASSERT_EQ(compiled->size(), files.size());
  std::size_t they_accept = 0, same = 0;
  for (const std::string& file : files) {
    const CompiledMujoco& theirs = compiled->at(file);
    if (!theirs.error.empty()) continue;
    ++they_accept;
    Diagnostics diagnostics;
    const auto model = Read(*corpus / file, diagnostics);
    std::vector<std::string> differences;
    if (!model || diagnostics.has_errors()) {
      for (const Diagnostic& d : diagnostics.items())
        if (d.severity == Severity::kError) differences.push_back(Render(d));
    } else {
      differences = DifferencesFromMujoco(*model, theirs);
    }
    const auto known = KnownDifferences().find(file);
    if (known == KnownDifferences().end()) {
      EXPECT_TRUE(differences.empty()) << file << Listed(differences);
    } else {
      EXPECT_FALSE(differences.empty())
          << file << " is listed for its " << known->second << " but agrees";
    }
    if (differences.empty()) ++same;
  }
  EXPECT_GT(they_accept, 240u);
  EXPECT_GE(same * 100, they_accept * 95);
  std::cout << same << " of " << they_accept << " files agree\n";
}

TEST(MujocoDifferential, DebiansMujocoAgreesWhereItReadsTheFile) {
  std::string why;
  const auto corpus = StubbedCorpus(why);
  if (!corpus) GTEST_SKIP() << why;
  if (!CompileWithLibrary("/nonexistent")) GTEST_SKIP() << "built without libmujoco";
  // 2.2.2 diagonalises full tensors to 1e-6 only, and weighs meshes by rules of its time.
  const CompareTolerance tolerance{1e-9, 2e-6};
  std::size_t compared = 0, same = 0;
  for (const std::string& file : CorpusMains()) {
    const std::string text = TextOf(*corpus / file);
    // Files with limits but without autolimits mean something else to 2.2.2; mesh masses depend on
    // the version.
    if (text.find("autolimits=\"true\"") == std::string::npos &&
        text.find("limited=\"true\"") == std::string::npos)
      continue;
    if (text.find("type=\"mesh\"") != std::string::npos &&
        text.find("<inertial") == std::string::npos)
      continue;
    Diagnostics diagnostics;
    const auto model = Read(*corpus / file, diagnostics);
    const auto theirs = CompileWithLibrary(*corpus / file);
    if (!model || diagnostics.has_errors() || !theirs->error.empty() ||
        KnownDifferences().count(file) != 0)
      continue;
    ++compared;
    const auto differences = DifferencesFromMujoco(*model, *theirs, tolerance);
    if (differences.empty())
      ++same;
    else
      std::cout << file << Listed(differences) << "\n";
  }
  std::cout << same << " of " << compared << " files agree\n";
  EXPECT_GE(same * 100, compared * 90);
}

TEST(MujocoDifferential, WhatWeWriteCompilesToTheSameModel) {
  std::string why;
  const auto corpus = StubbedCorpus(why);
  if (!corpus) GTEST_SKIP() << why;
  // Beside the originals, so that meshes are found.
  std::map<std::string, Model> models;
  std::vector<std::string> written;
  for (const std::string& file : CorpusMains()) {
    Diagnostics diagnostics;
    auto model = Read(*corpus / file, diagnostics);
    if (!model || diagnostics.has_errors()) continue;
    const auto known = KnownDifferences().find(file);
    if (known != KnownDifferences().end() && known->second != "diagonalisation" &&
        known->second != "fusestatic")
      continue;
    const std::string text = FindFormat("mjcf")->write(*model, {}, diagnostics).text;
    EXPECT_FALSE(text.empty()) << file;
    const std::string copy = file.substr(0, file.size() - 4) + ".kinemorph.xml";
    std::ofstream(*corpus / copy) << text;
    written.push_back(copy);
    models.emplace(copy, std::move(*model));
  }
  std::vector<std::string> all = CorpusMains();
  all.insert(all.end(), written.begin(), written.end());
  const auto compiled = CompileWithNode(*corpus, all, why);
  for (const std::string& copy : written) fs::remove(*corpus / copy);
  if (!compiled) GTEST_SKIP() << why;
  std::size_t compared = 0;
  for (const auto& [copy, model] : models) {
    const std::string original = copy.substr(0, copy.size() - 14) + ".xml";
    if (!compiled->at(original).error.empty()) continue;
    const CompiledMujoco& theirs = compiled->at(copy);
    EXPECT_EQ(theirs.error, "") << copy;
    if (!theirs.error.empty()) continue;
    ++compared;
    const auto differences = DifferencesFromMujoco(model, theirs);
    EXPECT_TRUE(differences.empty()) << copy << Listed(differences);
  }
  std::cout << compared << " written files compile to the same model\n";
  EXPECT_GT(compared, 230u);
}

TEST(MujocoDifferential, WhatWeWriteCompilesInDebiansMujocoToo) {
  std::string why;
  const auto corpus = StubbedCorpus(why);
  if (!corpus) GTEST_SKIP() << why;
  if (!CompileWithLibrary("/nonexistent")) GTEST_SKIP() << "built without libmujoco";
  std::size_t compared = 0;
  for (const std::string& file : CorpusMains()) {
    // Only what it reads in the original: newer elements stay newer elements.
    if (KnownDifferences().count(file) != 0 || !CompileWithLibrary(*corpus / file)->error.empty())
      continue;
    Diagnostics diagnostics;
    const auto model = Read(*corpus / file, diagnostics);
    if (!model || diagnostics.has_errors()) continue;
    const fs::path copy = *corpus / (file.substr(0, file.size() - 4) + ".kinemorph.xml");
    std::ofstream(copy) << FindFormat("mjcf")->write(*model, {}, diagnostics).text;
    const auto theirs = CompileWithLibrary(copy);
    fs::remove(copy);
    EXPECT_EQ(theirs->error, "") << file;
    if (!theirs->error.empty()) continue;
    ++compared;
    const auto differences = DifferencesFromMujoco(*model, *theirs, {1e-9, 2e-6});
    EXPECT_TRUE(differences.empty()) << file << Listed(differences);
  }
  std::cout << compared << " written files compile to the same model\n";
  EXPECT_GT(compared, 80u);
}

}  // namespace
}  // namespace kinemorph

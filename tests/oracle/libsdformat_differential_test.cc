// Our reader and writer against libsdformat on every SDFormat file of the shared corpus.
//
// Where both read a file they must agree to 1e-9: link poses, masses, inertias, joint anchors, axes
// and limits in world axes, frames. Everything we write (versions up to 1.9) must load there and
// say the same. Disagreements are listed with their reasons in libsdformat_acceptance.txt, and the
// list is checked both ways. Files are shared out to a few processes: libsdformat is slow, and may
// abort.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <sstream>
#include <thread>

#include "in_child.h"
#include "kinemorph/formats/file_resolver.h"
#include "kinemorph/formats/formats.h"
#include "paths.h"
#include "sdformat_judge.h"

namespace kinemorph::test {
namespace {

namespace fs = std::filesystem;

std::string Slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

fs::path Corpus() { return fs::path(kinemorph::test::SharedDir()) / "data" / "corpus" / "sdf"; }

std::vector<std::string> SdfFiles() {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(Corpus())) {
    const fs::path extension = entry.path().extension();
    if (entry.is_regular_file() && (extension == ".sdf" || extension == ".world"))
      files.push_back(fs::relative(entry.path(), Corpus()).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Folders with a model.config by name; those of the file's own repository win.
std::map<std::string, std::string> ModelFolders(const std::string& file) {
  std::map<std::string, std::string> folders;
  const auto collect = [&](const fs::path& root) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(root))
      if (entry.path().filename() == "model.config") found.push_back(entry.path().parent_path());
    std::sort(found.begin(), found.end());
    for (const fs::path& folder : found)
      folders.emplace(folder.filename().string(), folder.string());
  };
  collect(Corpus() / *fs::path(file).begin());
  return folders;
}

// One line per file: path, verdict and details, separated by tabs.
std::string Check(const std::string& file) {
  const fs::path path = Corpus() / file;
  const std::map<std::string, std::string> folders = ModelFolders(file);
  const FindUri find = [&](const std::string& uri) -> std::string {
    std::string rest = uri.substr(uri.find("://") == std::string::npos ? 0 : uri.find("://") + 3);
    if (fs::exists(path.parent_path() / rest)) return (path.parent_path() / rest).string();
    const std::size_t slash = rest.find('/');
    const auto folder = folders.find(rest.substr(0, slash));
    return folder == folders.end()
               ? ""
               : folder->second + (slash == std::string::npos ? "" : rest.substr(slash));
  };
  Diagnostics diagnostics;
  FileAccess access;
  access.packages = folders;
  const FileResolver resolver(path.string(), access);
  ReadOptions options;
  options.file_name = path.string();
  options.resolver = &resolver;
  const std::optional<Model> model = FindFormat("sdf")->read(Slurp(path), options, diagnostics);
  const bool we_read = model && !diagnostics.has_errors();
  const SdfFacts theirs = FactsOfFile(path.string(), find);
  if (!we_read && !theirs.ok) return "neither\t";
  if (!we_read) {
    for (const Diagnostic& item : diagnostics.items())
      if (item.severity == Severity::kError) return "only-libsdformat\t" + item.message;
  }
  if (!theirs.ok) return "only-kinemorph\t" + theirs.errors;
  const SdfFacts ours = FactsOfModel(*model);
  if (const std::string difference = Differences(ours, theirs); !difference.empty())
    return "differs\t" + difference;

  // What we write, in the default version and in one older version per file.
  static const char* const kOlder[] = {"1.4", "1.5", "1.6", "1.7", "1.8"};
  for (const std::string& version :
       {std::string("1.9"), std::string(kOlder[std::hash<std::string>{}(file) % 5])}) {
    Diagnostics messages;
    WriteOptions write;
    write.version = version;
    const std::string text = FindFormat("sdf")->write(*model, write, messages).text;
    if (messages.has_errors()) {  // the version lacks something: said, and nothing written
      if (!text.empty()) return "written\ttext of " + version + " in spite of errors";
      continue;
    }
    SdfFacts written = FactsOfText(text);
    if (!written.ok) return "written\t" + version + " does not load: " + written.errors;
    SdfFacts expected = ours;
    if (version < "1.7") expected.frames = written.frames = {};  // there were no frames then
    if (version == "1.4")
      for (auto& [name, joint] : expected.joints)
        for (AxisFacts& axis : joint.axes)
          axis.properties.spring_stiffness = axis.properties.spring_reference = {};
    for (SdfFacts* facts : {&expected, &written})
      for (auto& [name, joint] : facts->joints)
        if (joint.type == "continuous") joint.type = "revolute";
    if (const std::string difference = Differences(expected, written); !difference.empty())
      return "written\t" + version + ": " + difference;
  }
  return "same\t";
}

// Every file's verdict and details; `shards` processes share the files out, each gives every file a
// process.
std::map<std::string, std::string> CheckAll(const std::vector<std::string>& files) {
  setenv("HOME", ::testing::TempDir().c_str(), 1);         // libsdformat keeps a log there
  static_cast<void>(FactsOfText("<sdf version='1.9'/>"));  // what all loads share is made once
  const std::size_t shards = std::max(2u, std::thread::hardware_concurrency());
  std::vector<std::future<std::string>> texts;
  for (std::size_t shard = 0; shard < shards; ++shard) {
    texts.push_back(std::async(std::launch::async, [&files, shard, shards] {
      return InChild([&] {
        std::string all;
        for (std::size_t i = shard; i < files.size(); i += shards) {
          std::string line = InChild([&] { return Check(files[i]); });
          std::replace(line.begin(), line.end(), '\n', ' ');
          all += files[i] + "\t" + line + "\n";
        }
        return all;
      });
    }));
  }
  std::map<std::string, std::string> results;
  for (std::future<std::string>& text : texts) {
    std::istringstream in(text.get());
    for (std::string line; std::getline(in, line);)
      results[line.substr(0, line.find('\t'))] = line.substr(line.find('\t') + 1);
  }
  return results;
}

// `verdict path: reason`
std::map<std::string, std::string> Listed() {
  std::ifstream in(fs::path(kinemorph::test::SourceDir()) / "tests" / "oracle" /
                   "libsdformat_acceptance.txt");
  std::map<std::string, std::string> listed;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t space = line.find(' '), colon = line.find(": ", space);
    listed[line.substr(space + 1, colon - space - 1)] = line.substr(0, space);
  }
  return listed;
}

TEST(Libsdformat, AgreesOnEveryFileOfTheCorpus) {
  if (!HaveLibsdformat()) GTEST_SKIP() << "libsdformat 12 is not installed";
  if (!fs::exists(Corpus())) GTEST_SKIP() << "no corpus in " << Corpus();
  const std::vector<std::string> files = SdfFiles();
  const std::map<std::string, std::string> results = CheckAll(files), listed = Listed();
  std::map<std::string, int> counts;
  for (const std::string& file : files) {
    const auto result = results.find(file);
    ASSERT_NE(result, results.end()) << file << " has no result";
    const std::string verdict = result->second.substr(0, result->second.find('\t'));
    const std::string details = result->second.substr(result->second.find('\t') + 1);
    ++counts[verdict];
    const auto expected = listed.find(file);
    if (verdict == "same" || verdict == "neither") {
      EXPECT_EQ(expected, listed.end()) << file << " is listed as '" << expected->second
                                        << "' but the verdict is '" << verdict << "'";
    } else {
      EXPECT_TRUE(expected != listed.end() && expected->second == verdict)
          << verdict << " " << file << ": " << details;
    }
  }
  for (const auto& [file, verdict] : listed)
    EXPECT_TRUE(std::binary_search(files.begin(), files.end(), file))
        << file << " is listed but not in the corpus";
  EXPECT_GE(counts["same"], 150);
  for (const auto& [verdict, count] : counts) RecordProperty(verdict, count);
}

}  // namespace
}  // namespace kinemorph::test

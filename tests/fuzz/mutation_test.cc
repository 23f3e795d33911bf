// Fixtures and real files, broken at random but reproducibly: whatever the text, reading and
// converting it ends with a model or with errors, and what is written is read. Run under the
// sanitizers this finds what a fuzzer finds first (tools/dev/fuzz).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "kinemorph/converters/convert.h"
#include "kinemorph/formats/file_resolver.h"
#include "paths.h"
#include "promises.h"

namespace kinemorph {
namespace {

namespace fs = std::filesystem;

std::string FileText(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Descriptions below a folder, sorted; not longer than `most` bytes.
std::vector<fs::path> FilesBelow(const fs::path& folder, std::uintmax_t most = 1 << 30) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.file_size() <= most &&
        FormatForExtension(entry.path().string()))
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::size_t Below(std::mt19937_64& random, std::size_t n) {
  return static_cast<std::size_t>(random() % std::max<std::size_t>(n, 1));
}

// One mutation: a byte, a cut, a doubled stretch, a stretch moved, or a number replaced by a nasty
// one.
void Mutate(std::string& text, std::mt19937_64& random) {
  static const std::vector<std::string> kNasty = {
      "nan",   "1e999", "-1",        "0",  "1e-320", "",     "inf", "999999999999",
      "0 0 0", "world", "__model__", "-0", "1,5",    "a::b", "../x"};
  if (text.empty()) return;
  const std::size_t at = Below(random, text.size());
  switch (random() % 6) {
    case 0:
      text[at] = static_cast<char>(random() % 256);
      break;
    case 1:
      text.erase(at, Below(random, 40));
      break;
    case 2:
      text.insert(at, text.substr(Below(random, text.size()), Below(random, 60)));
      break;
    case 3: {  // swap two lines
      const std::size_t a = text.find('\n', at), b = text.find('\n', Below(random, text.size()));
      if (a != std::string::npos && b != std::string::npos && a != b) std::swap(text[a], text[b]);
      break;
    }
    default: {  // the value of an attribute, or a text
      const std::size_t quote = text.find('"', at);
      const std::size_t end = quote == std::string::npos ? quote : text.find('"', quote + 1);
      if (end != std::string::npos)
        text.replace(quote + 1, end - quote - 1, kNasty[Below(random, kNasty.size())]);
    }
  }
}

TEST(Mutations, NeverCrashHangOrConvertWithErrors) {
  std::mt19937_64 random(20261121);
  std::size_t read = 0, converted = 0;
  const std::vector<std::string> targets = {"urdf", "urdf+", "sdf", "mjcf", "mbs", "usda"};
  for (const fs::path& file : FilesBelow(fs::path(kinemorph::test::SourceDir()) / "fixtures")) {
    const std::string original = FileText(file);
    for (int round = 0; round < 12; ++round) {
      std::string text = original;
      for (std::size_t n = 1 + Below(random, 3); n > 0; --n) Mutate(text, random);
      Diagnostics diagnostics;
      ReadOptions options;
      options.file_name = file.filename().string();
      const std::optional<Model> model = ReadModel(text, nullptr, options, diagnostics);
      if (!model) {
        EXPECT_TRUE(diagnostics.has_errors()) << file << " was refused in silence:\n" << text;
        continue;
      }
      ++read;
      EXPECT_FALSE(diagnostics.has_errors());
      ConvertOptions convert;
      convert.target.format = FindFormat(targets[Below(random, targets.size())]);
      Diagnostics converting;
      const std::optional<Converted> result = Convert(*model, convert, converting);
      EXPECT_EQ(result.has_value(), !converting.has_errors()) << file;
      converted += result.has_value() ? 1 : 0;
    }
  }
  EXPECT_GT(read, 200u)
      << "the mutations must leave many texts readable, or nothing behind the reader is tested";
  EXPECT_GT(converted, 100u);
}

TEST(Mutations, OfXacroAreExpandedOrRefused) {
  const std::string original =
      R"xml(<robot name="$(arg name)" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:arg name="name" default="dog"/>
<xacro:property name="w" value="${2 * len('ab') ** 2 / 3}"/>
<xacro:property name="legs" value="${[dict(n=i, side=['l', 'r'][i % 2]) for i in range(4)]}"/>
<xacro:property name="feet"><link name="foot"/></xacro:property>
<xacro:macro name="leg" params="leg:=^|0 r:=${w} *b">
<xacro:if value="${r > 1 and leg}"><link name="leg_${r}"><xacro:insert_block name="b"/></link></xacro:if>
<xacro:unless value="true"><x a="$${b}"/></xacro:unless></xacro:macro>
<xacro:leg leg="${legs[1]['n']}" r="${round(w, 2)}"><mass value="${'%.2f' % w}"/></xacro:leg>
<xacro:insert_block name="feet"/><!-- ${w} --><xacro:include filename="no.xacro" optional="true"/>
<xacro:element xacro:name="${'li' + 'nk'}" name="e"><xacro:attribute name="a" value="1"/></xacro:element>
</robot>)xml";
  ASSERT_EQ(fuzz::Expand(original), "");
  std::mt19937_64 random(20261124);
  for (int i = 0; i < 400; ++i) {
    std::string text = original;
    for (std::size_t n = 1 + Below(random, 3); n > 0; --n) Mutate(text, random);
    EXPECT_EQ(fuzz::Expand(text), "") << text;
  }
}

// By first byte and length, the numbers of a text that stand for themselves.
std::vector<std::pair<std::size_t, std::size_t>> NumbersOf(const std::string& text) {
  std::vector<std::pair<std::size_t, std::size_t>> numbers;
  for (std::size_t i = 1; i < text.size(); ++i) {
    constexpr std::string_view kBefore = "\"' >(,\n\t", kDigits = "-.0123456789";
    if (kBefore.find(text[i - 1]) == std::string_view::npos ||
        kDigits.find(text[i]) == std::string_view::npos)
      continue;
    const std::size_t end = std::min(text.find_first_not_of("-+.eE0123456789", i), text.size());
    numbers.emplace_back(i, end - i);
    i = end;
  }
  return numbers;
}

// Every number of a robot becomes another one, sooner or later: what is written is proved, or
// refused for a reason. KINEMORPH_MUTANTS: how many of each fixture; the suite makes one.
TEST(Mutations, OfNumbersKeepThePromiseOfRoundTrips) {
  const char* const wanted = std::getenv("KINEMORPH_MUTANTS");
  const int count = wanted != nullptr ? std::atoi(wanted) : 1;
  const char* const seed = std::getenv("KINEMORPH_SEED");
  std::mt19937_64 random(seed != nullptr ? std::strtoull(seed, nullptr, 10) : 20261201);
  const std::vector<std::string> values = {"0",   "-1",  "-0.5", "1e-9", "1e-6", "0.0001",
                                           "0.1", "3",   "7",    "45",   "100",  "1e4",
                                           "1e6", "1e8", "1e10", "1e-40"};
  const fs::path fixtures = fs::path(kinemorph::test::SourceDir()) / "fixtures";
  for (const fs::path& file : FilesBelow(fixtures, 6'000)) {
    const std::string original = FileText(file);
    const auto numbers = NumbersOf(original);
    for (int i = 0; i < count && !numbers.empty(); ++i) {
      const auto [at, length] = numbers[Below(random, numbers.size())];
      std::string text = original;
      text.replace(at, length, values[Below(random, values.size())]);
      EXPECT_EQ(fuzz::RoundTrip(text), "")
          << file << ", byte " << at << ": " << original.substr(at, length) << " became "
          << text.substr(at, 8);
    }
  }
}

// KINEMORPH_MUTANTS: how many for each target; the suite makes a few.
TEST(Mutations, OfRealFilesAreReadAsTheyWereWritten) {
  const fs::path data = fs::path(kinemorph::test::SharedDir()) / "data";
  if (!fs::exists(data)) GTEST_SKIP() << data << " is not here";
  const char* const wanted = std::getenv("KINEMORPH_MUTANTS");
  const int count = wanted != nullptr ? std::atoi(wanted) : 60;
  const std::vector<fs::path> files = FilesBelow(data, 300'000);
  ASSERT_GT(files.size(), 100u);
  std::mt19937_64 random(20261122);
  std::size_t written = 0;
  for (const char* target : {"urdf", "urdf+", "sdf", "mjcf", "mbs", "usda"}) {
    for (int i = 0; i < count; ++i) {
      const fs::path& file = files[Below(random, files.size())];
      std::string text = FileText(file);
      for (std::size_t n = 1 + Below(random, 3); n > 0; --n) Mutate(text, random);
      Diagnostics reading, converting, rereading;
      ReadOptions options;
      const FileResolver resolver(file.string());
      options.file_name = file.string();
      options.resolver = &resolver;
      const std::optional<Model> model = ReadModel(text, nullptr, options, reading);
      EXPECT_EQ(model.has_value(), !reading.has_errors()) << file << " mutant " << i;
      if (!model) continue;
      ConvertOptions convert;
      convert.target.format = FindFormat(target);
      const std::optional<Converted> result = Convert(*model, convert, converting);
      EXPECT_EQ(result.has_value(), !converting.has_errors()) << file << " mutant " << i;
      for (const Diagnostic& item : converting.items())
        EXPECT_NE(item.code.rfind("internal", 0), 0u) << file << ": " << Render(item);
      if (!result) continue;
      ++written;
      const bool read =
          ReadModel(result->text, convert.target.format, options, rereading).has_value();
      EXPECT_TRUE(read) << file << " to " << target << ", mutant " << i << ":\n"
                        << Render(rereading.items().front());
      if (!read && wanted != nullptr) {
        const std::string name =
            "mutant_" + std::string(target) + "_" + std::to_string(i) + file.extension().string();
        std::ofstream(name, std::ios::binary) << text;
      }
    }
  }
  EXPECT_GT(written, static_cast<std::size_t>(count) / 2);
}

}  // namespace
}  // namespace kinemorph

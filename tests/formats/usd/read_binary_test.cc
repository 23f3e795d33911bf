// Binary USD: what OpenUSD wrote of a text (fixtures/usd/binary) is what that text says, and
// damaged files are refused with the byte.
#include <chrono>
#include <cstring>

#include "kinemorph/graph/model/model_dump.h"
#include "read.h"

namespace kinemorph::test::usd {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string Binary(const std::string& name) { return ReadAll(Fixtures() + "/usd/binary/" + name); }
std::string Text(const std::string& name) { return ReadAll(Fixtures() + "/usd/" + name); }

Read ReadBytes(const std::string& bytes, const std::string& file = "m.usdc") {
  Diagnostics diagnostics;
  Read read;
  read.model = ReadText(bytes, file, diagnostics);
  read.said = Rendered(diagnostics, Severity::kNote);
  // A model or an error, and no defect.
  EXPECT_NE(read.model.has_value(), diagnostics.has_errors()) << read.said;
  return read;
}

std::string RefusedBytes(const std::string& bytes) {
  const Read read = ReadBytes(bytes);
  EXPECT_FALSE(read.model);
  return read.said;
}

std::string Written(const Model& model, const char* format) {
  ConvertOptions options;
  options.target = TargetNamed(format);
  Diagnostics said;
  const std::optional<Converted> converted = Convert(model, options, said);
  return converted ? converted->text : Rendered(said);
}

std::map<std::string, std::string> ValuesIn(const Model& model) {
  std::map<std::string, std::string> values;
  for (const NativeData& data : model.link(LinkId{1}).native)
    for (const auto& [name, value] : data.content.attributes) values[name] = value;
  return values;
}

template <typename T>
void Put(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof(T));
}
template <typename T>
T Taken(const std::string& bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}
// Where a section begins.
std::size_t SectionOf(const std::string& bytes, const std::string& name) {
  const auto contents = Taken<std::uint64_t>(bytes, 16);
  return Taken<std::uint64_t>(
      bytes, bytes.find(name + std::string(16 - name.size(), '\0'), contents) + 16);
}

TEST(UsdBinary, EveryVersionSaysWhatItsTextSays) {
  const Read text = ReadStage(Text("binary/values.usda"));
  ASSERT_TRUE(text.model) << text.said;
  const std::map<std::string, std::string> expected = ValuesIn(*text.model);
  ASSERT_GT(expected.size(), 75u);
  for (const char* version : {"0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "0.12", "0.14"}) {
    const std::string bytes = Binary("values_" + std::string(version) + ".usdc");
    EXPECT_EQ(std::to_string(bytes[8]) + "." + std::to_string(bytes[9]), version);
    const Read read = ReadBytes(bytes);
    ASSERT_TRUE(read.model) << version << read.said;
    const std::map<std::string, std::string> values = ValuesIn(*read.model);
    EXPECT_GT(values.size() + 4, expected.size()) << version << ": time codes are of 0.9";
    for (const auto& [name, value] : values) {
      if (name == "test:moves") continue;
      ASSERT_TRUE(expected.contains(name)) << name;
      EXPECT_EQ(value, expected.at(name)) << version << " " << name;
    }
    if (bytes[9] >= 8) {  // older ones have no list of payloads
      EXPECT_EQ(Written(*text.model, "urdf"), Written(*read.model, "urdf")) << version;
    }
    EXPECT_EQ(read.model->name, "Ärm");
    EXPECT_EQ(read.model->link(LinkId{1}).name, "b") << "in the order of the file";
  }
}

TEST(UsdBinary, AStageIsTheSameRobotInBothForms) {
  for (const char* stage : {"nested", "four_bar"}) {
    const Read text = ReadStage(Text(stage + std::string(".usda")));
    const Read binary = ReadBytes(Binary(stage + std::string(".usdc")));
    ASSERT_TRUE(text.model && binary.model) << binary.said;
    EXPECT_EQ(DumpModel(*text.model), DumpModel(*binary.model));
    for (const char* format : {"usda", "mjcf", "urdf+", "sdf"})
      EXPECT_EQ(Written(*text.model, format), Written(*binary.model, format)) << stage << format;
    EXPECT_THAT(binary.said, Not(testing::ContainsRegex("m.usdc:[0-9]")));
    EXPECT_THAT(binary.said, HasSubstr("m.usdc: "));
  }
}

TEST(UsdBinary, ArcsAreToldAsOfTheText) {
  const std::string said = RefusedBytes(Binary("layered.usdc"));
  EXPECT_THAT(said, HasSubstr("m.usdc: error: the layer: 'subLayers' names '"));
  EXPECT_THAT(said, HasSubstr("prim '/r': 'references' names '"));
}

TEST(UsdBinary, OtherVersionsAreNamed) {
  std::string bytes = Binary("two_bodies.usdc");
  for (const auto& [major, minor] : {std::pair{0, 3}, std::pair{0, 15}, std::pair{1, 8}}) {
    bytes[8] = static_cast<char>(major), bytes[9] = static_cast<char>(minor);
    EXPECT_THAT(RefusedBytes(bytes),
                HasSubstr("byte 8: its version is " + std::to_string(major) + "." +
                          std::to_string(minor) + ".0; kinemorph reads 0.4 to 0.14 [usd-binary]"));
  }
  bytes[8] = 0, bytes[9] = 8, bytes[10] = 9;
  EXPECT_TRUE(ReadBytes(bytes).model) << "the third number never matters";
}

// A count is compared with the file before memory is taken for it.
TEST(UsdBinary, CountsThatTheFileCannotHoldAreRefused) {
  const std::string bytes = Binary("two_bodies.usdc");
  for (const char* section : {"TOKENS", "STRINGS", "FIELDS", "FIELDSETS", "PATHS", "SPECS"}) {
    for (const std::uint64_t count :
         {std::uint64_t{1} << 28, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
      std::string damaged = bytes;
      Put(damaged, SectionOf(bytes, section), count);
      EXPECT_THAT(RefusedBytes(damaged), HasSubstr("[usd-binary]")) << section << count;
    }
  }
  std::string long_table = bytes;
  Put(long_table, Taken<std::uint64_t>(bytes, 16), ~std::uint64_t{0});
  EXPECT_THAT(RefusedBytes(long_table), HasSubstr("items are promised, but the file ends before"));
  std::string far_away = bytes;
  Put(far_away, 16, ~std::uint64_t{0} - 4);
  EXPECT_THAT(RefusedBytes(far_away), HasSubstr("the file ends"));
}

// A block of LZ4 may hold 255 times its size.
TEST(UsdBinary, WhatUnpacksToTooMuchIsRefused) {
  std::string bytes = Binary("two_bodies.usdc");
  const std::size_t tokens = SectionOf(bytes, "TOKENS"), packed = bytes.size();
  constexpr std::uint64_t kUnpacked = 20'000'000;
  std::string block("\0\x1f\0\1\0", 5);  // one zero, copied again and again
  block += std::string(kUnpacked / 255, '\xff') + std::string("\0\0", 2);
  bytes += std::string(24, '\0') + block;
  Put(bytes, packed, kUnpacked), Put(bytes, packed + 8, kUnpacked);
  Put(bytes, packed + 16, static_cast<std::uint64_t>(block.size()));
  const std::size_t entry = bytes.find("TOKENS", Taken<std::uint64_t>(bytes, 16));
  ASSERT_EQ(Taken<std::uint64_t>(bytes, entry + 16), tokens);
  Put(bytes, entry + 16, static_cast<std::uint64_t>(packed));
  Put(bytes, entry + 24, static_cast<std::uint64_t>(bytes.size() - packed));
  EXPECT_THAT(RefusedBytes(bytes),
              HasSubstr("more memory is asked for than a file of its size may"));
}

TEST(UsdBinary, DamageAtAnyByteIsNoCrash) {
  const std::string bytes = Binary("two_bodies.usdc");
  ASSERT_TRUE(ReadBytes(bytes).model);
  const auto start = std::chrono::steady_clock::now();
  std::size_t refused = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    static_cast<void>(RefusedBytes(bytes.substr(0, i)));
    for (const int change : {0xff, 0x01, 0x80}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ change);
      refused += ReadBytes(damaged).model ? 0 : 1;
    }
  }
  EXPECT_GT(refused, bytes.size()) << "most of it counts";
  const std::string values = Binary("values_0.8.usdc");
  for (std::size_t i = 0; i < values.size(); i += 3) {
    std::string damaged = values;
    damaged[i] = static_cast<char>(~damaged[i]);
    static_cast<void>(ReadBytes(damaged));
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), 60);
}

// --- packages ---------------------------------------------------------------------------------

struct Stored {
  std::string name, content;
  std::uint16_t flags = 0, method = 0;
};
std::string Zip(const std::vector<Stored>& files) {
  std::string zip;
  for (const Stored& file : files) {
    const std::size_t at = zip.size();
    // The name is followed by as many bytes as put the content at a multiple of 64.
    const std::size_t begin = at + 30 + file.name.size(), padding = (64 - begin % 64) % 64;
    zip += std::string("PK\3\4", 4) + std::string(26, '\0') + file.name +
           std::string(padding, '\0') + file.content;
    const auto size = static_cast<std::uint32_t>(file.content.size());
    Put(zip, at + 6, file.flags), Put(zip, at + 8, file.method);
    Put(zip, at + 18, size), Put(zip, at + 22, size);
    Put(zip, at + 26, static_cast<std::uint16_t>(file.name.size()));
    Put(zip, at + 28, static_cast<std::uint16_t>(padding));
  }
  return zip + "PK\1\2";
}

TEST(UsdPackage, ItsFirstFileIsTheStage) {
  const std::string crate = Binary("two_bodies.usdc");
  const Read alone = ReadBytes(crate);
  for (const std::string& layer : {crate, Robot(RigidBody("a") + RigidBody("b"))}) {
    const Read read =
        ReadBytes(Zip({{"r.usd", layer}, {"t/a.png", "x"}, {"c.usd", "y"}}), "m.usdz");
    ASSERT_TRUE(read.model) << read.said;
    EXPECT_EQ(read.model->num_links(), 3u);
    EXPECT_THAT(read.said,
                HasSubstr("its layers are read, its other files (1) are not [usd-package]"));
  }
  const Read single = ReadBytes(Zip({{"r.usdc", crate}}), "m.usdz");
  ASSERT_TRUE(single.model && alone.model);
  EXPECT_EQ(DumpModel(*single.model), DumpModel(*alone.model));
  EXPECT_THAT(single.said, Not(HasSubstr("usd-package")));
}

// Beside the layer that names them, else from the root of the package; nothing outside.
TEST(UsdPackage, ItsLayersAreComposed) {
  const auto stage = [](const std::string& file) {
    return kHead + "def \"r\" (\n payload = @" + file + "@\n) {\n}\n";
  };
  const std::string crate = Binary("two_bodies.usdc");
  const Read alone = ReadBytes(crate);
  ASSERT_TRUE(alone.model);
  for (const std::string& first : {std::string("./b.usdc"), std::string("b.usdc")}) {
    const Read read = ReadBytes(
        Zip({{"m.usda", stage("d/c.usda")}, {"d/c.usda", stage(first)}, {"d/b.usdc", crate}}),
        "m.usdz");
    ASSERT_TRUE(read.model) << read.said;
    EXPECT_EQ(read.model->num_links(), alone.model->num_links());
  }
  EXPECT_TRUE(
      ReadBytes(
          Zip({{"m.usda", stage("d/c.usda")}, {"d/c.usda", stage("b.usdc")}, {"b.usdc", crate}}),
          "m.usdz")
          .model);
  EXPECT_THAT(RefusedBytes(Zip({{"m.usda", stage("../m.usda")}})),
              HasSubstr("not found in the package"));
}

TEST(UsdPackage, WhatIsNoPackageOfUsdIsRefused) {
  const std::string crate = Binary("two_bodies.usdc");
  const auto refused = [](const std::vector<Stored>& files) { return RefusedBytes(Zip(files)); };
  EXPECT_THAT(refused({{"r.usdc", crate, 0, 8}}), HasSubstr("is compressed or encrypted"));
  EXPECT_THAT(refused({{"r.usdc", crate, 1}}), HasSubstr("is compressed or encrypted"));
  EXPECT_THAT(refused({{"r.usdc", crate, 8}}), HasSubstr("is compressed or encrypted"));
  for (const char* name : {"../r.usdc", "/r.usdc", "a\\r.usdc", "a/../../r.usdc", "c:r.usdc", ""})
    EXPECT_THAT(refused({{name, crate}}), HasSubstr("leads out of it")) << name;
  EXPECT_THAT(refused({{"a.png", "x"}, {"r.usdc", crate}}), HasSubstr("'a.png' is not a layer"));
  EXPECT_THAT(refused({{"in.usdz", Zip({{"r.usdc", crate}})}}), HasSubstr("is not a layer"));
  EXPECT_THAT(refused({{"\xff.usdc", crate}}), HasSubstr("is not text"));
  const std::string whole = Zip({{"r.usdc", crate}});
  for (std::size_t i = 0; i < whole.size() - 4; i += 7)
    EXPECT_FALSE(ReadBytes(whole.substr(0, i), "m.usdz").model) << i;
}

}  // namespace
}  // namespace kinemorph::test::usd

#include "host/asset_kinds.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "kinemorph/formats/lfs_pointer.h"
#include "kinemorph/formats/xml_tags.h"
#include "kinemorph/graph/base/text.h"

namespace kinemorph::tools {
namespace {

// --copy-assets opens files that a stranger's description names. A file is taken for a mesh or a
// picture only if its content says so too: else a name like arm.stl could bring any file into what
// is given away.

using std::string_view;
using namespace std::string_view_literals;

constexpr std::size_t kHead = 65536;  // of a file that may begin with remarks
constexpr string_view kBuffer = ".bin";
constexpr const char* kFetchIt = "it is a Git LFS pointer: run \"git lfs pull\" in its repository";
constexpr std::size_t kMostPadding = 8;  // bytes behind a buffer

string_view WithoutSpace(string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

std::uint32_t Number(string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i > 0; --i)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i - 1]);
  return value;
}

// The first line that is no remark begins with one of these words.
bool FirstWordIs(string_view text, std::initializer_list<string_view> words) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const string_view line = WithoutSpace(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line[0] == '#') continue;
    const string_view word = line.substr(0, line.find_first_of(" \t"));
    return std::find(words.begin(), words.end(), word) != words.end();
  }
  return false;
}

// Binary STL: 80 bytes of anything, a count, then 50 bytes for each triangle. Some writers leave
// bytes behind them.
bool IsStl(string_view bytes) {
  if (bytes.size() >= 84 && 84 + std::uint64_t{50} * Number(bytes, 80) <= bytes.size()) return true;
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  if (start == string_view::npos) return false;
  const string_view text = bytes.substr(start);
  return text.starts_with("solid") && (text.size() == 5 || IsSpace(text[5]));
}

// Any statement of the format may come first; a file of another kind would have to begin with a
// lone word of these.
bool IsObj(string_view bytes) {
  return FirstWordIs(bytes, {"v", "vn", "vt", "vp", "f", "l", "p", "o", "g", "s", "mg", "mtllib",
                             "usemtl", "cstype", "deg", "usemap", "maplib"});
}

bool IsMtl(string_view bytes) { return FirstWordIs(bytes, {"newmtl"}); }

bool IsXmlWith(string_view bytes, string_view element) {
  // The root of COLLADA stands behind an optional declaration and remarks.
  const auto root = kinemorph::NextTag(bytes.substr(0, kHead));
  return root && root->name == element;
}

// MuJoCo's own: counts of vertices, normals, texture coordinates and faces, then those.
bool IsMsh(string_view bytes) {
  if (bytes.size() < 16) return false;
  const auto count = [&](std::size_t i) { return std::uint64_t{Number(bytes, 4 * i)}; };
  return bytes.size() == 16 + 4 * (3 * count(0) + 3 * count(1) + 2 * count(2) + 3 * count(3));
}

// MuJoCo's height field: rows, columns and their numbers.
bool IsHeightField(string_view bytes) {
  if (bytes.size() < 12) return false;
  const std::uint64_t rows = Number(bytes, 0), columns = Number(bytes, 4);
  return rows > 0 && columns > 0 && rows * columns < bytes.size() &&
         bytes.size() == 4 * (2 + rows * columns);
}

// MuJoCo's skin: counts of vertices, texture coordinates, faces and bones, then those.
bool IsSkin(string_view bytes) {
  if (bytes.size() < 16) return false;
  const auto count = [&](std::size_t i) { return std::uint64_t{Number(bytes, 4 * i)}; };
  return count(0) > 0 && bytes.size() >= 16 + 4 * (3 * count(0) + 2 * count(1) + 3 * count(2));
}

// No bytes are promised at the start; its fields are small numbers.
bool IsTga(string_view bytes) {
  if (bytes.size() < 18) return false;
  const auto kind = static_cast<unsigned char>(bytes[2]),
             depth = static_cast<unsigned char>(bytes[16]);
  constexpr std::array<unsigned char, 7> kKinds = {0, 1, 2, 3, 9, 10, 11};
  return static_cast<unsigned char>(bytes[1]) <= 1 &&
         std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end() &&
         (depth == 8 || depth == 15 || depth == 16 || depth == 24 || depth == 32);
}

bool StartsWithAny(string_view bytes, std::initializer_list<string_view> starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](string_view start) { return bytes.starts_with(start); });
}

bool IsGltf(string_view bytes) {
  return WithoutSpace(bytes.substr(0, kHead)).starts_with('{') &&
         bytes.find("\"asset\"") != string_view::npos;
}

struct Kind {
  string_view extension;
  bool (*is)(string_view bytes);
};

// One row for each extension, the content by its first bytes where the format promises any.
constexpr Kind kKinds[] = {
    {".stl", IsStl},
    {".obj", IsObj},
    {".mtl", IsMtl},
    {".msh", [](string_view b) { return IsMsh(b) || b.starts_with("$MeshFormat"); }},
    {".bin", IsHeightField},
    {".skn", IsSkin},
    {".dae", [](string_view b) { return IsXmlWith(b, "COLLADA"); }},
    {".ply",
     [](string_view b) {
       return StartsWithAny(b, {"ply\n", "ply\r"});
     }},
    {".glb", [](string_view b) { return b.starts_with("glTF"); }},
    {".gltf", IsGltf},
    {".off",
     [](string_view b) {
       return FirstWordIs(b, {"OFF", "COFF", "NOFF", "STOFF"});
     }},
    {".3ds", [](string_view b) { return b.starts_with("MM"); }},
    {".fbx",
     [](string_view b) {
       return StartsWithAny(b, {"Kaydara FBX Binary", "; FBX"});
     }},
    {".blend", [](string_view b) { return b.starts_with("BLENDER"); }},
    {".usda", [](string_view b) { return b.starts_with("#usda"); }},
    {".usdc", [](string_view b) { return b.starts_with("PXR-USDC"); }},
    {".wrl", [](string_view b) { return b.starts_with("#VRML"); }},
    {".png", [](string_view b) { return b.starts_with("\x89PNG\r\n\x1a\n"); }},
    {".jpg", [](string_view b) { return b.starts_with("\xFF\xD8\xFF"); }},
    {".jpeg", [](string_view b) { return b.starts_with("\xFF\xD8\xFF"); }},
    {".bmp", [](string_view b) { return b.size() > 26 && b.starts_with("BM"); }},
    {".gif",
     [](string_view b) {
       return StartsWithAny(b, {"GIF87a", "GIF89a"});
     }},
    {".tga", IsTga},
    {".tif",
     [](string_view b) {
       return StartsWithAny(b, {"II*\0"sv, "MM\0*"sv});
     }},
    {".tiff",
     [](string_view b) {
       return StartsWithAny(b, {"II*\0"sv, "MM\0*"sv});
     }},
    {".dds", [](string_view b) { return b.starts_with("DDS "); }},
    {".hdr",
     [](string_view b) {
       return StartsWithAny(b, {"#?RADIANCE", "#?RGBE"});
     }},
    {".exr", [](string_view b) { return b.starts_with("v/1\x01"); }},
    {".ktx", [](string_view b) { return b.starts_with("\xABKTX"); }},
    {".webp",
     [](string_view b) { return b.starts_with("RIFF") && b.substr(0, 12).ends_with("WEBP"); }},
};

// Most options have one value, but some up to three numbers, and nothing marks where the values end
// and the name begins.
// Where the name starts behind the options of a picture: `-s 1 1 1 wood.png`.
std::size_t BehindOptions(string_view line, std::size_t at) {
  const auto word_end = [&](std::size_t from) {
    return std::min(line.find_first_of(" \t", from), line.size());
  };
  const auto next = [&](std::size_t from) {
    return std::min(line.find_first_not_of(" \t", from), line.size());
  };
  while (at < line.size() && line[at] == '-') {
    const string_view option = line.substr(at, word_end(at) - at);
    at = next(word_end(at));
    const bool numbers = option == "-o" || option == "-s" || option == "-t" || option == "-mm";
    if (!numbers) {
      at = next(word_end(at));
      continue;
    }
    for (int i = 0; i < 3 && at < line.size(); ++i) {
      const string_view word = line.substr(at, word_end(at) - at);
      if (word.find_first_not_of("+-.0123456789eE") != string_view::npos) break;
      at = next(word_end(at));
    }
  }
  return at;
}

// For obj and mtl files, which are lists of lines; a name goes to the end of its line.
// By line that begins with such a word: where its name stands.
template <class IsKeyword>
std::vector<NamedFile> Named(string_view text, const IsKeyword& is_keyword) {
  std::vector<NamedFile> names;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    string_view line = text.substr(start, end - start);
    while (!line.empty() && IsSpace(line.back())) line.remove_suffix(1);
    const std::size_t word = line.find_first_not_of(" \t");
    if (word != string_view::npos) {
      const std::size_t word_end = std::min(line.find_first_of(" \t", word), line.size());
      if (is_keyword(LowerCase(line.substr(word, word_end - word)))) {
        std::size_t at = std::min(line.find_first_not_of(" \t", word_end), line.size());
        at = BehindOptions(line, at);
        if (at < line.size()) names.push_back({start + at, line.size() - at});
      }
    }
    start = end + 1;
  }
  return names;
}

const Kind* KindNamed(string_view path) {
  const std::string extension = ExtensionOf(path);
  return std::find_if(std::begin(kKinds), std::end(kKinds),
                      [&](const Kind& each) { return each.extension == extension; });
}

}  // namespace

bool IsAssetName(string_view path) {
  return KindNamed(path) != std::end(kKinds) || ExtensionOf(path) == kBuffer;
}

std::string WhyNoBuffer(string_view path, string_view bytes, std::size_t length) {
  if (ExtensionOf(path) != kBuffer) return "the name of a glTF buffer must end in .bin";
  if (IsLfsPointer(bytes)) return kFetchIt;
  // A buffer may be padded to a multiple of four, or eight.
  const bool fits = length > 0 && bytes.size() >= length && bytes.size() - length < kMostPadding;
  return fits ? ""
              : "the glTF file says that the buffer has " + std::to_string(length) +
                    " bytes, and the file has " + std::to_string(bytes.size());
}

std::string WhyNoAsset(string_view path, string_view bytes) {
  const Kind* const kind = KindNamed(path);
  if (kind == std::end(kKinds)) return "its name is of no mesh or picture";
  if (IsLfsPointer(bytes)) return kFetchIt;
  return kind->is(bytes) ? "" : "its content is of no mesh or picture of its name";
}

std::vector<NamedFile> LibrariesOfObj(string_view text) {
  return Named(text, [](const std::string& word) { return word == "mtllib"; });
}

std::vector<NamedFile> PicturesOfMtl(string_view text) {
  return Named(text, [](const std::string& word) {
    return word.starts_with("map_") || word == "bump" || word == "disp" || word == "decal" ||
           word == "norm" || word == "refl";
  });
}

}  // namespace kinemorph::tools

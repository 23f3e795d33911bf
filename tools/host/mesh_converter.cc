#include "host/mesh_converter.h"

#include <filesystem>
#include <optional>

#include "host/files.h"
#include "host/plain_text.h"
#include "host/program.h"
#include "kinemorph/formats/coloured_mesh.h"
#include "kinemorph/formats/mesh_file.h"
#include "kinemorph/formats/xml_tags.h"
#include "kinemorph/graph/base/text.h"

namespace kinemorph::tools {
namespace fs = std::filesystem;
namespace {

constexpr double kMeshSeconds = 60;

// MuJoCo and others do not open COLLADA. Each mesh is converted once into a temporary folder, from
// which it is copied like any other asset (asset_copies.cc). A mesh that cannot be converted is
// told and left as it is.

// Of what a program said, the line that says what is wrong.
std::string Complaint(const std::string& words) {
  std::string last;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find('\n', at), words.size());
    std::string line = words.substr(at, end - at);
    at = end + 1;
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0)
      line.pop_back();
    // assimp says more than one line; the last one is often a summary.
    if (line.find("ERROR") != std::string::npos) return line;
    if (!line.empty()) last = line;
  }
  return last;
}

}  // namespace

std::vector<ColouredFile> ObjConverter::FilesOf(const std::string& path, bool by_colour) {
  const auto [entry, fresh] = made_of_.try_emplace(path);
  Made& made = entry->second;
  if (fresh) made.whole = Make(path, made.parts);
  if (made.whole.empty()) return {};
  return by_colour && !made.parts.empty() ? made.parts
                                          : std::vector<ColouredFile>{{made.whole, std::nullopt}};
}

// "arm_1.obj" and so on beside "arm.obj", or that file itself. Empty where a file is not written.
std::vector<ColouredFile> ObjConverter::Split(const std::string& obj, const std::string& library) {
  std::string why;
  const std::string text = ReadWhole(obj, why).value_or("");
  const auto parts = PartsByColour(text, library);
  const auto mesh = DecodeMesh(obj, text, why);
  const bool one = parts.size() == 1;
  if (!mesh || !WriteWhole(obj, one ? parts[0].obj : ObjText(*mesh)).empty()) return {};
  if (one) return {{obj, parts[0].colour}};
  const fs::path file(obj);
  std::vector<ColouredFile> files;
  for (const ColouredPart& part : parts) {
    const fs::path name = file.stem().string() + "_" + std::to_string(files.size() + 1) + ".obj";
    files.push_back({(file.parent_path() / name).string(), part.colour});
    if (!WriteWhole(files.back().path, part.obj).empty()) return {};
  }
  return files;
}

void ObjConverter::Warn(const char* code, const std::string& path, const std::string& why) {
  diagnostics_.Add({Severity::kWarning,
                    code,
                    path,
                    0,
                    "",
                    "mesh '" + fs::path(path).filename().string() + "' is not converted: " + why,
                    {}});
}

std::string ObjConverter::Make(const std::string& path, std::vector<ColouredFile>& parts) {
  // Told once; without the program each mesh would say the same.
  if (missing_) return "";
  if (!folder_) folder_.emplace();
  if (folder_->path().empty()) {
    Warn("mesh-not-converted", path, "no temporary folder can be made");
    return "";
  }
  // A folder for each mesh: meshes of several folders may have one name.
  const fs::path own = fs::path(folder_->path()) / std::to_string(made_of_.size());
  fs::create_directory(own);
  std::string why;
  std::optional<std::string> text = ReadWhole(path, why);
  if (!text) {
    Warn("mesh-not-converted", path, why);
    return "";
  }
  // Of triangles alone, nobody else is needed.
  if (ExtensionOf(path) == ".stl") {
    const std::string obj = (own / fs::path(path).filename().replace_extension(".obj")).string();
    const auto mesh = DecodeMesh(path, *text, why);
    if (mesh) why = mesh->faces.empty() ? "it has no faces" : WriteWhole(obj, ObjText(*mesh));
    if (why.empty()) return obj;
    Warn("mesh-not-converted", path, why);
    return "";
  }
  // Whoever reads URDF or SDFormat takes the positions as they are; assimp would turn z upright to
  // y.
  if (const auto axis = NextTag(*text, "up_axis"))
    if (const std::string_view up = TextBehind(*text, *axis); up == "Z_UP" || up == "X_UP")
      text->replace(static_cast<std::size_t>(up.data() - text->data()), 1, "Y");
  const std::string source = (own / fs::path(path).filename()).string();
  const std::string obj = fs::path(source).replace_extension(".obj").string();
  // A copy of our own, whose text may be changed and beside which assimp may write.
  why = WriteWhole(source, *text);
  if (!why.empty()) {
    Warn("mesh-not-converted", path, why);
    return "";
  }
  const auto run = RunProgram({"assimp", "export", source, obj, "-tri"}, "", kMeshSeconds);
  std::error_code error;
  if (!run || run->exit_code == 127) {
    missing_ = true;
    Warn("mesh-no-converter", path, "the program assimp is not installed (Debian: assimp-utils)");
    return "";
  }
  if (run->exit_code != 0 || !fs::is_regular_file(obj, error) || fs::file_size(obj, error) == 0) {
    Warn("mesh-not-converted", path,
         run->timed_out ? "assimp did not end within 60 s"
                        : "assimp says: " + Complaint(PlainText(run->output)));
    return "";
  }
  // Its colours are a library beside it, which MuJoCo does not read and nobody shall copy.
  const std::string library = fs::path(obj).replace_extension(".mtl").string();
  parts = Split(obj, ReadWhole(library, why).value_or(""));
  fs::remove(library, error);
  return obj;
}

}  // namespace kinemorph::tools

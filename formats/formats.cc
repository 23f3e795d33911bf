// The registry: a literal list, and how a format is found.
#include "kinemorph/formats/formats.h"

#include <algorithm>
#include <array>

#include "kinemorph/formats/refusals.h"
#include "xml/templates.h"
#include "xml/xml_reader.h"
#if __has_include("urdf/urdf.h")
#include "urdf/urdf.h"
#define KM_URDF 1
#endif
#if __has_include("sdformat/sdformat.h")
#include "sdformat/sdformat.h"
#define KM_SDF 1
#endif
#if __has_include("mjcf/mjcf.h")
#include "mjcf/mjcf.h"
#define KM_MJCF 1
#endif
#if __has_include("robotran/mbs.h")
#include "robotran/mbs.h"
#define KM_MBS 1
#endif

namespace kinemorph {
namespace {

std::string Extension(std::string_view file_name) {
  const std::size_t slash = file_name.find_last_of("/\\");
  const std::string_view base =
      slash == std::string_view::npos ? file_name : file_name.substr(slash + 1);
  const std::size_t dot = base.find_last_of('.');
  if (dot == std::string_view::npos) return "";
  std::string extension(base.substr(dot));
  std::transform(extension.begin(), extension.end(), extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return extension;
}

// Elements and attributes that plain URDF does not have.
bool LooksLikeUrdfPlus(std::string_view text) {
  constexpr std::array<std::string_view, 6> kMarks = {
      "<loop", "<coupling", "<constraint", "<joint_constraint", "independent=\"", "independent='"};
  return std::any_of(kMarks.begin(), kMarks.end(), [&](std::string_view mark) {
    return text.find(mark) != std::string_view::npos;
  });
}

}  // namespace

const std::vector<Format>& AllFormats() {
  static const std::vector<Format> kFormats = {
#ifdef KM_URDF
      {"urdf", "URDF", {".urdf"}, "robot", {}, &ReadUrdf, &WriteUrdf},
      {"urdf+",
       "URDF+ (URDF with loops and couplings)",
       {".urdf+", ".urdfplus"},
       "robot",
       {},
       &ReadUrdf,
       &WriteUrdfPlus},
#endif
#ifdef KM_SDF
      {"sdf",
       "SDFormat",
       {".sdf", ".world"},
       "sdf",
       {"1.9", "1.4", "1.5", "1.6", "1.7", "1.8", "1.10", "1.11", "1.12"},
       &ReadSdf,
       &WriteSdf},
#endif
#ifdef KM_MJCF
      {"mjcf", "MuJoCo MJCF", {".xml", ".mjcf"}, "mujoco", {}, &ReadMjcf, &WriteMjcf},
#endif
#ifdef KM_MBS
      {"mbs", "Robotran MBS", {".mbs"}, "mbsDescR7", {}, &ReadMbs, &WriteMbs, &UserConstraintCode},
#endif
  };
  return kFormats;
}

const Format* FindFormat(std::string_view name, std::string& version) {
  const std::size_t at = name.find('@');
  version = at == std::string_view::npos ? "" : std::string(name.substr(at + 1));
  const std::string_view family = name.substr(0, at);
  for (const Format& format : AllFormats()) {
    if (format.name != family) continue;
    const bool known =
        at == std::string_view::npos ||
        std::find(format.versions.begin(), format.versions.end(), version) != format.versions.end();
    return known ? &format : nullptr;
  }
  return nullptr;
}

const Format* FindFormat(std::string_view name) {
  std::string version;
  return FindFormat(name, version);
}

const Format* FormatForExtension(std::string_view file_name) {
  const std::string extension = Extension(file_name);
  for (const Format& format : AllFormats()) {
    if (std::find(format.extensions.begin(), format.extensions.end(), extension) !=
        format.extensions.end())
      return &format;
  }
  return nullptr;
}

const Format* DetectFormat(std::string_view text, std::string_view file_name,
                           Diagnostics& diagnostics) {
  const Format* by_name = FormatForExtension(file_name);
  const std::string_view root = xml::RootElementName(text);
  const Format* by_root = nullptr;
  for (const Format& format : AllFormats())
    if (format.root_element == root && !by_root) by_root = &format;
  if (root == "model" || root == "world" || root == "gazebo")
    by_root = FindFormat("sdf");  // SDFormat without its envelope: the reader says what is wrong
  if (root == "mujocoinclude") by_root = FindFormat("mjcf");
  if (by_root && by_root->name == "urdf" && LooksLikeUrdfPlus(text)) by_root = FindFormat("urdf+");
  const std::string file(file_name);
  if (!by_root) {
    // Nothing recognisable at the root: the extension's reader gives the better message (malformed,
    // empty, wrong root).
    if (by_name) return by_name;
    if (!xml::RefuseTemplate(
            text, {.diagnostics = &diagnostics, .file_name = file, .file = 0, .format = ""}))
      return nullptr;
    diagnostics.Add({Severity::kError,
                     "format-unknown",
                     file,
                     1,
                     "",
                     "'" + file + "': neither the root element '" + std::string(root) +
                         "' nor the file's extension is of a known format; name it with --from",
                     {}});
    return nullptr;
  }
  if (by_name && by_name->root_element != by_root->root_element) {
    diagnostics.Add({Severity::kWarning,
                     "format-mismatch",
                     file,
                     1,
                     "",
                     "'" + file + "': the extension says " + std::string(by_name->name) +
                         ", the root element '" + std::string(root) + "' says " +
                         std::string(by_root->name) + "; read as " + std::string(by_root->name),
                     {}});
  }
  return by_root;
}

std::string WhyRefused(const Format& format, const Model& model, const NativeData& data) {
#ifdef KM_SDF
  if (format.write == &WriteSdf) return SdfRefuses(model, data);
#endif
#ifdef KM_MJCF
  if (format.write == &WriteMjcf) return MjcfRefuses(model, data);
#endif
#ifdef KM_MBS
  if (format.write == &WriteMbs) return MbsRefuses(model, data);
#endif
  return "";
}

std::string_view TextureFiles(const Format& format) {
#ifdef KM_MJCF
  if (format.write == &WriteMjcf) return ".png .ktx";
#endif
  static_cast<void>(format);
  return {};
}

}  // namespace kinemorph

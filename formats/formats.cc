// The registry: a literal list, and how a format is found.
#include "kinemorph/formats/formats.h"

#include <algorithm>

#include "kinemorph/formats/capability_table.h"
#include "kinemorph/formats/lfs_pointer.h"
#include "kinemorph/formats/xml_tags.h"
#include "kinemorph/graph/base/text.h"
#include "mjcf/mjcf.h"
#include "robotran/mbs.h"
#include "sdformat/sdformat.h"
#include "urdf/urdf.h"
#include "usd/usd.h"
#include "xml/templates.h"
#include "xml/xml_reader.h"

namespace kinemorph {

// Everything that knows formats goes through this list: the command, the passes, the bindings and
// the table of the README. Its order is that of help texts and of equal likeness.

namespace {

// A format that recognises nothing has no text of its own.
Likeness LikenessOf(const Format& format, std::string_view text) {
  return format.likeness == nullptr ? Likeness::kForeign : format.likeness(text);
}

}  // namespace

// Made on first use, when the tables of all formats are there.
const std::vector<Format>& AllFormats() {
  static const std::vector<Format> kFormats = {
      UrdfFormat(), UrdfPlusFormat(), SdfFormat(), MjcfFormat(), MbsFormat(), UsdFormat(),
  };
  return kFormats;
}

const Dialect* FindProfile(const Format& format, std::string_view name) {
  const auto found = std::find_if(
      format.dialects.begin(), format.dialects.end(),
      [&](const Dialect& dialect) { return !name.empty() && dialect.options.profile == name; });
  return found == format.dialects.end() ? nullptr : &*found;
}

std::vector<std::string_view> AllProfiles() {
  std::vector<std::string_view> names = {kDefaultProfile};
  for (const Format& format : AllFormats()) {
    for (const Dialect& dialect : format.dialects) {
      const std::string_view name = dialect.options.profile;
      if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
  }
  return names;
}

// The default has a name for the user and none in the options.
std::string ProfileNamed(std::string_view name) {
  const std::vector<std::string_view> all = AllProfiles();
  const bool known = std::find(all.begin() + 1, all.end(), name) != all.end();
  return known ? std::string(name) : std::string();
}

// "sdf@1.7" is a family and a version; a version that the format does not list is unknown.
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

const Format* FormatOfFamily(std::string_view family) {
  const std::vector<Format>& all = AllFormats();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Format& format) {
    return format.traits(format.dialects.front().options).native_format == family;
  });
  return found == all.end() ? nullptr : &*found;
}

// What a sensor's own format says beyond the fields that all formats share: its reader takes those
// out of the text, and the rest is left.
std::optional<NativeData> BeyondFields(const Sensor& sensor) {
  NativeData rest = sensor.native;
  Sensor unused;
  const Format* const format = FindFormat(rest.format);
  if (format == nullptr || format->sensors.read == nullptr) return rest;
  rest.content = format->sensors.read(std::move(rest.content), unused);
  if (rest.content.attributes.empty() && rest.content.children.empty()) return std::nullopt;
  return rest;
}

std::optional<NativeData> BeyondFields(const Actuator& drive) {
  NativeData rest = drive.native;
  if (rest.content.empty()) return std::nullopt;
  const Format* const format = FormatOfFamily(rest.format);
  if (format != nullptr && format->drives.rest != nullptr)
    rest.content = format->drives.rest(std::move(rest.content));
  if (rest.content.attributes.empty() && rest.content.children.empty()) return std::nullopt;
  return rest;
}

const Format* FormatForExtension(std::string_view file_name) {
  const std::string extension = ExtensionOf(file_name);
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
  const Format* by_text = nullptr;
  Likeness best = Likeness::kForeign;
  for (const Format& format : AllFormats()) {
    const Likeness likeness = LikenessOf(format, text);
    if (likeness <= best) continue;
    best = likeness;
    by_text = &format;
  }
  const std::string file(file_name);
  const std::string root(RootElementName(text));
  if (!by_text) {
    // Nothing recognisable: the extension's reader gives the better message (malformed, empty,
    // wrong root).
    const bool is_pointer = IsLfsPointer(text);
    if (by_name && !is_pointer) return by_name;
    // A template has no root that any format knows; it is named before the file is called unknown.
    const bool binary = text.find('\0') != std::string_view::npos;
    if (!binary &&
        !xml::RefuseTemplate(
            text, {.diagnostics = &diagnostics, .file_name = file, .file = 0, .format = ""}))
      return nullptr;
    diagnostics.Add(MakeDiagnostic(
        Severity::kError, "format-unknown", file, 1, "",
        {"", file,
         is_pointer ? "is a Git LFS pointer; run \"git lfs pull\" in its repository"
         : binary   ? "is a binary file of no known format"
         : root.empty()
             ? "is no XML, and its extension is of no known format; name it with --from"
             : "neither the root element '" + root +
                   "' nor the file's extension is of a known format; name it with --from"}));
    return nullptr;
  }
  // A file with another format's extension is read all the same, and told: the reader's messages
  // would be puzzling otherwise.
  if (by_name && LikenessOf(*by_name, text) == Likeness::kForeign) {
    diagnostics.Add(MakeDiagnostic(
        Severity::kWarning, "format-mismatch", file, 1, "",
        {"", file,
         "the extension says " + std::string(by_name->name) + ", the root element '" + root +
             "' says " + std::string(by_text->name) + "; read as " + std::string(by_text->name)}));
  }
  return by_text;
}

Capability CapabilityOf(Feature feature, const Target& target) {
  return target.format ? target.format->capability(feature, target.options) : Capability{};
}

TargetTraits TraitsOf(const Target& target) {
  return target.format ? target.format->traits(target.options) : TargetTraits{};
}

std::optional<Vector3> GravityIn(const Target& target, const Model& model) {
  if (model.gravity) return model.gravity;
  if (target.format == nullptr) return std::nullopt;
  const bool in_world = std::any_of(model.scopes.begin(), model.scopes.end(),
                                    [](const Scope& scope) { return scope.is_world; });
  if (target.format->gravity_is_of_worlds && !in_world) return std::nullopt;
  return target.format->silent_gravity;
}

std::optional<Vector3> GravityMeantBy(const Model& model) {
  Target own;
  own.format = FindFormat(model.format);
  return GravityIn(own, model);
}

std::vector<TableColumn> TableColumns() {
  std::vector<TableColumn> columns;
  for (const Format& format : AllFormats())
    for (const Dialect& dialect : format.dialects)
      columns.push_back({dialect.title, {&format, dialect.options}});
  return columns;
}

}  // namespace kinemorph

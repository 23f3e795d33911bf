// libsdformat's opinion. Versions newer than its own load "without errors" but are not understood,
// so they are not judged.
#include <tinyxml2.h>

#include <memory>
#include <optional>
#include <sdf/sdf.hh>
#include <string>
#include <string_view>

#include "judge.h"
#include "kinemorph/formats/version.h"

namespace kinemorph::judge {
namespace {

// libsdformat copies the description of all that a link or joint may hold (2 MB) into each.
constexpr int kMostLinksAndJoints = 1000;

// The label is read first: libsdformat loads a newer version without a word and passes over what it
// does not know, which would be no verdict.

// What the file says of itself; nothing where it is no XML.
struct Outline {
  std::optional<Version> version;  // none where the label is no version
  int links_and_joints = 0;
  std::string unknown_sensor;  // a type that the library does not know; empty: none
  std::string without;         // the text without such sensors
};
// Counts the element and all below, and takes such sensors out.
void Look(tinyxml2::XMLElement& element, Outline& outline) {
  for (auto* child = element.FirstChildElement(); child != nullptr;) {
    auto* const next = child->NextSiblingElement();
    const std::string_view name = child->Name();
    if (name == "link" || name == "joint") ++outline.links_and_joints;
    const char* const type = name == "sensor" ? child->Attribute("type") : nullptr;
    if (type != nullptr && !sdf::Sensor().SetType(type)) {
      outline.unknown_sensor = type;
      element.DeleteChild(child);
    } else {
      Look(*child, outline);
    }
    child = next;
  }
}
Outline OutlineOf(const std::string& file) {
  Outline outline;
  tinyxml2::XMLDocument document;
  if (document.LoadFile(file.c_str()) != tinyxml2::XML_SUCCESS || !document.RootElement())
    return outline;
  const char* version = document.RootElement()->Attribute("version");
  if (version != nullptr) outline.version = ParseVersion(version);
  Look(*document.RootElement(), outline);
  tinyxml2::XMLPrinter printer;
  if (!outline.unknown_sensor.empty()) document.Print(&printer), outline.without = printer.CStr();
  return outline;
}

// The description of all elements, which takes as long to read as a robot does to load. A file is
// read into it, so that a process (a fork of one that stands) judges one file.
const sdf::SDFPtr& Schema() {
  static const sdf::SDFPtr schema = [] {
    auto made = std::make_shared<sdf::SDF>();
    sdf::init(made);
    return made;
  }();
  return schema;
}

}  // namespace

void PrepareSdf() { Schema(); }

Verdict JudgeSdf(const std::string& file) {
  const std::string library = "libsdformat " SDF_VERSION_FULL;
  const Outline outline = OutlineOf(file);
  const std::optional<Version>& version = outline.version;
  if (version && *version > ParseVersion(SDF_PROTOCOL_VERSION)) {
    return {kNotJudged, "not judged: " + library +
                            " knows SDFormat up to " SDF_PROTOCOL_VERSION ", and the file is " +
                            std::to_string(version->major) + "." + std::to_string(version->minor) +
                            ", of which it would pass over what is new"};
  }
  if (outline.links_and_joints > kMostLinksAndJoints) {
    return {kNotJudged, "not judged: " + library +
                            " takes 1 MB and more for every link and joint, and the file has " +
                            std::to_string(outline.links_and_joints) + " (judged: up to " +
                            std::to_string(kMostLinksAndJoints) + ")"};
  }
  // Nothing is looked for on the disk, and what a world includes from elsewhere is no fault of it.
  sdf::ParserConfig config = sdf::ParserConfig::GlobalConfig();
  config.SetFindCallback([](const std::string&) { return std::string(); });
  // As Root::Load(file, config) does, but for the schema.
  sdf::Errors errors;
  const bool whole = outline.unknown_sensor.empty();
  if (!(whole ? sdf::readFile(file, config, Schema(), errors)
              : sdf::readString(outline.without, config, Schema(), errors))) {
    errors.emplace_back(sdf::ErrorCode::FILE_READ, "Unable to read file:" + file);
  } else {
    const sdf::Errors more = sdf::Root().Load(Schema(), config);
    errors.insert(errors.end(), more.begin(), more.end());
  }
  const auto elsewhere = std::erase_if(
      errors, [](const sdf::Error& error) { return error.Code() == sdf::ErrorCode::URI_LOOKUP; });
  if (errors.empty())
    return {kAccepted,
            library + " accepts the file" +
                (elsewhere > 0 ? " without the models that it includes from elsewhere" : "") +
                (whole ? ""
                       : ", without sensors like '" + outline.unknown_sensor +
                             "', which the library does not know")};
  std::string words = library + " refuses the file:";
  // All errors, since the first is often a consequence.
  for (const sdf::Error& error : errors) words += "\n    " + error.Message();
  return {kRefused, words};
}

}  // namespace kinemorph::judge

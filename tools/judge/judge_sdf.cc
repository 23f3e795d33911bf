// libsdformat's opinion. Versions newer than its own load "without errors" but are not understood,
// so they are not judged.
#include <tinyxml2.h>

#include <optional>
#include <sdf/sdf.hh>
#include <string>

#include "judge.h"
#include "kinemorph/formats/version.h"

namespace kinemorph::judge {
namespace {

// The version that the file is labelled with; none where that is no version.
std::optional<Version> VersionOf(const std::string& file) {
  tinyxml2::XMLDocument document;
  if (document.LoadFile(file.c_str()) != tinyxml2::XML_SUCCESS || !document.RootElement())
    return std::nullopt;
  const char* version = document.RootElement()->Attribute("version");
  return version == nullptr ? std::nullopt : ParseVersion(version);
}

}  // namespace

Verdict JudgeSdf(const std::string& file) {
  const std::string library = "libsdformat " SDF_VERSION_FULL;
  const std::optional<Version> version = VersionOf(file);
  if (version && *version > ParseVersion(SDF_PROTOCOL_VERSION)) {
    return {kNotJudged, "not judged: " + library +
                            " knows SDFormat up to " SDF_PROTOCOL_VERSION ", and the file is " +
                            std::to_string(version->major) + "." + std::to_string(version->minor) +
                            ", of which it would pass over what is new"};
  }
  sdf::SDFPtr text(new sdf::SDF());
  sdf::init(text);
  sdf::Root root;
  sdf::ParserConfig config = sdf::ParserConfig::GlobalConfig();
  config.SetFindCallback([](const std::string&) { return std::string(); });
  const sdf::Errors errors = root.Load(file, config);
  if (errors.empty()) return {kAccepted, library + " accepts the file"};
  std::string words = library + " refuses the file:";
  for (const sdf::Error& error : errors) words += "\n    " + error.Message();
  return {kRefused, words};
}

}  // namespace kinemorph::judge

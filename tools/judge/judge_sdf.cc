// libsdformat's opinion. Versions newer than its own load "without errors" but are not understood,
// so they are not judged.
#include <sdf/sdf.hh>
#include <string>

#include "judge.h"

namespace kinemorph::judge {
namespace {

// True when version a is newer than b, both "major.minor".
bool Newer(const std::string& a, const std::string& b) {
  const auto minor = [](const std::string& v) {
    return v.find('.') == std::string::npos ? 0 : std::stoi(v.substr(v.find('.') + 1));
  };
  return minor(a) > minor(b);
}

}  // namespace

Verdict JudgeSdf(const std::string& file) {
  const std::string library = "libsdformat " SDF_VERSION_FULL;
  sdf::SDFPtr text(new sdf::SDF());
  sdf::init(text);
  sdf::Root root;
  sdf::ParserConfig config = sdf::ParserConfig::GlobalConfig();
  config.SetFindCallback([](const std::string&) { return std::string(); });
  const sdf::Errors errors = root.Load(file, config);
  if (Newer(root.Version(), SDF_PROTOCOL_VERSION)) {
    return {kNotJudged, library + " knows SDFormat up to " SDF_PROTOCOL_VERSION ", the file is " +
                            root.Version()};
  }
  if (errors.empty()) return {kAccepted, library + " accepts the file"};
  std::string words = library + " refuses the file:";
  for (const sdf::Error& error : errors) words += "\n    " + error.Message();
  return {kRefused, words};
}

}  // namespace kinemorph::judge

#include "pictures/view_page.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "host/base64.h"
#include "host/files.h"
#include "host/sha256.h"
#include "kinemorph/graph/base/printable.h"

namespace kinemorph::tools {
namespace {

namespace fs = std::filesystem;

// Carry packs the description and all files it was read with into JSON for the page, under paths
// from their common folder: the page then resolves names as the command did.

constexpr std::size_t kMostBytes = 200'000'000;  // a browser opens no larger page

// Of the packages and models that were asked for by name, a manifest that says no more than that
// name. Those on the disk are not read for it: they may be links to anything.
std::map<fs::path, std::string> ManifestsFor(const std::vector<Asked>& asked) {
  std::map<fs::path, std::string> manifests;
  for (const Asked& each : asked) {
    const std::size_t scheme = each.uri.find("://");
    if (each.path.empty() || scheme == std::string::npos || each.uri.starts_with("file://"))
      continue;
    // package://NAME/rest found at FOLDER/rest tells that FOLDER is the package of this name.
    const fs::path named = fs::path(each.uri.substr(scheme + 3)).lexically_normal();
    const std::string name = named.begin()->string(), path = each.path,
                      rest = "/" + named.lexically_relative(name).string();
    if (name.empty() || name.starts_with('.') || !path.ends_with(rest)) continue;
    manifests.emplace(path.substr(0, path.size() - rest.size()) + "/package.xml",
                      "<package><name>" + XmlText(name) + "</name></package>\n");
  }
  return manifests;
}

fs::path CommonFolder(const std::set<fs::path>& files) {
  fs::path common = files.begin()->parent_path();
  for (const fs::path& file : files)
    while (!Inside(file, common)) common = common.parent_path();
  return common;
}

}  // namespace

// Beside the program, where it is installed, or where the build makes it.
std::string PageFile() {
  const char* const named = std::getenv("KINEMORPH_PAGE");
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  std::vector<fs::path> places = {here / "kinemorph.html",
                                  here / "../share/kinemorph/kinemorph.html",
                                  here / "../../web/kinemorph.html"};
  if (named != nullptr && *named != '\0') places = {named};
  for (const fs::path& place : places)
    if (fs::exists(place, error)) return place.string();
  return {};
}

std::string EmptyPage(std::string& why) {
  if (const std::string place = PageFile(); !place.empty()) {
    std::string page = ReadWhole(place, why).value_or("");
    if (page.empty() || page.find(kPlaceForRobot) != std::string::npos) return page;
    why = "'" + place + "' is not a page of this kinemorph";
    return {};
  }
  const char* const named = std::getenv("KINEMORPH_PAGE");
  why = named != nullptr && *named != '\0'
            ? "KINEMORPH_PAGE: there is no '" + std::string(named) + "'"
            : "this installation holds no page: `tools/web/build DIR` in kinemorph's repository "
              "makes DIR/kinemorph.html, and KINEMORPH_PAGE names it";
  return {};
}

Carried Carry(const std::string& input, const std::string& from,
              const std::vector<std::string>& read, const std::vector<Asked>& asked,
              const std::string& expanded, const std::string& watch) {
  Carried carried;
  std::set<fs::path> files;
  const std::map<fs::path, std::string> manifests = ManifestsFor(asked);
  std::error_code error;
  const fs::path main = input == "-" ? fs::path() : RealPath(input);
  for (const std::string& each : read) {
    // These tell a name only, and ManifestsFor does that.
    const fs::path path = RealPath(each);
    const bool tells_name =
        path.filename() == "CMakeLists.txt" || path.filename() == "manifest.xml";
    if (!tells_name && fs::is_regular_file(path, error)) files.insert(path);
  }
  if (!main.empty()) files.insert(main);
  for (const auto& [path, text] : manifests) files.insert(path);
  // Paths of the user above the common folder do not get into a page that is given away.
  const fs::path common = files.empty() ? fs::path() : CommonFolder(files);
  std::string name = main.empty() ? "robot" : main.lexically_relative(common).string();
  nlohmann::ordered_json texts = nlohmann::ordered_json::object();
  std::string all;
  std::size_t sum = 0;
  // The description first: what is left out for its size is never that.
  std::vector<fs::path> order(files.begin(), files.end());
  std::stable_partition(order.begin(), order.end(),
                        [&](const fs::path& each) { return each == main; });
  const auto put = [&](const std::string& path, const std::string& content) {
    sum += content.size();
    texts[path] = Base64(content);
    all += path + '\0' + Sha256(content);
  };
  // The page shows the expansion under the name of the description; what it was made of stays out.
  if (!expanded.empty()) {
    name = fs::path(name).replace_extension().replace_extension(".xml").string();
    put(name, expanded);
  }
  for (const fs::path& each : order) {
    if (each == main && !expanded.empty()) continue;
    if (const auto made = manifests.find(each); made != manifests.end()) {
      put(each.lexically_relative(common).string(), made->second);
      continue;
    }
    std::string why;
    const auto size = fs::file_size(each, error);
    // The rest still makes a page; the command says what is not in it.
    if (error || sum + size > kMostBytes) {
      carried.left_out.push_back(each.string());
      continue;
    }
    if (const std::optional<std::string> content = ReadWhole(each.string(), why))
      put(each.lexically_relative(common).string(), *content);
  }
  // The stamp changes with any byte of the files: a page that watches knows whether to draw anew.
  nlohmann::ordered_json json = {{"stamp", Sha256(all)}, {"name", name}};
  if (!from.empty()) json["from"] = from;
  if (!watch.empty()) json["watch"] = watch;
  json["files"] = std::move(texts);
  // In a page no text of the robot begins a tag.
  for (const char c : json.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace))
    if (c == '<')
      carried.json += "\\u003c";
    else
      carried.json += c;
  return carried;
}

}  // namespace kinemorph::tools

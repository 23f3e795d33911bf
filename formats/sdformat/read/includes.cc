// Finds included models: a file, or a folder whose model.config names one file per SDFormat
// version.
#include "read/includes.h"

#include <algorithm>
#include <array>

#include "kinemorph/graph/base/text.h"

namespace kinemorph::sdformat {
namespace {

// Bounds of a tree of files: depth, number, and memory for models that are made from one file many
// times, since each of them is a model of its own.
constexpr std::size_t kMaxDepth = 64;
constexpr int kNewestVersion = 99;  // of models in the collection
constexpr std::size_t kMaxIncludes = 20000;
constexpr std::size_t kMaxRepeated = 300'000'000;  // bytes: every include makes a model of its own

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool IsRemote(std::string_view uri) {
  return StartsWith(uri, "http://") || StartsWith(uri, "https://") || StartsWith(uri, "fuel://");
}

// https://SERVER/1.0/OWNER/models/NAME, with a version behind it or none; blanks are %20.
FuelModel FuelModelOf(std::string_view uri) {
  std::vector<std::string> parts;
  for (std::size_t at = uri.find("://"); at != std::string_view::npos && at < uri.size();) {
    at += parts.empty() ? 3 : 1;
    const std::size_t end = std::min(uri.find('/', at), uri.size());
    parts.emplace_back(uri.substr(at, end - at));
    at = end;
  }
  // The names around "models" are the owner and the model; "tip" is the newest version.
  const auto models = std::find(parts.begin(), parts.end(), "models");
  if (models == parts.end() || models - parts.begin() < 2 || parts.end() - models < 2) return {};
  FuelModel fuel{parts.front(), *(models - 1), *(models + 1), ""};
  if (parts.end() - models > 2 && *(models + 2) != "tip") fuel.version = *(models + 2);
  for (std::size_t at; (at = fuel.name.find("%20")) != std::string::npos;)
    fuel.name.replace(at, 3, " ");
  return fuel;
}

// Of all elements and of texts that are kept, in bytes of memory.
std::size_t Weight(const xml::Document* document, std::size_t size) {
  constexpr std::size_t kOfAByte = 16;
  return kOfAByte * size + (document != nullptr ? document->Weight() : 0);
}

bool NamesAFile(std::string_view uri) {
  const std::string_view last = uri.substr(uri.find_last_of('/') + 1);
  for (const std::string_view ending : {".sdf", ".world", ".xml", ".urdf"}) {
    if (last.size() > ending.size() && last.substr(last.size() - ending.size()) == ending)
      return true;
  }
  return false;
}

}  // namespace

Version ReadVersion(const xml::Element& root) {
  const auto text = root.Attribute("version");
  if (!text) {
    root.Warn("sdf-version",
              "'" + std::string(root.name()) + "' has no version; read as SDFormat 1.9");
    return Version{};
  }
  const std::optional<Version> version = ParseVersion(*text);
  if (!version) {
    root.Error("sdf-version",
               "'" + std::string(*text) + "' is not an SDFormat version; read as 1.9");
    return Version{};
  }
  if (*version > kNewest) {
    root.Warn("sdf-version",
              "'" + std::string(*text) + "' is newer than SDFormat 1.12; read as 1.12");
    return kNewest;
  }
  // Older files meet the rules of 1.4: no comparison of versions looks below it.
  if (*version < Version{1, 4})
    root.Warn("sdf-version",
              "'" + std::string(*text) + "' is older than SDFormat 1.4; read as 1.4");
  return *version;
}

xml::Element Includes::Parse(std::string_view text, const std::string& path) {
  xml::Context context;
  context.diagnostics = &diagnostics_;
  context.file_name = path;
  context.file = static_cast<std::uint32_t>(out_.files.size());
  context.format = "sdf";
  // As libsdformat reads such numbers, since many old models of Gazebo have them.
  context.second_dot_ends_number = true;
  context.asked = asked_;
  out_.files.push_back(path);
  std::unique_ptr<xml::Document> document = xml::Document::Parse(text, std::move(context));
  if (!document) return {};
  const xml::Element root = document->root();
  out_.documents.push_back(std::move(document));
  return root;
}

// The file that a model.config names for the newest version we read.
std::string Includes::ChosenFile(const Resource& config) {
  Diagnostics quiet;  // a broken model.config is reported as an include that cannot be opened
  xml::Context context;
  context.diagnostics = &quiet;
  context.file_name = config.path;
  context.format = "sdf";
  const std::unique_ptr<xml::Document> document =
      xml::Document::Parse(config.content, std::move(context));
  if (!document) return {};
  std::string best;
  std::optional<Version> best_version;
  for (const xml::Element sdf : document->root().Children("sdf")) {
    const Version version = ParseVersion(sdf.Attribute("version", "1.0")).value_or(Version{1, 0});
    if (version > kNewest || (best_version && version <= *best_version)) continue;
    best = std::string(sdf.Text());
    best_version = version;
  }
  return best;
}

std::optional<Resource> Includes::Find(const std::string& uri, const std::string& from,
                                       std::string& why) {
  std::string first_why;
  // A file by its name; else a folder with a manifest, whose choice depends on the version.
  if (NamesAFile(uri)) {
    if (auto file = options_.resolver->Open(uri, from, first_why)) return file;
  }
  std::string folder = uri;
  while (!folder.empty() && folder.back() == '/') folder.pop_back();
  // manifest.xml is what model.config was called in the first versions of Gazebo.
  for (const char* manifest : {"/model.config", "/manifest.xml"}) {
    std::string ignored;
    const std::optional<Resource> config =
        options_.resolver->Open(folder + manifest, from, first_why.empty() ? first_why : ignored);
    if (!config) continue;
    const std::string file = ChosenFile(*config);
    if (file.empty()) {
      why = "'" + config->path + "' names no <sdf> file that can be read";
      return std::nullopt;
    }
    return options_.resolver->Open(folder + "/" + file, from, why);
  }
  // A file without one of these endings, when there is no such folder.
  if (!NamesAFile(uri)) {
    std::string ignored;
    if (auto file = options_.resolver->Open(uri, from, ignored)) return file;
  }
  why = first_why;
  return std::nullopt;
}

// A bare name is a path beside the file, or the name of a model.
std::optional<Resource> Includes::FindAny(const std::string& uri, const std::string& from,
                                          std::string& why) {
  std::optional<Resource> resource = Find(uri, from, why);
  if (resource || uri.find("://") != std::string::npos || uri.empty() || uri[0] == '/' ||
      uri[0] == '.')
    return resource;
  std::string ignored;
  return Find("model://" + uri, from, ignored);
}

// Where the folders that are known hold it: under its name, or as Gazebo keeps what it downloads,
// of which a uri without a version means the newest.
std::string Includes::LocalFuelModel(const FuelModel& fuel, const std::string& from) {
  if (fuel.name.empty()) return {};
  const auto [known, fresh] =
      fuel_places_.try_emplace(std::array{fuel.server, fuel.owner, fuel.name, fuel.version, from});
  if (!fresh) return known->second;
  const std::string small = LowerCase(fuel.name),
                    kept = LowerCase(fuel.owner) + "/models/" + small + "/";
  std::vector<std::string> places = {fuel.name, small};
  for (const std::string& folder : {fuel.server + "/" + kept, kept}) {
    if (!fuel.version.empty()) places.push_back(folder + fuel.version);
    for (int version = kNewestVersion; fuel.version.empty() && version > 0; --version)
      places.push_back(folder + std::to_string(version));
  }
  for (const std::string& place : places) {
    std::string ignored;
    if (Find("model://" + place, from, ignored)) return known->second = "model://" + place;
  }
  return {};
}

// Some files include each other without end, or one large one many times.
// The stack is the chain of files that are open; its length is the depth of includes.
bool Includes::MayOpen(const xml::Element& include, const std::string& uri) {
  if (uri.empty()) {
    include.Error("include-uri", "'include' has no <uri>");
  } else if (!options_.resolver) {
    include.Error("include-not-found",
                  "'" + uri + "' cannot be included: no files can be opened here");
  } else if (stack.size() >= kMaxDepth || ++opened_ > kMaxIncludes) {
    include.Error("include-too-deep",
                  "'" + uri + "' is not included: " +
                      (stack.size() >= kMaxDepth ? "more than 64 files include each other"
                                                 : "more than 20000 includes"));
  } else if (repeated_ > kMaxRepeated) {
    include.Error(
        "include-too-large",
        "'" + uri +
            "' is not included: files that are included more than once would take more than " +
            std::to_string(kMaxRepeated / 1'000'000) + " MB of memory");
  } else {
    return true;
  }
  return false;
}

void Includes::KeepRemote(const xml::Element& include, const std::string& uri) {
  Diagnostic& warning = include.Warn(
      "include-remote",
      "'" + uri + "' is on another machine and is not fetched; the <include> is kept unresolved");
  const FuelModel fuel = FuelModelOf(uri);
  if (!fuel.name.empty())
    warning.notes.push_back("download it, and give the folder that holds '" + fuel.name +
                            "' with --package-path DIR");
}

// Nothing, with an error, where it is not found or includes itself.
std::optional<Resource> Includes::Locate(const xml::Element& include, const std::string& uri,
                                         const std::string& local, const std::string& from) {
  std::string why;
  std::optional<Resource> resource = FindAny(local.empty() ? uri : local, from, why);
  if (!resource) {
    Diagnostic& error =
        include.Error("include-not-found",
                      "'" + uri + "' cannot be included: " + (why.empty() ? "not found" : why));
    error.notes.push_back("give the folder that holds it with --package NAME=DIR");
    return std::nullopt;
  }
  if (!local.empty())
    include.Note("include-local", "'" + uri + "' is read from '" + resource->path + "'");
  // By path: the same file under two names is found by the bound of depth.
  if (std::find(stack.begin(), stack.end(), resource->path) == stack.end()) return resource;
  Diagnostic& error = include.Error("include-cycle", "'" + uri + "' includes itself");
  std::string chain;
  for (const std::string& file : stack) chain += file + " -> ";
  error.notes.push_back(chain + resource->path);
  return std::nullopt;
}

// Parsed once, however often it is included.
xml::Element Includes::RootOf(const xml::Element& include, const std::string& uri,
                              const Resource& resource) {
  const auto known = roots_.find(resource.path);
  if (known != roots_.end()) {
    // Each further include makes all elements of the file again, though its text is parsed once.
    repeated_ += known->second.weight;
    return known->second.root;
  }
  // Bytes that are the same file as one in use under another name (the main file's own name) are
  // a cycle too: the depth bound ends it.
  xml::Element root = Parse(resource.content, resource.path);
  if (root && root.name() != "sdf" && root.name() != "gazebo") {
    include.Error("include-not-sdf",
                  "'" + uri + "' is not an SDFormat file: its root element is <" +
                      std::string(root.name()) + ">" +
                      (root.name() == "robot" ? "; convert the URDF to SDFormat first" : ""));
    root = {};
  }
  const std::size_t weight =
      Weight(root ? out_.documents.back().get() : nullptr, resource.content.size());
  roots_.emplace(resource.path, Known{root, weight});
  return root;
}

Includes::Opened Includes::Open(const xml::Element& include, const std::string& uri,
                                const std::string& from) {
  Opened opened;
  std::string local;
  if (IsRemote(uri)) {
    if (options_.resolver) local = LocalFuelModel(FuelModelOf(uri), from);
    if (local.empty()) {
      KeepRemote(include, uri);
      opened.outcome = Outcome::kRemote;
      return opened;
    }
  }
  if (!MayOpen(include, uri)) return opened;
  const std::optional<Resource> resource = Locate(include, uri, local, from);
  if (!resource) return opened;
  opened.path = resource->path;
  opened.root = RootOf(include, uri, *resource);
  if (!opened.root) return opened;
  opened.version = ParseVersion(opened.root.Attribute("version", "")).value_or(Version{});
  opened.outcome = Outcome::kOpened;
  return opened;
}

}  // namespace kinemorph::sdformat

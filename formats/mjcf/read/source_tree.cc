#include "read/source_tree.h"

#include <algorithm>

namespace kinemorph::mjcf {
namespace {

// Documents stay apart, so that each element knows its own file and line. Load opens all files;
// Children puts what is in an included root in place of its <include>, as if the text stood there.
constexpr std::size_t kMaxIncludeDepth = 64;

}  // namespace

// A document whose includes have not been looked for yet.
struct SourceTree::Pending {
  const xml::Document* document;
  std::size_t depth;
};

bool SourceTree::Load(std::string_view text, const ReadOptions& options,
                      std::vector<std::string>& files, Diagnostics& diagnostics,
                      xml::Asked* asked) {
  files = {options.file_name};
  asked_ = asked;
  auto main = xml::Document::Parse(text, {.diagnostics = &diagnostics,
                                          .file_name = options.file_name,
                                          .file = 0,
                                          .format = "mjcf",
                                          .asked = asked});
  if (main == nullptr) return false;
  documents_.push_back(std::move(main));
  // The main file under the name the resolver gives it, so that a file that includes itself is
  // noticed.
  std::string why;
  if (options.resolver != nullptr) {
    const std::size_t slash = options.file_name.find_last_of('/');
    const std::string base =
        slash == std::string::npos ? options.file_name : options.file_name.substr(slash + 1);
    if (const auto path = options.resolver->Locate(base, options.file_name, why))
      main_path_ = *path;
  }
  std::vector<Pending> pending = {{documents_.front().get(), 0}};
  while (!pending.empty()) {
    const Pending next = pending.back();
    pending.pop_back();
    // Depth first through one document, without recursion; the order of `files` is the order of the
    // includes.
    std::vector<Pending> found;
    std::vector<xml::Element> stack = {next.document->root()};
    while (!stack.empty()) {
      const xml::Element element = stack.back();
      stack.pop_back();
      if (element.name() == "include") {
        Include(element, options, next.depth, files, diagnostics, found);
        continue;
      }
      const std::size_t first = stack.size();
      for (const xml::Element child : element.Children()) stack.push_back(child);
      std::reverse(stack.begin() + static_cast<std::ptrdiff_t>(first), stack.end());
    }
    pending.insert(pending.end(), found.rbegin(), found.rend());
  }
  return true;
}

void SourceTree::Include(const xml::Element& include, const ReadOptions& options, std::size_t depth,
                         std::vector<std::string>& files, Diagnostics& diagnostics,
                         std::vector<Pending>& pending) {
  include.Consume();
  const auto file = include.Attribute("file");
  if (!file || file->empty()) {
    include.Error("include-without-file", "include: attribute 'file' is missing");
    return;
  }
  const std::string name = "'" + std::string(*file) + "'";
  if (depth + 1 > kMaxIncludeDepth) {
    include.Error("include-too-deep", "include " + name + ": more than " +
                                          std::to_string(kMaxIncludeDepth) +
                                          " includes inside each other");
    return;
  }
  if (options.resolver == nullptr) {
    include.Error("include-not-found", "include " + name + ": no other file can be opened here");
    return;
  }
  // MuJoCo looks beside the main file first, then beside the including one.
  std::string why, why_beside;
  auto resource = options.resolver->Open(*file, options.file_name, why);
  if (!resource && FileOf(include) != options.file_name)
    resource = options.resolver->Open(*file, FileOf(include), why_beside);
  if (!resource) {
    include.Error("include-not-found", "include " + name + ": " + why);
    return;
  }
  // Each file once: MuJoCo refuses a second time, and a cycle would not end.
  if (resource->path == main_path_ ||
      std::find(files.begin(), files.end(), resource->path) != files.end()) {
    include.Error(
        "include-repeated",
        "include " + name +
            ": this file is included already (a cycle, or twice), which MuJoCo refuses too");
    return;
  }
  files.push_back(resource->path);
  auto document =
      xml::Document::Parse(resource->content, {.diagnostics = &diagnostics,
                                               .file_name = resource->path,
                                               .file = static_cast<std::uint32_t>(files.size() - 1),
                                               .format = "mjcf",
                                               .asked = asked_});
  if (document == nullptr) return;
  const xml::Element root = document->root();
  // The root of an included file is a mere bracket, whatever it is called and says.
  root.Consume();
  for (const auto& attribute : root.Attributes())
    static_cast<void>(root.Attribute(attribute.first));
  included_.emplace_back(include, document.get());
  documents_.push_back(std::move(document));
  pending.push_back({documents_.back().get(), depth + 1});
}

std::vector<xml::Element> SourceTree::Children(const xml::Element& parent) const {
  std::vector<xml::Element> children;
  AddChildren(parent, children);
  return children;
}

// Includes are at most kMaxIncludeDepth inside each other.
void SourceTree::AddChildren(const xml::Element& parent,
                             std::vector<xml::Element>& children) const {
  for (const xml::Element child : parent.Children()) {
    if (child.name() != "include") {
      children.push_back(child);
      continue;
    }
    for (const auto& [include, document] : included_)
      if (include == child) AddChildren(document->root(), children);
  }
}

}  // namespace kinemorph::mjcf

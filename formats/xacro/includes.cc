// Other files: includes, YAML, packages, and the functions xacro.*.
#include <algorithm>

#include "expander.h"

namespace kinemorph::xacro {

// All files come through the resolver that the caller gave, which holds the fence; nothing here
// touches a disk. Names are relative to the file that is being expanded. A file is parsed once and
// expanded as often as it is included, for what it defines may depend on the properties of that
// moment.

namespace {

std::string FolderOf(const std::string& file) {
  const std::size_t slash = file.find_last_of('/');
  return slash == std::string::npos ? "" : slash == 0 ? "/" : file.substr(0, slash);
}

// A name and a pattern of * ? [abc] [!abc] [a-z].
bool Fits(std::string_view name, std::string_view pattern) {
  // `star` is the last * that was met and `resume` where its match ended: on a mismatch it takes
  // one more character. This is linear in practice and never recursive.
  std::size_t n = 0, p = 0, star = std::string_view::npos, resume = 0;
  const auto one = [&](char c, std::size_t& at) {
    if (pattern[at] == '?') return ++at, true;
    // A set needs at least one character: in "[]a]" the first bracket is one of the set.
    const std::size_t close =
        pattern[at] == '[' ? pattern.find(']', at + 2) : std::string_view::npos;
    if (close == std::string_view::npos) return pattern[at] == c && (++at, true);
    std::string_view set = pattern.substr(at + 1, close - at - 1);
    const bool inverted = set.front() == '!';
    if (inverted) set.remove_prefix(1);
    bool in = false;
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (i + 2 < set.size() && set[i + 1] == '-') {
        in = in || (set[i] <= c && c <= set[i + 2]);
        i += 2;
      } else {
        in = in || set[i] == c;
      }
    }
    at = close + 1;
    return in != inverted;
  };
  // A hidden file is matched only by a pattern that names the dot, as in the shell and in Python's
  // glob.
  if (name.starts_with('.') && !pattern.starts_with('.')) return false;
  while (n < name.size()) {
    std::size_t after = p;
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && one(name[n], after)) {
      p = after;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

std::string Expander::FolderHere() const {
  const std::string folder = FolderOf(out_.files[file_]);
  return folder.starts_with('/') || options_.working_folder.empty() ? folder
         : folder.empty()                                           ? options_.working_folder
                          : options_.working_folder + "/" + folder;
}

std::string Expander::AbsoluteName(const std::string& name) const {
  if (name.starts_with('/')) return name;
  const std::string folder = FolderHere();
  return folder.empty() ? name : folder + "/" + name;
}

// A file of a package that $(find) gave is opened as one of it, so that it may be opened.
std::optional<Resource> Expander::Open(const std::string& name, std::string& why) const {
  if (!options_.resolver) {
    why = "no other files can be opened";
    return std::nullopt;
  }
  std::string in_package;
  // The resolver's fence lets files of a package through by their package:// name; the folder that
  // $(find) put into the text is turned back into that name. Of two reasons for a failure, that of
  // the package is nearer to the author's intention.
  for (const auto& [package, folder] : out_.packages) {
    if (!name.starts_with(folder + "/")) continue;
    const std::string uri = "package://" + package + name.substr(folder.size());
    if (auto found = options_.resolver->Open(uri, out_.files[file_], in_package)) return found;
  }
  std::optional<Resource> found = options_.resolver->Open(name, out_.files[file_], why);
  if (!found && !in_package.empty()) why = in_package;  // says more than that it is elsewhere
  return found;
}

// The packages of a checkout are named like their folders often enough: the file's own package is
// found even where no manifest is at hand.
std::string Expander::FolderAbove(const std::string& name) const {
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos) return "";
  for (std::string folder = FolderHere(); !folder.empty() && folder != "/";
       folder = FolderOf(folder)) {
    const std::size_t slash = folder.find_last_of('/');
    if (folder.substr(slash == std::string::npos ? 0 : slash + 1) == name) return folder;
  }
  return "";
}

std::optional<std::string> Expander::FindPackage(const std::string& name) {
  const auto known = out_.packages.find(name);
  if (known != out_.packages.end()) return known->second;
  std::string why;
  // ROS 2 and 1, old ROS 1, Gazebo, and a folder that only CMake knows. Whatever is found first is
  // remembered, also for the result, whose meshes need it.
  for (const char* manifest : {"package.xml", "manifest.xml", "model.config", "CMakeLists.txt"}) {
    if (!options_.resolver) break;
    const auto found =
        options_.resolver->Locate("package://" + name + "/" + manifest, out_.files[file_], why);
    if (!found) continue;
    return out_.packages[name] = FolderOf(*found);
  }
  // Without a manifest the folder's own name is that of the package.
  if (std::string folder = FolderAbove(name); !folder.empty()) return out_.packages[name] = folder;
  machine_.Fail("xacro-package-missing",
                "package '" + name + "' is not found: name its folder by --package " + name +
                    "=DIR, or a folder of packages by --package-path DIR");
  return std::nullopt;
}

bool Expander::Include(const Node& node, Node& parent) {
  const Attribute *const filename = Need(node, "filename"), *const space = node.Find("ns"),
                         *const optional = node.Find("optional");
  WarnOfOthers(node, {"filename", "ns", "optional"});
  std::string name, space_name;
  if (!filename || !SubstituteText(filename->value, Here(node, *filename), name)) return false;
  if (space && !SubstituteText(space->value, Here(node, *space), space_name)) return false;
  // ns="N": properties and macros of the file go to a table of their own, below the includer's
  // scope, and are reached as N.name. Included again under the same name they add to it.
  Scope* scope = scope_;
  if (space) {
    if (!IsIdentifier(space_name))
      return Fail("xacro-name",
                  {"", "xacro:include", "'" + space_name + "' is not a name of a namespace"},
                  Here(node, *space));
    std::unique_ptr<Scope>& made = scope_->spaces[space_name];
    if (!made) made = std::make_unique<Scope>();
    made->parent = scope_;
    made->space = true;
    scope = made.get();
  }
  const bool may_lack = optional && (optional->value == "true" || optional->value == "True" ||
                                     optional->value == "1");
  // A pattern expands to names in order, and may match nothing; a plain name must be there.
  if (name.find_first_of("*?[") == std::string::npos)
    return IncludeFile(name, may_lack, *filename, node, *scope, parent);
  const std::vector<std::string> names = Matches(name);
  if (machine_.failed()) return false;
  if (names.empty())
    Say(Severity::kWarning, "xacro-include-empty",
        {"", "xacro:include", "no file matches '" + name + "'"}, Here(node, *filename));
  return std::all_of(names.begin(), names.end(), [&](const std::string& each) {
    return IncludeFile(each, false, *filename, node, *scope, parent);
  });
}

std::vector<std::string> Expander::Matches(const std::string& pattern) {
  if (!options_.names_in) return {};
  const std::size_t wild = pattern.find_first_of("*?[");
  std::vector<std::string> found = {pattern.starts_with('/') ? "/" : ""};
  for (std::size_t begin = pattern.starts_with('/') ? 1 : 0; begin <= pattern.size();) {
    const std::size_t end = std::min(pattern.find('/', begin), pattern.size());
    const std::string part = pattern.substr(begin, end - begin);
    const std::string mark = end < pattern.size() ? "/" : "";
    begin = end + 1;
    std::vector<std::string> next;
    for (const std::string& folder : found) {
      // Before the first pattern nothing is asked. Behind it only what is there is a match, so that
      // folders without the part are left out.
      if (end < wild) {
        next.push_back(folder + part + mark);
        continue;
      }
      // A folder may be large, and each of its names is held against the pattern: both are charged.
      constexpr std::size_t kOfFolder = 500, kOfName = 5;  // operations
      if (!machine_.Step(kOfFolder)) return {};
      std::vector<std::string> names =
          options_.names_in(AbsoluteName(folder.empty() ? "." : folder));
      if (!machine_.Step(names.size() * (kOfName + part.size()))) return {};
      // What has names is a folder, and holds itself and the one above it.
      if (part.empty() || part == "." || part == "..") names.assign(names.empty() ? 0 : 1, part);
      std::sort(names.begin(), names.end());
      for (const std::string& name : names)
        if (Fits(name, part) && next.size() < kMostIncludes) next.push_back(folder + name + mark);
    }
    found = std::move(next);
  }
  return found;
}

bool Expander::IncludeFile(const std::string& name, bool optional, const Attribute& filename,
                           const Node& node, Scope& scope, Node& parent) {
  const XacroPlace place = Here(node, filename);
  constexpr std::size_t kOfInclude = 100;  // operations that it takes
  if (!machine_.Step(kOfInclude + name.size() / 16) || !Keep(name.size(), place)) return false;
  // No check of circles: a file may include itself under a condition. Their number and depth are
  // bounded instead.
  if (++includes_ > kMostIncludes)
    return Fail("xacro-too-large",
                {"", "xacro:include", "more than " + std::to_string(kMostIncludes) + " files"},
                place);
  if (includes_deep_ >= kMostIncluded)
    return Fail("xacro-too-deep",
                {"", "xacro:include",
                 "'" + name + "': files include each other more than " +
                     std::to_string(kMostIncluded) + " levels deep"},
                place);
  // Documents are kept by the folder and the name that was asked for: who asks again does not open
  // again.
  const std::string key = (name.starts_with('/') ? "" : FolderHere() + "/") + name;
  std::unique_ptr<Document>& document = documents_[key];
  if (!document) {
    std::string why;
    const std::optional<Resource> resource = Open(name, why);
    if (!resource) {
      documents_.erase(key);
      // optional= covers a file that is not there, and no mistake inside it.
      if (optional || !missing_.empty()) return true;  // the name may be of a stand-in
      return Fail("xacro-include", {"", "xacro:include", "'" + name + "' cannot be opened: " + why},
                  place);
    }
    // The sum of all files is bounded, since each may be as large as the limit for one.
    loaded_ += resource->content.size();
    if (loaded_ > 4 * kMostBytes)
      return Fail("xacro-too-large", {"", "xacro:include", "the files hold more than 64 MiB"},
                  place);
    const auto file = static_cast<std::uint32_t>(out_.files.size());
    out_.files.push_back(resource->path);
    document_files_[key] = file;
    document = ParseDocument(resource->content, resource->path, file, machine_, diagnostics_);
    if (!document) {
      return Fail("xacro-include",
                  {"", "xacro:include", "'" + name + "' is not XML: see the message before"},
                  place);
    }
  }
  // The root's attributes are evaluated for their errors, and dropped with it. Its children are
  // expanded into the includer's parent, with the file as the base of relative names.
  const Document& included = *document;
  const std::uint32_t file_before = file_;
  Scope* const scope_before = scope_;
  ++includes_deep_;
  file_ = document_files_[key];
  scope_ = &scope;
  Node unused;
  const bool done = Attributes(included.root, unused) && Children(included.root.children, parent);
  if (done) LiftNamespaces(included.root, parent);
  scope_ = scope_before;
  file_ = file_before;
  --includes_deep_;
  return done;
}

bool Expander::LoadYaml(const std::string& name, Value& out) {
  std::string why;
  constexpr std::size_t kOfFile = 200;  // operations that opening one takes
  if (!machine_.Step(kOfFile)) return false;
  const std::optional<Resource> resource = Open(name, why);
  if (!resource)
    return machine_.Fail("xacro-include", "load_yaml: '" + name + "' cannot be opened: " + why);
  loaded_ += resource->content.size();
  if (resource->content.size() > kMostBytes || loaded_ > 4 * kMostBytes)
    return machine_.Fail("xacro-too-large", "load_yaml: '" + name + "' is too large");
  if (!machine_.Step(out_.files.size())) return false;
  // A file may be loaded many times, and is one entry in the list of files.
  const auto known = std::find(out_.files.begin(), out_.files.end(), resource->path);
  const auto file = static_cast<std::uint32_t>(known - out_.files.begin());
  if (known == out_.files.end()) out_.files.push_back(resource->path);
  std::uint32_t line = 0;
  if (ReadYaml(resource->content, evaluator_, out, line)) return true;
  // A mistake in YAML is told in that file's line, with the expression that loaded it as a note.
  if (!failed_at_) {
    failed_at_ = XacroPlace{file, line, at_.call};
    machine_.NameSubject("'" + name + "'");
    notes_.push_back("it is loaded at " + Text(at_));
  }
  return false;
}

bool Expander::CallXacro(const Call& call, Value& out) {
  const std::string name = call.name.substr(6);
  const auto text = [&](std::string_view word = "") -> const std::string* {
    const std::string* const found = call.At(0, word)->Text();
    if (!found) machine_.Fail("xacro-type", name + "(): a text is needed");
    return found;
  };
  // The functions with a result first; all others say something and are worth an empty text.
  if (name == "load_yaml" || name == "abs_filename" || name == "arg") {
    if (!call.Takes(1, 1) || !text()) return false;
    const std::string argument = *text();
    if (name == "load_yaml") return LoadYaml(argument, out);
    std::string value;
    if (name == "arg" && !ArgumentNamed(argument, value)) return false;
    out = name == "arg" ? value : AbsoluteName(argument);
    return true;
  }
  if (name == "dotify") return call.Takes(1, 1) && Dotified(machine_, call.arguments[0], out);
  if (name == "tokenize") {
    if (!call.Takes(1, 3, {"s", "sep", "skip_empty"}) || !text("s")) return false;
    const Value *const separators = call.At(1, "sep"), *const skip = call.At(2, "skip_empty");
    if (separators && !separators->Text())
      return machine_.Fail("xacro-type", "tokenize(): sep is a text");
    const std::string set = separators ? *separators->Text() : ",; ";
    const bool skips = !skip || IsTrue(*skip);
    const std::string& whole = *text("s");
    if (!machine_.Pass(whole.size() * (1 + set.size()))) return false;
    std::vector<Value> items;
    for (std::size_t begin = 0; begin <= whole.size();) {
      const std::size_t end = std::min(whole.find_first_of(set, begin), whole.size());
      if (end > begin || !skips) {
        if (!machine_.MakeText(end - begin)) return false;
        items.emplace_back(whole.substr(begin, end - begin));
      }
      begin = end + 1;
    }
    return machine_.Make(Form::kList, std::move(items), out);
  }
  if (name == "print_location") {
    Say(Severity::kNote, "xacro-message", "'print_location': is called here", at_);
    out = "";
    return true;
  }
  // Other names than msg (color, file ...) only tell the program how to print.
  if (name == "fatal" && !call.Takes(0, SIZE_MAX)) return false;
  const Value* const first = call.At(0, "msg");
  if (!first && name != "fatal") return machine_.Fail("xacro-type", name + "(): a text is needed");
  std::string said;
  if (first && !machine_.Print(*first, said)) return false;
  for (std::size_t i = 1; i < call.positional(); ++i) {
    said += ' ';
    if (!machine_.Print(call.arguments[i], said)) return false;
  }
  // fatal() ends the expansion; error() only says so, as in the program xacro.
  if (name == "fatal") return machine_.Fail("xacro-fatal", "the file says: " + said);
  const bool note = name == "message";
  Say(note ? Severity::kNote : Severity::kWarning, "xacro-message",
      std::string("the file says: ") + (name == "error" ? "error: " : "") + said, at_);
  out = "";
  return true;
}

}  // namespace kinemorph::xacro

#include "session/named_files.h"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "host/files.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/formats/xml_tags.h"
#include "kinemorph/graph/base/printable.h"
#include "session/session.h"

namespace kinemorph::tools {
namespace {

namespace fs = std::filesystem;

// Folders are read as a whole by check, lint and batch. What counts is the name, except for .xacro,
// where files of macros look like robots. A description that is a link must stay in the folder
// unless --allow-outside: a folder from elsewhere could bring the files of the user into the
// output.

constexpr int kMaxFolderDepth = 200;

// Whether a .xacro file is a robot or a model of its own: its root has a name, or is <sdf>. Those
// without hold macros for others.
bool IsWholeXacro(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return true;  // reading it will tell
  const std::string text = ReadStart(path.string());
  const std::optional<XmlTag> root = NextTag(text);
  return !root || root->name == "sdf" || root->Attribute("name");
}

// The manifest of a ROS package has the ending of MJCF and is no robot.
bool IsReadByName(const std::string& name) {
  if (name == "package.xml") return false;
  const Format* format = FormatForExtension(name);
  return format != nullptr && format->read != nullptr;
}

// Appends the descriptions of one folder and of those below it. A link that leaves `fence`, unless
// that is empty, is not looked at.
void List(const fs::path& folder, const std::string& relative, int depth, const fs::path& fence,
          const Globs& globs, Descriptions& found) {
  std::error_code error;
  fs::directory_iterator it(folder, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code ignored;  // what a broken link or a loop of links is, reading it will tell
    const bool linked = it->is_symlink(ignored);
    if (it->is_directory(ignored)) {
      // Links of folders are not followed: they may lead in a circle.
      if (!linked && depth < kMaxFolderDepth)
        List(it->path(), relative + name + "/", depth + 1, fence, globs, found);
      continue;
    }
    if (IsTemporaryName(name) || !(IsReadByName(name) || IsXacro(name))) continue;
    Description each{relative + name, it->path().string()};
    each.left_out = !globs.Take(each.relative);
    const fs::path real = linked ? RealPath(it->path()) : fs::path();  // none: reading will tell
    const bool outside = !real.empty() && !fence.empty() && !Inside(real, fence);
    if (outside && !each.left_out)
      found.unreadable.push_back("'" + each.path +
                                 "' is a link that leaves the folder: kinemorph does not read "
                                 "the file (--allow-outside reads it)");
    // Those that are excluded are kept, for who must know that they exist (--prune).
    if (outside ? each.left_out : !IsXacro(name) || IsWholeXacro(it->path()))
      found.all.push_back(std::move(each));
  }
  if (error)
    found.unreadable.push_back("'" + folder.string() + "' cannot be listed: " + error.message());
}

// By the whole path or by the name alone, so that "*.urdf" works without a folder; a star also
// stands for slashes.
bool MatchesAny(const std::string& path, const std::vector<std::string>& globs) {
  return std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
    return ::fnmatch(glob.c_str(), path.c_str(), 0) == 0 ||
           ::fnmatch(glob.c_str(), path.substr(path.rfind('/') + 1).c_str(), 0) == 0;
  });
}

}  // namespace

bool IsXacro(std::string_view name) { return name.ends_with(".xacro"); }

bool Globs::Take(const std::string& path) const {
  return (include.empty() || MatchesAny(path, include)) && !MatchesAny(path, exclude);
}

void AddGlobOptions(CLI::App& command, Globs& globs) {
  StartGroup(command, kInputGroup);
  command
      .add_option("--include", globs.include,
                  "read only files of a folder whose path or name matches")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  command
      .add_option("--exclude", globs.exclude,
                  "leave out files of a folder whose path or name matches")
      ->type_name("GLOB")
      ->allow_extra_args(false);
}

Descriptions DescriptionsBelow(const std::string& folder, const Globs& globs, bool allow_outside) {
  Descriptions found;
  List(folder, "", 0, allow_outside ? fs::path() : RealPath(folder), globs, found);
  // What a folder lists has the order of its file system.
  std::sort(found.all.begin(), found.all.end(),
            [](const Description& a, const Description& b) { return a.relative < b.relative; });
  std::sort(found.unreadable.begin(), found.unreadable.end());
  return found;
}

NamedFiles FilesNamed(const std::vector<std::string>& paths, const Globs& globs,
                      bool allow_outside) {
  NamedFiles named;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      named.files.push_back(path);
      continue;
    }
    const Descriptions found = DescriptionsBelow(path, globs, allow_outside);
    for (const std::string& why : found.unreadable)
      std::cerr << "kinemorph: " << Printable(why) << '\n';
    named.all = named.all && found.unreadable.empty();
    // Of "." they are named as annotations name the files of a repository, without "./".
    for (const Description& each : found.all)
      if (!each.left_out) named.files.push_back(fs::path(each.path).lexically_normal().string());
  }
  return named;
}

}  // namespace kinemorph::tools

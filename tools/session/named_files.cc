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

// The path or a folder of it; a star also stands for slashes, and `**/` also for nothing.
bool Matches(std::string glob, const std::string& path) {
  if (const std::size_t any = glob.find("**/"); any != std::string::npos)
    if (Matches(glob.substr(0, any) + glob.substr(any + 3), path)) return true;
  if (glob.starts_with('/')) glob.erase(0, 1);
  if (glob.ends_with('/')) glob.pop_back();
  const bool of_name = glob.find('/') == std::string::npos;
  std::size_t begin = 0;  // of the last name
  for (std::size_t end = path.find('/'); begin <= path.size(); end = path.find('/', begin)) {
    end = std::min(end, path.size());
    const std::string part = of_name ? path.substr(begin, end - begin) : path.substr(0, end);
    if (::fnmatch(glob.c_str(), part.c_str(), 0) == 0) return true;
    begin = end + 1;
  }
  return false;
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
    const fs::path typed = fs::path(each.path).lexically_normal();
    each.left_out =
        !globs.Take(each.relative, typed.is_relative() ? typed.string() : each.relative);
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

}  // namespace

bool IsXacro(std::string_view name) { return name.ends_with(".xacro"); }

bool Globs::Take(const std::string& relative, const std::string& typed) const {
  // A folder that the user names is read, whatever its own name is.
  const auto match = [&](const std::vector<std::string>& globs) {
    return std::ranges::any_of(globs, [&](const std::string& glob) {
      const bool of_path = glob.find('/') != std::string::npos;
      return Matches(glob, relative) || (of_path && Matches(glob, typed));
    });
  };
  return (include.empty() || match(include)) && !match(exclude);
}

void AddGlobOptions(CLI::App& command, Globs& globs) {
  StartGroup(command, kInputGroup);
  command
      .add_option(
          "--include", globs.include,
          "read only files of a folder that match: by name (*.urdf), by the name of a folder "
          "above them (arms), or by path (arms/*.urdf)")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  command
      .add_option("--exclude", globs.exclude,
                  "leave out files of a folder that match: by name, by the name of a folder above "
                  "them (vendor), or by path (robots/old)")
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

#include "command/fmu_binary.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "host/files.h"
#include "host/plain_text.h"
#include "host/program.h"

namespace kinemorph::tools {
namespace {

namespace fs = std::filesystem;

// An FMU holds sources, and for each platform a library compiled of them. Whoever has no compiler
// still gets an FMU, with sources alone, and is told; whoever names a platform gets it or an error.

// A mechanism of hundreds of joints takes a compiler minutes.
constexpr double kCompileSeconds = 300;

struct Platform {
  std::string_view name, folder_of_3, suffix;
  std::vector<std::string> compilers;  // the first that is installed
  std::vector<std::string> link;       // options
  std::string_view package;            // where there is none
};

// Reproducible libraries: the options take out what linkers add of their own.
// No time and no path goes into a library: equal sources give equal bytes. (Its base would else
// follow from the path of the file.)
const std::array<Platform, 2>& Platforms() {
  static const std::array<Platform, 2> all = {
      Platform{"linux64",
               "x86_64-linux",
               ".so",
#if defined __x86_64__ && defined __linux__
               {"cc", "gcc", "clang"},
#else
               {"x86_64-linux-gnu-gcc"},
#endif
               {"-Wl,--build-id=none"},
               "Debian: gcc"},
      Platform{"win64",
               "x86_64-windows",
               ".dll",
               {"x86_64-w64-mingw32-gcc"},
               {"-static-libgcc", "-Wl,--no-insert-timestamp", "-Wl,--image-base=0x180000000"},
               "Debian: gcc-mingw-w64-x86-64"},
  };
  return all;
}

std::string FirstError(const std::string& text) {
  const std::size_t line = text.find("error");
  const std::string from = line == std::string::npos ? text : text.substr(line);
  return from.substr(0, std::min<std::size_t>(from.find('\n'), 200));
}

class Builder {
 public:
  Builder(ExportedEquations& fmu, FmiVersion version) : fmu_(fmu), version_(version) {}

  /// Adds the library. `why`: empty where it was made; `installed`: whether a compiler is.
  void Build(const Platform& platform, bool& installed, std::string& why) {
    installed = false;
    if (!Prepare(why)) return;
    // The first compiler that answers is taken; others are not tried when it fails, since its
    // message names the cause.
    for (const std::string& compiler : platform.compilers) {
      const auto version = RunProgram({compiler, "--version"}, "", 10);
      if (!version || version->exit_code != 0) continue;
      installed = true;
      Compile(platform, compiler, why);
      return;
    }
    why = "no compiler for it is installed (" + std::string(platform.package) + ")";
  }

 private:
  // The sources are written once for all platforms, without their folder: an FMU's sources include
  // each other by bare names.
  bool Prepare(std::string& why) {
    const fs::path folder = folder_.path();
    if (folder.empty()) why = "no temporary folder can be made";
    if (!sources_.empty() || !why.empty()) return why.empty();
    for (const ExportedFile& file : fmu_.files) {
      const fs::path path(file.name);
      if (path.parent_path() != "sources") continue;
      why = WriteWhole((folder / path.filename()).string(), file.text);
      if (!why.empty()) return false;
      if (path.extension() == ".c") sources_.push_back((folder / path.filename()).string());
    }
    return true;
  }

  // What a compiler leaves when it is killed stays in our folder, which goes with us.
  bool Run(const std::vector<std::string>& command, std::string& why) const {
    std::vector<std::string> words = {"/usr/bin/env", "TMPDIR=" + folder_.path()};
    words.insert(words.end(), command.begin(), command.end());
    const auto run = RunProgram(words, "", kCompileSeconds);
    if (run && run->exit_code == 0) return true;
    const std::string& compiler = command.front();
    why = !run             ? compiler + " cannot be started"
          : run->timed_out ? compiler + " did not end within " +
                                 std::to_string(static_cast<int>(kCompileSeconds)) + " s"
                           : compiler + " says: " + FirstError(PlainText(run->output));
    return false;
  }

  // Each source to an object beside it, so that no compiler leaves files elsewhere.
  void Compile(const Platform& platform, const std::string& compiler, std::string& why) {
    std::vector<std::string> link = {compiler, "-shared", "-s"};
    // Hidden by default: a simulator loads many FMUs into one process, and names must not meet.
    for (const std::string& source : sources_) {
      const std::string object = source + ".o";
      std::vector<std::string> command = {compiler, "-std=c99", "-O2", "-pipe",
                                          "-fvisibility=hidden"};
      if (platform.suffix == ".so") command.emplace_back("-fPIC");
      command.insert(command.end(), {"-c", source, "-o", object});
      if (!Run(command, why)) return;
      link.push_back(object);
    }
    const std::string name = fmu_.name + std::string(platform.suffix);
    const std::string library = (fs::path(folder_.path()) / name).string();
    link.insert(link.end(), platform.link.begin(), platform.link.end());
    link.insert(link.end(), {"-o", library, "-lm"});
    if (!Run(link, why)) return;
    std::optional<std::string> bytes = ReadWhole(library, why);
    if (!bytes) return;
    const std::string_view folder =
        version_ == FmiVersion::kFmi3 ? platform.folder_of_3 : platform.name;
    fmu_.files.push_back({"binaries/" + std::string(folder) + "/" + name, *std::move(bytes)});
  }

  ExportedEquations& fmu_;
  FmiVersion version_;
  TemporaryFolder folder_;
  std::vector<std::string> sources_;
};

}  // namespace

void AddBinaries(ExportedEquations& fmu, FmiVersion version,
                 const std::vector<std::string>& platforms, const std::string& file,
                 Diagnostics& diagnostics) {
  const auto asked = [&](std::string_view name) {
    return std::find(platforms.begin(), platforms.end(), name) != platforms.end();
  };
  const auto say = [&](Severity severity, const char* code, const std::string& message) {
    diagnostics.Add({severity, code, file, 0, "", message, {}});
  };
  if (asked("none")) return;
  // Asked for nothing in particular, what can be made is made.
  const bool every = platforms.empty() || asked("auto");
  Builder builder(fmu, version);
  const std::size_t sources = fmu.files.size();
  std::string reasons;
  for (const Platform& platform : Platforms()) {
    const bool named = asked(platform.name);
    if (!named && !every) continue;
    bool installed = false;
    std::string why;
    builder.Build(platform, installed, why);
    const std::string name(platform.name);
    if (why.empty()) continue;
    if (named) {
      say(Severity::kError, "fmu-binary-impossible", "no binary for " + name + ": " + why);
    } else if (installed) {
      say(Severity::kWarning, "fmu-binary-left-out", "no binary for " + name + ": " + why);
    }
    reasons += (reasons.empty() ? "" : "; ") + name + ": " + why;
  }
  // The size of the list tells whether any was added.
  if (fmu.files.size() == sources && !diagnostics.has_errors())
    say(Severity::kNote, "fmu-sources-alone",
        "the FMU holds sources and no binary, which most importers need; " + reasons);
}

}  // namespace kinemorph::tools

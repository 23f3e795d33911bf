// kinemorph view: the page with a robot in it, opened in a browser.
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <thread>

#include "host/cleanup.h"
#include "kinemorph/graph/base/printable.h"
#include "pictures/view_page.h"
#include "session/outputs.h"
#include "session/session.h"

namespace kinemorph::tools {
// The page of the web app with a robot inside: it needs no server and no network. With --watch the
// files are looked at three times a second, and a second file beside the page holds the newest
// robot; the page loads that again, since a page from a disk may not read other files.

namespace {

namespace fs = std::filesystem;

struct ViewOptions {
  Input input;
  std::string out;
  bool watch = false, no_open = false;
};

// What is seen of a file without reading it: another moment or size means another content.
using PageSight = std::vector<std::pair<fs::file_time_type, std::uintmax_t>>;
PageSight LookAtFiles(const std::vector<std::string>& files) {
  PageSight sight;
  for (const std::string& file : files) {
    std::error_code error;
    const auto time = fs::last_write_time(file, error);
    sight.emplace_back(error ? fs::file_time_type() : time, fs::file_size(file, error));
  }
  return sight;
}

// Opens a file as the desktop does, in a session of its own: it outlives this process. Without a
// display there is nobody to look at it.
// A browser that stays open must not end when the terminal sends its signals to this group.
void OpenOnDesktop(const std::string& path) {
  const auto set = [](const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  if (!set("DISPLAY") && !set("WAYLAND_DISPLAY")) return;
  std::string program = "xdg-open", file = path;
  char* const words[] = {program.data(), file.data(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  posix_spawn_file_actions_init(&files);
  // What the browser prints is no output of this command.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_RDWR, 0);
  posix_spawnattr_init(&how);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSID);
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), &files, &how, words, environ) != 0)
    std::cerr << "kinemorph: xdg-open was not found: open the page yourself\n";
  posix_spawnattr_destroy(&how);
  posix_spawn_file_actions_destroy(&files);
}

struct PageWritten {
  int end = kDone;
  std::vector<std::string> read;
};

// Reads the description and writes the page, and what --watch has beside it. A description with
// errors is shown with its messages once somebody watches it.
PageWritten Write(const ViewOptions& view, const std::string& page, bool first) {
  PageWritten written;
  Diagnostics diagnostics;
  std::vector<Asked> asked;
  const std::optional<Robot> robot = LoadRobot(view.input, diagnostics, &written.read, &asked);
  RefuseInputs({view.out}, written.read);
  PrintDiagnostics(diagnostics, view.input);
  if (!robot && first) {
    written.end = kBadInput;
    return written;
  }
  // The page has the expander of the library, so xacro files go in as they are and can be edited
  // there.
  // The page expands as it is; with arguments and by another program it cannot.
  const bool expanded =
      view.input.expansion &&
      (!view.input.xacro_args.empty() || !view.input.packages.empty() || !view.input.xacro.empty());
  const std::string side = view.out + ".js";
  const Carried carried = Carry(view.input.path, view.input.from, written.read, asked,
                                robot && (expanded || view.input.path == "-") ? robot->text : "",
                                view.watch ? fs::path(side).filename().string() : "");
  for (const std::string& file : carried.left_out)
    std::cerr << "kinemorph: '" << Printable(file)
              << "' is left out: the page would be too large\n";
  std::string whole = page;
  // The mark stands in the page once; the text of the robot is inserted as data.
  whole.replace(whole.find(kPlaceForRobot), kPlaceForRobot.size(),
                std::string(kRobotInPage) + carried.json + "</script>");
  std::string why = WriteWhole(view.out, whole);
  if (why.empty() && view.watch)
    why = WriteWhole(side, std::string(kChangedRobot) + carried.json + ");\n");
  if (!why.empty()) {
    std::cerr << "kinemorph: " << Printable(why) << '\n';
    written.end = kBadInput;
  }
  return written;
}

int Run(ViewOptions& view) {
  // NAME of NAME.urdf.xacro.
  if (view.out.empty()) {
    const fs::path name = view.input.path == "-" ? "robot" : fs::path(view.input.path).filename();
    view.out = name.stem().stem().string() + ".html";
  }
  if (view.watch && view.input.path == "-") throw UsageError("--watch needs a file, not -");
  if (view.watch && view.out == "-") throw UsageError("--watch needs an --output that is a file");
  RefuseForeign(view.out, kRobotInPage);
  if (view.watch) RefuseClashes({view.out, view.out + ".js"});
  if (view.watch) RefuseForeign(view.out + ".js", kChangedRobot);
  std::string why;
  const std::string page = EmptyPage(why);
  if (page.empty()) {
    std::cerr << "kinemorph: " << Printable(why) << '\n';
    return kBadInput;
  }
  PageWritten written = Write(view, page, true);
  if (written.end != kDone || view.out == "-") return written.end;
  std::cout << Printable(view.out) << std::endl;
  if (!view.no_open) OpenOnDesktop(fs::absolute(view.out).string());
  PageSight before = LookAtFiles(written.read);
  while (view.watch) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    // Times and sizes only: reading all meshes every 300 ms would keep the disk busy.
    PageSight now = LookAtFiles(written.read);
    if (now == before) continue;
    written = Write(view, page, false);
    before = LookAtFiles(written.read);
  }
  return kDone;
}

}  // namespace

void AddView(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand(
      "view", "Show, move and convert the robot on a web page that opens in a browser.");
  auto view = std::make_shared<ViewOptions>();
  AddInputOptions(*command, view->input);
  StartGroup(*command, kOutputGroup);
  command
      ->add_option("-o,--output", view->out,
                   "the page to write; without this option, NAME.html in this folder for IN = "
                   "NAME.urdf")
      ->type_name("OUT.html");
  command->add_flag(
      "--watch", view->watch,
      "write the page again whenever a file of the robot changes, and update the open page; CTRL-C "
      "ends the command");
  command->add_flag("--no-open", view->no_open,
                    "print the path of the page instead of opening a browser");
  command->callback([view, &run] { run = [view] { return Run(*view); }; });
}

}  // namespace kinemorph::tools

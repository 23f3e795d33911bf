// kinemorph examples: the files that the commands of the pages read.
#include <filesystem>
#include <iostream>

#include "kinemorph/graph/base/printable.h"
#include "session/session.h"

namespace kinemorph::tools {
namespace {

struct ExampleFile {
  const char *name, *text;
};

// Of the comments `<!-- file NAME: FIXTURE -->` in the pages, by CMake.
constexpr ExampleFile kExampleFiles[] = {
#include "example_files.inc"
};

// What is there already stays: it may be the user's own robot.urdf.
int LayOut(const std::string& folder) {
  namespace fs = std::filesystem;
  std::size_t written = 0;
  for (const ExampleFile& file : kExampleFiles) {
    const fs::path path = fs::path(folder) / file.name;
    std::error_code error;
    if (fs::exists(fs::symlink_status(path, error))) {
      std::cout << "kept  " << Printable(path.lexically_normal().string()) << ", which is there\n";
      continue;
    }
    fs::create_directories(path.parent_path(), error);  // else writing tells
    if (const std::string why = WriteWhole(path.string(), file.text); !why.empty()) {
      std::cerr << "kinemorph: " << Printable(why) << '\n';
      return kBadInput;
    }
    std::cout << "wrote " << Printable(path.lexically_normal().string()) << '\n';
    ++written;
  }
  const fs::path robot = (fs::path(folder) / "robot.urdf").lexically_normal();
  if (written > 0) std::cout << "next: kinemorph inspect " << Printable(robot.string()) << '\n';
  return kDone;
}

}  // namespace

void AddExamples(CLI::App& app, Command& run) {
  CLI::App* command = app.add_subcommand(
      "examples",
      "Write the robot descriptions that the documentation uses; nothing is overwritten.");
  auto folder = std::make_shared<std::string>(".");
  command
      ->add_option("DIR", *folder, "the folder to write them to; without DIR, the working folder")
      ->type_name("DIR");
  command->callback([folder, &run] { run = [folder] { return LayOut(*folder); }; });
}

}  // namespace kinemorph::tools

// Several resolvers that share the memory of a batch's disk, each in a thread of its own. Built
// alone under ThreadSanitizer (tools/test), which is the judge; the answers are compared too.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>
#include <vector>

#include "kinemorph/formats/file_resolver.h"

namespace {

namespace fs = std::filesystem;
constexpr int kThreads = 8, kRounds = 200, kRobots = 20;

void Write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

std::string RobotAt(const fs::path& folder, int i) {
  return (folder / ("p" + std::to_string(i % 5)) / "urdf" / ("r" + std::to_string(i) + ".urdf"))
      .string();
}

// What one thread finds, in an order of its own.
std::vector<std::string> Answers(const fs::path& folder, std::shared_ptr<kinemorph::Disk> disk,
                                 int start) {
  std::vector<std::string> answers(kRobots);
  for (int round = 0; round < kRounds; ++round) {
    const int i = (start + round) % kRobots;
    const std::string robot = RobotAt(folder, i);
    const kinemorph::FileResolver files(robot, {{}, {folder.string()}, {}, false, disk});
    std::string text;
    for (const char* uri : {"package://p1/meshes/m.stl", "package://gone/m.stl", "../meshes/m.stl",
                            "link.stl", "package://p4/meshes/../meshes/m.stl"}) {
      std::string why;
      text += files.Locate(uri, robot, why).value_or(why) + "\n";
    }
    answers[static_cast<std::size_t>(i)] = text;
  }
  return answers;
}

}  // namespace

int main() {
  std::string name = (fs::temp_directory_path() / "kinemorph-threads-XXXXXX").string();
  const fs::path folder = mkdtemp(name.data());
  for (int i = 0; i < 5; ++i) {
    const std::string package = "p" + std::to_string(i);
    Write(folder / package / "package.xml", "<package><name>" + package + "</name></package>");
    Write(folder / package / "meshes/m.stl", "solid m");
    fs::create_directories(folder / package / "urdf");
    fs::create_symlink("../meshes/m.stl", folder / package / "urdf/link.stl");
  }
  const std::vector<std::string> alone = Answers(folder, kinemorph::MakeDisk(), 0);
  const auto disk = kinemorph::MakeDisk();
  std::vector<std::vector<std::string>> answers(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back(
        [&, t] { answers[static_cast<std::size_t>(t)] = Answers(folder, disk, 3 * t); });
  for (std::thread& thread : threads) thread.join();
  fs::remove_all(folder);
  for (const auto& each : answers) {
    if (each == alone) continue;
    std::cerr << "a thread found something else than one that is alone\n";
    return 1;
  }
  std::cout << kThreads << " threads found the same\n";
}

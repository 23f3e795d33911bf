// The kinemorph command: options in, exit code out. Each subcommand has a file of its own.
#include <fcntl.h>
#include <malloc.h>
#include <tinyxml2.h>
#include <unistd.h>

#include <Eigen/Core>
#include <algorithm>
#include <boost/version.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>

#include "cleanup.h"
#include "kinemorph/graph/base/printable.h"
#include "session.h"

namespace kinemorph::tools {
namespace {

std::string Versions() {
  const auto dotted = [](int a, int b, int c) {
    return std::to_string(a) + "." + std::to_string(b) + "." + std::to_string(c);
  };
  return "kinemorph " KINEMORPH_VERSION "\nbuilt with Eigen " +
         dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION) + ", Boost " +
         dotted(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100) +
         ", tinyxml2 " +
         dotted(TINYXML2_MAJOR_VERSION, TINYXML2_MINOR_VERSION, TINYXML2_PATCH_VERSION) +
         ", CLI11 " CLI11_VERSION ", nlohmann-json " +
         dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                NLOHMANN_JSON_VERSION_PATCH);
}

// One per subcommand, at the foot of its help; a test runs each.
constexpr std::pair<const char*, const char*> kExamples[] = {
    {"convert", "kinemorph convert robot.urdf robot.xml --verify"},
    {"check", "kinemorph check robot.urdf --to mjcf"},
    {"lint", "kinemorph lint robot.urdf"},
    {"inspect", "kinemorph inspect robot.urdf"},
    {"graph", "kinemorph graph robot.urdf --what lacg -o robot.dot"},
    {"simulate", "kinemorph simulate robot.urdf -o robot.csv --time 0.1"},
    {"verify", "kinemorph verify robot.urdf robot.sdf --allow independent"},
    {"diff", "kinemorph diff robot.urdf robot.sdf --allow independent"},
    {"explain", "kinemorph explain base-fixed"},
    {"dump", "kinemorph dump robot.urdf"},
    {"expand", "kinemorph expand robot.urdf.xacro -o expanded.urdf"},
    {"export", "kinemorph export robot.urdf -o equations --language c"},
    {"formats", "kinemorph formats --markdown"},
    {"batch", "kinemorph batch robots -o converted --to sdf --report report.jsonl"},
    {"view", "kinemorph view robot.urdf -o robot.html --no-open"},
    {"completion", "kinemorph completion bash"},
};

// What was typed, and what understands it.
struct CommandLine {
  CLI::App app{
      "kinemorph: the gateway between robot description formats that keeps kinematic loops.\n"
      "Converts between URDF, URDF+, SDFormat, MJCF and Robotran MBS, reports what the target "
      "cannot hold, and proves the rest.\n"};
  std::vector<const char*> words;
};
CommandLine& Typed() {
  static CommandLine line;
  return line;
}

// Why the options were refused; or help and version, which CLI11 throws too.
int Refused(const CLI::ParseError& error) {
  auto& [app, words] = Typed();
  // CLI11 says only that a subcommand is missing, even where there is one that it does not know.
  const std::string first = words.size() > 1 ? words[1] : "";
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(each->get_name());
  if (!first.empty() && first[0] != '-' &&
      std::find(names.begin(), names.end(), first) == names.end()) {
    const std::string nearest = NearestName(first, names);
    std::cerr << "kinemorph: '" << Printable(first) << "' is no subcommand"
              << (nearest.empty() ? "" : "; did you mean '" + nearest + "'?")
              << "\nRun with --help for more information.\n";
    return kUsage;
  }
  if (error.get_exit_code() == 0) return app.exit(error) == 0 ? kDone : kUsage;
  // CLI11 repeats words of the command line as they are.
  std::cerr << Printable(error.what(), LineEnds::kIndented)
            << "\nRun with --help for more information.\n";
  return kUsage;
}

int Main(int argc, char** argv) {
  auto& [app, words] = Typed();
  // `help CMD` is `CMD --help`.
  words.assign(argv, argv + argc);
  if (argc > 1 && std::string(argv[1]) == "help") {
    words.erase(words.begin() + 1);
    words.resize(std::min<std::size_t>(words.size(), 2));
    words.push_back("--help");
  }
  app.name("kinemorph");
  app.set_version_flag("--version", Versions());
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done; 1 the input has errors, or verify found a difference; 2 wrong use; 3 "
      "--strict and something would be lost;\n"
      "4 internal error. Messages go to standard error, results to standard output.\n"
      "Example: kinemorph convert robot.sdf robot.urdf --verify");
  Command run;
  for (auto* add :
       {AddConvert, AddCheck, AddLint, AddInspect, AddGraph, AddSimulate, AddVerify, AddDiff,
        AddExplain, AddDump, AddExpand, AddExport, AddFormats, AddBatch, AddView, AddCompletion})
    add(app, run);
  for (const auto& [name, example] : kExamples)
    app.get_subcommand(name)->footer("Example: " + std::string(example));
  app.parse(static_cast<int>(words.size()), words.data());
  return run();
}

// Standard streams that are closed are opened where nothing comes and nothing goes, or the next
// file would take their place; and a reader that goes away is an error of writing, not a signal.
void PrepareStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF && ::open("/dev/null", O_RDONLY) < 0)
      ::_exit(kInternal);
  }
  std::signal(SIGPIPE, SIG_IGN);
  WatchSignals();
  std::ios::sync_with_stdio(false);
}

// What was printed must have arrived: on a full disk or a closed stream a result that nobody got is
// no success.
int CheckedOutput(int exit_code) {
  errno = 0;
  if (std::cout.flush()) return exit_code;
  std::cerr << "kinemorph: standard output cannot be written" << (errno != 0 ? ": " : "")
            << (errno != 0 ? std::strerror(errno) : "") << '\n';
  return exit_code == kDone ? kBadInput : exit_code;
}

}  // namespace

int ExitCodeOf(const std::exception& thrown) {
  if (const auto* const refused = dynamic_cast<const CLI::ParseError*>(&thrown))
    return Refused(*refused);
  if (dynamic_cast<const UsageError*>(&thrown) != nullptr) {
    std::cerr << "kinemorph: " << Printable(thrown.what(), LineEnds::kIndented)
              << "\nRun with --help for more information.\n";
    return kUsage;
  }
  if (dynamic_cast<const std::bad_alloc*>(&thrown) != nullptr) {
    std::cerr << "kinemorph: more memory is needed than there is, or than --memory allows\n";
    return kBadInput;
  }
  std::cerr << "kinemorph: internal error: " << Printable(thrown.what()) << '\n';
  return kInternal;
}

}  // namespace kinemorph::tools

int main(int argc, char** argv) {
  using namespace kinemorph::tools;
#ifdef M_MXFAST
  // What is freed is merged with its neighbours at once; else each large request of memory does it
  // for all that was freed since the last one.
  ::mallopt(M_MXFAST, 0);
#endif
  PrepareStreams();
  try {
    return CheckedOutput(Main(argc, argv));
  } catch (const std::exception& thrown) { return CheckedOutput(ExitCodeOf(thrown)); } catch (...) {
    std::cerr << "kinemorph: internal error\n";
  }
  return kInternal;
}

// Options in, exit code out. Each subcommand has a file of its own.
#include "command/command_line.h"

#include <fcntl.h>
#include <malloc.h>
#include <tinyxml2.h>
#include <unistd.h>

#include <Eigen/Core>
#include <algorithm>
#include <boost/version.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>

#include "command/command_data.h"
#include "command/help.h"
#include "host/cleanup.h"
#include "host/terminal.h"
#include "kinemorph/graph/base/printable.h"
#include "session/session.h"
#include "session/settings.h"

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

// One static command line, because what is thrown deep inside needs it to say which subcommand's
// help would serve.

// What was typed, and what understands it.
struct CommandLine {
  CLI::App app{
      "kinemorph converts robot descriptions between URDF, URDF+, SDFormat, MJCF (MuJoCo), USD and "
      "Robotran MBS. Kinematic loops stay closed, every loss is listed with file and line, and "
      "--verify proves that the result describes the same mechanism."};
  std::vector<const char*> words;
  std::vector<std::string> settings;  // words that kinemorph.toml adds
};
CommandLine& Typed() {
  static CommandLine line;
  return line;
}

std::vector<std::string> CommandNames() {
  std::vector<std::string> names;
  for (const CLI::App* each : Subcommands(Typed().app)) names.push_back(each->get_name());
  return names;
}

std::string Meant(const std::string& name, const std::vector<std::string>& known) {
  const std::string nearest = NearestName(name, known);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

std::vector<std::string> OptionNames(const CLI::App& command) {
  std::vector<std::string> names;
  for (const OptionData& option : DataOf(command).options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

// ", but of batch and check": the subcommands that have it.
std::string OptionOf(const std::string& name) {
  std::vector<std::string> commands;
  for (const CLI::App* each : Subcommands(Typed().app)) {
    const std::vector<std::string> names = OptionNames(*each);
    if (std::ranges::find(names, name) != names.end()) commands.push_back(each->get_name());
  }
  std::string text;
  for (std::size_t i = 0; i < commands.size(); ++i)
    text += (i == 0 ? ", but of " : i + 1 == commands.size() ? " and " : ", ") + commands[i];
  return text;
}

// CLI11 collects what it does not know; the first word of that is told.
// "'--vrify' is not an option of convert; did you mean '--verify'?", where that is what is wrong.
std::string UnknownWord(const std::string& command) {
  const CLI::App* const used = Typed().app.get_subcommand(command);
  for (const std::string& word : used->remaining()) {
    const std::string name = word.substr(0, word.find('='));
    if (name.empty() || name[0] != '-')
      return "'" + word + "' is one argument too many for " + command;
    const std::string others = OptionOf(name);
    return "'" + name + "' is not an option of " + command +
           (others.empty() ? Meant(name, OptionNames(*used)) : others);
  }
  return "";
}

bool TakesNone(const CLI::Option* option) {
  return option != nullptr && option->get_expected_max() == 0 && option->get_type_name().empty();
}

// "'--help=x': --help takes no value", where a flag has one: a word like that is the name of a file
// which somebody forgot to write behind --, and no call for help.
std::string ValueOfFlag() {
  const auto& [app, words, settings] = Typed();
  const CLI::App* used = &app;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string word = words[i];
    // Words behind -- are names, whatever they look like.
    if (word == "--") break;
    if (word.size() < 2 || word[0] != '-') {
      // The first word that is no option is the subcommand, and from there on its options count.
      if (used != &app) continue;
      const std::vector<const CLI::App*> all = Subcommands(app);
      const auto found = std::find_if(
          all.begin(), all.end(), [&](const CLI::App* each) { return each->get_name() == word; });
      if (found == all.end()) break;
      used = *found;
      continue;
    }
    const bool is_long = word[1] == '-';
    const std::size_t end = is_long ? std::min(word.find('='), word.size()) : 2;
    const std::string name = word.substr(0, end);
    const CLI::Option* const option = used->get_option_no_throw(name);
    const bool value = end < word.size();
    // Its value is no option, even where it begins with a hyphen.
    if (option != nullptr && !value && option->get_expected_min() > 0) ++i;  // the next word
    if (!TakesNone(option) || !value) continue;
    const auto is_flag = [&](char c) {
      return TakesNone(used->get_option_no_throw(std::string("-") + c));
    };
    const std::string rest = word.substr(end);
    // Short flags in one word are flags each.
    if (!is_long && std::all_of(rest.begin(), rest.end(), is_flag)) continue;  // -qh
    return "'" + word + "': " + name +
           " takes no value; a file of this name is written behind --, or as ./" + word;
  }
  return "";
}

// An unset variable of a script is the usual cause, and `-o ""` must not become a file without a
// name.
// "--loss-report is given an empty text", of the first option or argument that is.
std::string EmptyValue(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands())
    for (const CLI::Option* option : command->get_options()) {
      const std::vector<std::string>& values = option->results();
      const bool takes_value = option->get_expected_max() > 0;
      if (takes_value && std::find(values.begin(), values.end(), "") != values.end())
        return option->get_name() + " is given an empty text: write a value, or leave it out";
    }
  return "";
}

int WrongUse(const std::string& why, const std::string& command) {
  std::cerr << "kinemorph: " << Printable(why, LineEnds::kIndented) << "\n`kinemorph "
            << (command.empty() ? "--help` lists the subcommands"
                                : command + " --help` lists the options")
            << '\n';
  return kUsage;
}

// CLI11 reports the first thing that it stumbles over. For a user a subcommand that is misspelt is
// the cause of all others, so it is looked at first.
// Why the options were refused; or help and version, which CLI11 throws too.
int Refused(const CLI::ParseError& error) {
  auto& [app, words, settings] = Typed();
  const std::string first = words.size() > 1 ? words[1] : "";
  const std::vector<std::string> names = CommandNames();
  const bool known = std::find(names.begin(), names.end(), first) != names.end();
  if (!known && !first.empty() && first[0] != '-') {
    std::error_code error_code;
    const bool is_file = std::filesystem::exists(first, error_code);
    const std::string meant =
        is_file ? "; did you mean 'convert " + first + "'?" : Meant(first, names);
    return WrongUse("'" + first + "' is not a subcommand" + meant, "");
  }
  if (error.get_exit_code() == 0) return app.exit(error) == 0 ? kDone : kUsage;
  if (!known && first.size() > 1 && first != "--")
    return WrongUse("'" + first + "' is not an option" + Meant(first, OptionNames(app)), "");
  if (!known) return WrongUse("a subcommand is missing, such as convert", "");
  const bool extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const std::string unknown = extra ? UnknownWord(first) : "";
  std::string why = unknown.empty() ? error.what() : unknown;
  for (const std::string& option : settings)
    if (why.starts_with(option.substr(0, option.find('=')) + ":"))
      why += "; " + std::string(kSettingsFile) + " sets " + option;
  return WrongUse(why, first);
}

int Main(int argc, char** argv) {
  auto& [app, words, settings] = Typed();
  // `help CMD` is `CMD --help`.
  words.assign(argv, argv + argc);
  if (argc > 1 && std::string(argv[1]) == "help") {
    words.erase(words.begin() + 1);
    words.resize(std::min<std::size_t>(words.size(), 2));
    words.push_back("--help");
  }
  app.name("kinemorph");
  app.set_version_flag("--version", Versions(),
                       "print the versions of kinemorph and its libraries");
  app.require_subcommand(1);
  app.allow_windows_style_options(false);  // a word that begins with a slash is a path
  app.formatter(std::make_shared<HelpFormatter>(HelpColumns()));
  app.set_help_flag("-h,--help", "print this help");
  app.footer(
      "Exit codes: 0 the command is done; 1 the input has errors, or verify found a difference; 2 "
      "the command line is wrong; 3 --strict forbids what would be lost; 4 kinemorph has a defect. "
      "Messages go to standard error, results to standard output.\n\n"
      "Examples:\n"
      "  kinemorph convert robot.sdf robot.urdf --verify\n"
      "      convert SDFormat to URDF, and prove the result\n"
      "  kinemorph help convert\n"
      "      list the options of a subcommand");
  Command run;
  // In the order of the help: what most users need first.
  for (auto* add : {AddConvert, AddCheck, AddLint, AddInspect, AddGraph, AddSimulate, AddVerify,
                    AddDiff, AddExplain, AddDump, AddExpand, AddExport, AddFormats, AddBatch,
                    AddView, AddExamples, AddCompletion})
    add(app, run);
  // The help option is added to each subcommand by CLI11, without a group.
  for (CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; }))
    each->get_help_ptr()->group(kMessageGroup);
  // Before parsing: CLI11 would take --help=x for --help, print the help and end with 0.
  if (const std::string why = ValueOfFlag(); !why.empty())
    return WrongUse(why, words[1][0] == '-' ? "" : words[1]);
  // Behind the subcommand, so that names behind -- stay names.
  settings = SettingsFor({words.begin(), words.end()});
  for (const std::string& option : settings) words.insert(words.begin() + 2, option.c_str());
  app.parse(static_cast<int>(words.size()), words.data());
  if (const std::string why = EmptyValue(app); !why.empty()) return WrongUse(why, words[1]);
  return run();
}

// Standard streams that are closed are opened where nothing comes and nothing goes, or the next
// file would take their place; and a reader that goes away is an error of writing, not a signal.
void PrepareStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF && ::open("/dev/null", O_RDONLY) < 0)
      ::_exit(kInternal);
  }
  WatchSignals();
  std::ios::sync_with_stdio(false);
}

// What was printed must have arrived: on a full disk or a closed stream a result that nobody got is
// no success.
int CheckedOutput(int exit_code) {
  if (std::cout.flush()) return exit_code;
  // The stream forgets why; whoever is asked again says it. `| head` has read what it wanted.
  errno = 0;
  if (::write(STDOUT_FILENO, "\n", 1) < 0 && errno != EPIPE)
    std::cerr << "kinemorph: standard output cannot be written: " << std::strerror(errno) << '\n';
  return exit_code == kDone ? kBadInput : exit_code;
}

}  // namespace

// The exit codes of the help: 2 for wrong use, 1 for what a user can mend, 4 for our defects. In
// WebAssembly no exception can be caught, and this is called where it is thrown.
int ExitCodeOf(const std::exception& thrown) {
  if (const auto* const refused = dynamic_cast<const CLI::ParseError*>(&thrown))
    return Refused(*refused);
  if (dynamic_cast<const UsageError*>(&thrown) != nullptr) {
    const auto& words = Typed().words;
    return WrongUse(thrown.what(), words.size() > 1 ? words[1] : "");
  }
  if (dynamic_cast<const std::bad_alloc*>(&thrown) != nullptr) {
    std::cerr << "kinemorph: more memory is needed than there is, or than --memory allows\n";
    return kBadInput;
  }
  // A link to itself, a folder that is gone: not what we made.
  if (const auto* const file = dynamic_cast<const std::filesystem::filesystem_error*>(&thrown)) {
    std::cerr << "kinemorph: '" << Printable(file->path1().string())
              << "' cannot be used: " << file->code().message() << '\n';
    return kBadInput;
  }
  if (dynamic_cast<const ReaderIsGone*>(&thrown) != nullptr) return kBadInput;
  std::cerr << "kinemorph: internal error: " << Printable(thrown.what()) << '\n';
  return kInternal;
}

int RunCommandLine(int argc, char** argv) {
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

}  // namespace kinemorph::tools

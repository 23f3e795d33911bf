#include "session.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "kinemorph/formats/file_resolver.h"

extern char** environ;

namespace kinemorph::tools {
namespace {

constexpr std::size_t kMaxInput = std::size_t{1} << 31;

bool WriteAll(int file, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::write(file, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

void AddInputOptions(CLI::App& command, Input& input) {
  command.add_option("IN", input.path, "the description to read; - is standard input")->required();
  command.add_option("--from", input.from, "its format, when its content does not tell: urdf, urdf+, sdf, mjcf, mbs");
  command.add_option("--package", input.packages, "where a package:// or model:// name lives (NAME=DIR), repeatable")
      ->type_name("NAME=DIR")
      ->allow_extra_args(false);
  command.add_option("--diagnostics", input.diagnostics, "how messages are printed on standard error")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command.add_flag("-q,--quiet", input.quiet, "print errors only");
}

void PrintDiagnostics(const Diagnostics& diagnostics, const Input& input) {
  for (const Diagnostic& item : diagnostics.items()) {
    if (input.quiet && item.severity != Severity::kError) continue;
    if (input.diagnostics == "json") {
      nlohmann::ordered_json line = {{"severity", Name(item.severity)}, {"code", item.code},      {"file", item.file}, {"line", item.line},
                                     {"element", item.element},         {"message", item.message}};
      if (!item.notes.empty()) line["notes"] = item.notes;
      std::cerr << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    } else {
      std::cerr << Render(item) << '\n';
    }
  }
}

std::optional<std::string> ReadText(const std::string& path, Diagnostics& diagnostics) {
  const auto fail = [&](const std::string& why) -> std::optional<std::string> {
    diagnostics.Add({Severity::kError, "file-unreadable", path, 0, "", "'" + path + "' cannot be read: " + why, {}});
    return std::nullopt;
  };
  const int file = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return fail(std::strerror(errno));
  std::string text;
  struct stat info {};
  if (::fstat(file, &info) == 0 && S_ISREG(info.st_mode)) text.reserve(static_cast<std::size_t>(info.st_size) + 1);
  std::array<char, 65536> buffer;
  ssize_t n = 0;
  while ((n = ::read(file, buffer.data(), buffer.size())) != 0) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 || text.size() > kMaxInput) break;
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  const int read_errno = errno;
  if (path != "-") ::close(file);
  if (n < 0) return fail(std::strerror(read_errno));
  if (n > 0) return fail("it is larger than 2 GiB");
  return text;
}

const Format* FormatNamed(const std::string& name, std::string& version) {
  const Format* format = FindFormat(name, version);
  if (format) return format;
  std::string known;
  for (const Format& each : AllFormats()) {
    known += (known.empty() ? "" : ", ") + std::string(each.name);
    if (!each.versions.empty()) {
      known += " (or";
      for (const std::string_view v : each.versions) known += " " + std::string(each.name) + "@" + std::string(v);
      known += ")";
    }
  }
  throw UsageError("'" + name + "' is no format; known: " + known);
}

std::map<std::string, std::string> PackageFolders(const std::vector<std::string>& packages) {
  std::map<std::string, std::string> folders;
  for (const std::string& package : packages) {
    const std::size_t equals = package.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == package.size()) {
      throw UsageError("--package: '" + package + "' is not of the form NAME=DIR");
    }
    folders[package.substr(0, equals)] = package.substr(equals + 1);
  }
  return folders;
}

std::optional<Model> LoadModel(const Input& input, Diagnostics& diagnostics) {
  std::string version;
  const Format* format = input.from.empty() ? nullptr : FormatNamed(input.from, version);
  const FileResolver resolver(input.path, PackageFolders(input.packages));
  const std::optional<std::string> text = ReadText(input.path, diagnostics);
  if (!text) return std::nullopt;
  ReadOptions options;
  options.file_name = input.path == "-" ? "<stdin>" : input.path;
  options.resolver = &resolver;
  return ReadModel(*text, format, options, diagnostics);
}

std::string WriteWhole(const std::string& path, const std::string& text) {
  if (path == "-") {
    return WriteAll(STDOUT_FILENO, text.data(), text.size()) ? ""
                                                             : "standard output cannot be written: " + std::string(std::strerror(errno));
  }
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) return "'" + path + "' is a folder";
  const auto fail = [&](const std::string& what) { return "'" + path + "' cannot be written: " + what; };
  if (exists && !S_ISREG(info.st_mode)) {  // a device or pipe cannot be replaced
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    const bool good = file >= 0 && WriteAll(file, text.data(), text.size());
    const std::string why = std::strerror(errno);
    if (file >= 0) ::close(file);
    return good ? "" : fail(why);
  }
  std::string temporary = path + ".XXXXXX";
  const int file = ::mkstemp(temporary.data());
  if (file < 0) return fail(std::strerror(errno));
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const bool good =
      WriteAll(file, text.data(), text.size()) && ::fchmod(file, exists ? info.st_mode & 07777 : 0666 & ~mask) == 0 && ::fsync(file) == 0;
  std::string why = std::strerror(errno);
  ::close(file);
  if (good && ::rename(temporary.c_str(), path.c_str()) == 0) return "";
  if (good) why = std::strerror(errno);
  ::unlink(temporary.c_str());
  return fail(why);
}

std::optional<ProgramResult> RunProgram(const std::vector<std::string>& command, const std::string& input) {
  int in[2], out[2];
  if (::pipe2(in, O_CLOEXEC) != 0) return std::nullopt;
  if (::pipe2(out, O_CLOEXEC) != 0) {
    ::close(in[0]), ::close(in[1]);
    return std::nullopt;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int started = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]), ::close(out[1]);
  if (started != 0) {
    ::close(in[1]), ::close(out[0]);
    return std::nullopt;
  }
  // Feed and drain at the same time, so that neither pipe fills up.
  auto* const old_handler = std::signal(SIGPIPE, SIG_IGN);
  ProgramResult result;
  std::size_t sent = 0;
  bool feeding = true;
  ::fcntl(in[1], F_SETFL, O_NONBLOCK);
  std::array<char, 65536> buffer;
  while (true) {
    if (feeding && sent == input.size()) {
      ::close(in[1]);
      feeding = false;
    }
    std::array<pollfd, 2> polls = {pollfd{out[0], POLLIN, 0}, pollfd{feeding ? in[1] : -1, POLLOUT, 0}};
    if (::poll(polls.data(), polls.size(), -1) < 0) break;
    if (feeding && polls[1].revents) {
      const ssize_t n = ::write(in[1], input.data() + sent, input.size() - sent);
      if (n > 0)
        sent += static_cast<std::size_t>(n);
      else if (errno != EAGAIN && errno != EINTR)
        sent = input.size();
    }
    if (polls[0].revents) {
      const ssize_t n = ::read(out[0], buffer.data(), buffer.size());
      if (n == 0 || (n < 0 && errno != EINTR)) break;
      if (n > 0) result.output.append(buffer.data(), static_cast<std::size_t>(n));
    }
  }
  if (feeding) ::close(in[1]);
  ::close(out[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  std::signal(SIGPIPE, old_handler);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace kinemorph::tools

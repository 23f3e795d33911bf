#include "host/program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>

#include "host/cleanup.h"

namespace kinemorph::tools {
namespace {

// Other programs (Graphviz, gnuplot, xacro, assimp, compilers, the judge) run without a shell:
// words go to them as they are. They gain no rights, end with us, and are killed at their time
// limit or when they say too much. What they print on both streams is one text.

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMaxOutput = std::size_t{64} << 20;

// In the child, after fork: only what is allowed between fork and exec.
[[noreturn]] void Become(char* const* arguments, pid_t parent, int in, int out,
                         const sigset_t& signals) {
  LeaveCleanupToParent();
  // The signals that the parent had when it forked, not the ones that it held back for that.
  ::sigprocmask(SIG_SETMASK, &signals, nullptr);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it died before it could be watched
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(out, STDERR_FILENO);
  ::signal(SIGPIPE, SIG_DFL);
  ::execvp(arguments[0], arguments);
  ::_exit(127);
}

int MillisecondsUntil(Clock::time_point deadline) {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left + 1, 0, 3'600'000));
}

// A program at work, and our ends of its streams.
struct Running {
  pid_t process = -1;
  int in = -1, out = -1;
};

std::optional<Running> Start(const std::vector<std::string>& command) {
  int in[2], out[2];
  if (::pipe2(in, O_CLOEXEC) != 0) return std::nullopt;
  if (::pipe2(out, O_CLOEXEC) != 0) {
    ::close(in[0]), ::close(in[1]);
    return std::nullopt;
  }

  // All that needs memory happens before fork, since the child may not allocate.
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = -1;
  {
    const SignalsWait wait;
    const pid_t self = ::getpid();
    child = ::fork();
    if (child == 0) Become(arguments.data(), self, in[0], out[1], wait.before());
  }
  ::close(in[0]), ::close(out[1]);
  if (child < 0) {
    ::close(in[1]), ::close(out[0]);
    return std::nullopt;
  }
  ::fcntl(in[1], F_SETFL, O_NONBLOCK);
  return Running{child, in[1], out[0]};
}

Clock::time_point After(double seconds) {
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// Feeds and drains at the same time, so that neither pipe fills up, until the program closes its
// output or `complete` holds of it. False when the program must be killed.
bool Talk(int& in, int out, const std::string& input, Clock::time_point deadline,
          ProgramResult& result, bool (*complete)(const std::string&) = nullptr) {
  std::size_t sent = 0;
  bool feeding = true, good = true;
  std::array<char, 65536> buffer;
  while (good && !(complete && complete(result.output))) {
    // The end of its input is what many programs wait for.
    if (feeding && sent == input.size()) {
      if (!complete) ::close(std::exchange(in, -1));
      feeding = false;
    }
    std::array<pollfd, 2> polls = {pollfd{out, POLLIN, 0}, pollfd{feeding ? in : -1, POLLOUT, 0}};
    const int ready = ::poll(polls.data(), polls.size(), MillisecondsUntil(deadline));
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0) break;
    // Looked at after each wait, because a program that prints without end never lets the wait run
    // out.
    if (Clock::now() >= deadline) {
      result.timed_out = true;
      good = false;
    }
    if (feeding && polls[1].revents) {
      // One that has closed its input may still answer.
      const ssize_t n = ::write(in, input.data() + sent, input.size() - sent);
      if (n > 0)
        sent += static_cast<std::size_t>(n);
      else if (errno != EAGAIN && errno != EINTR)
        sent = input.size();
    }
    if (polls[0].revents) {
      const ssize_t n = ::read(out, buffer.data(), buffer.size());
      if (n == 0 || (n < 0 && errno != EINTR)) break;
      if (n > 0) result.output.append(buffer.data(), static_cast<std::size_t>(n));
      if (result.output.size() > kMaxOutput) good = false;
    }
  }
  return good;
}

// One that closed its output and goes on is waited for no longer than the others.
// With short pauses, that double: most programs end at once.
int EndOf(pid_t child, bool kill, Clock::time_point deadline, ProgramResult& result) {
  int status = 0;
  if (kill) ::kill(child, SIGKILL);
  for (auto pause = std::chrono::microseconds(50); !kill; pause *= 2) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) return status;
    if (Clock::now() >= deadline) {
      result.timed_out = kill = true;
      ::kill(child, SIGKILL);
    } else {
      std::this_thread::sleep_for(std::min(pause, std::chrono::microseconds(20'000)));
    }
  }
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return status;
}

// The line of an answer, and as many bytes as it says.
bool IsAnswer(const std::string& output) {
  const std::size_t line = output.find('\n');
  if (line == std::string::npos) return false;
  const std::size_t space = output.find(' ');
  return space < line && output.size() - line > std::strtoul(output.c_str() + space, nullptr, 10);
}

}  // namespace

std::string AsArgument(const std::string& path) {
  return path.starts_with('-') ? "./" + path : path;
}

std::optional<ProgramResult> RunProgram(const std::vector<std::string>& command,
                                        const std::string& input, double seconds) {
  std::optional<Running> program = Start(command);
  if (!program) return std::nullopt;
  ProgramResult result;
  const Clock::time_point deadline = After(seconds);
  const bool good = Talk(program->in, program->out, input, deadline, result);
  if (program->in >= 0) ::close(program->in);
  ::close(program->out);
  const int status = EndOf(program->process, !good, deadline, result);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  // The child could not become the program.
  if (result.exit_code == 127 && result.output.empty()) return std::nullopt;
  return result;
}

StandingProgram::StandingProgram(std::vector<std::string> command) : command_(std::move(command)) {}

StandingProgram::~StandingProgram() { End(); }

bool StandingProgram::Start() {
  const std::optional<Running> program = tools::Start(command_);
  if (!program) return false;
  starter_ = ::getpid();
  process_ = program->process, in_ = program->in, out_ = program->out;
  return true;
}

void StandingProgram::End() {
  if (process_ < 0) return;
  ::close(in_), ::close(out_);
  // The one that a parent started goes on for the parent.
  if (starter_ == ::getpid()) {
    ProgramResult unread;
    EndOf(process_, true, Clock::now(), unread);
  }
  process_ = -1;
}

std::optional<ProgramResult> StandingProgram::Ask(const std::vector<std::string>& words,
                                                  double seconds) {
  std::string question;
  for (const std::string& word : words) question.append(word).push_back('\0');
  question.push_back('\0');
  if (starter_ != ::getpid()) End();
  const Clock::time_point deadline = After(seconds);
  // One that has ended since it was last asked is started again.
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (process_ < 0 && !Start()) return std::nullopt;
    ProgramResult result;
    const bool good = Talk(in_, out_, question, deadline, result, IsAnswer);
    if (good && IsAnswer(result.output)) {
      result.exit_code = static_cast<int>(std::strtol(result.output.c_str(), nullptr, 10));
      result.output.erase(0, result.output.find('\n') + 1);
      return result;
    }
    End();
    if (!good) {
      result.exit_code = 128 + SIGKILL;
      return result;
    }
  }
  return std::nullopt;
}

std::string ProgramBeside(const std::string& name) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path program = self.parent_path() / name;
  return !error && std::filesystem::exists(program, error) ? program.string() : "";
}

}  // namespace kinemorph::tools

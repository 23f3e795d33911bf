// kinemorph-judge FORMAT FILE: does the format's reference library accept the file?
// Exit code 0: accepted; 1: refused, the library's words on standard output; 3: not judged, and
// why; 4: the library needs too much memory. A process of its own, because the reference libraries
// print, abort and crash on input that they do not like. kinemorph-judge --standing answers one
// question after another (StandingProgram), each in a fork that finds the libraries started.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "host/plain_text.h"
#include "judge.h"

namespace {

// Whoever asks reads both streams as one text, and takes the exit code for the verdict.

// Stands in front of std::cerr for the libraries, which colour what they say whoever reads it. Each
// piece goes on at once, as they may crash, but for an escape sequence that has no end yet.
class PlainErrors : public std::stringbuf {
 public:
  PlainErrors() : std::stringbuf(std::ios::out | std::ios::ate), target_(std::cerr.rdbuf(this)) {}
  PlainErrors(const PlainErrors&) = delete;
  PlainErrors& operator=(const PlainErrors&) = delete;
  ~PlainErrors() override {
    PlainErrors::sync();
    std::cerr.rdbuf(target_);
  }

 protected:
  int sync() override {
    // A sequence that is not complete waits for the next piece.
    const std::string all = str();
    const std::size_t open = all.rfind('\033');
    const bool ended = open == std::string::npos || EndsIn(all.substr(open));
    const std::size_t cut = ended ? all.size() : open;
    const std::string plain = kinemorph::tools::PlainText(all.substr(0, cut));
    str(all.substr(cut));
    target_->sputn(plain.data(), static_cast<std::streamsize>(plain.size()));
    return target_->pubsync();
  }

 private:
  // ESC [ parameters letter, or ESC and one character.
  static bool EndsIn(const std::string& sequence) {
    if (sequence.size() < 2 || sequence[1] != '[') return sequence.size() > 1;
    for (std::size_t i = 2; i < sequence.size(); ++i)
      if (sequence[i] >= '@') return true;
    return false;
  }

  std::streambuf* target_;
};

kinemorph::judge::Verdict Judge(const std::string& format, const std::string& file,
                                const std::vector<std::string>& fence) {
  kinemorph::judge::Verdict verdict{kinemorph::judge::kNotJudged,
                                    "there is no reference library for " + format};
#ifdef KINEMORPH_JUDGE_SDF
  if (format == "sdf") verdict = kinemorph::judge::JudgeSdf(file);
#endif
#ifdef KINEMORPH_JUDGE_URDF
  if (format == "urdf" || format == "urdf+") verdict = kinemorph::judge::JudgeUrdf(file);
#endif
  if (format == "mjcf") verdict = kinemorph::judge::JudgeMjcf(file, fence);
  return verdict;
}

// `words`: format, file, folders. The exit code.
int Answer(const std::vector<std::string>& words) {
  kinemorph::judge::Verdict verdict;
  {
    const PlainErrors said;
    verdict = Judge(words[0], words[1], {words.begin() + 2, words.end()});
  }
  std::cout << verdict.words << std::endl;
  return verdict.code;
}

// The words of a question, each ended by a zero byte, all by one more; none at the end of input.
std::vector<std::string> NextQuestion() {
  std::vector<std::string> words;
  for (std::string word; std::getline(std::cin, word, '\0') && !word.empty();)
    words.push_back(word);
  return words;
}

// In a fork: the library may crash, and what it changed in itself goes with it.
[[noreturn]] void AnswerInto(int stream, const std::vector<std::string>& words, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  // Nor may it take the next question for its input.
  ::dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  ::dup2(stream, STDOUT_FILENO);
  ::dup2(stream, STDERR_FILENO);
  const int code = Answer(words);
  std::fflush(nullptr);
  ::_exit(code);
}

std::string AllOf(int stream) {
  std::string text;
  std::array<char, 65536> buffer;
  for (ssize_t n = 1; n != 0;) {
    n = ::read(stream, buffer.data(), buffer.size());
    if (n > 0) text.append(buffer.data(), static_cast<std::size_t>(n));
    if (n < 0 && errno != EINTR) break;
    if (text.size() > kinemorph::judge::kMostWords) break;  // the writer ends by SIGPIPE
  }
  return text;
}

int AnswerQuestions() {
  for (std::vector<std::string> words; (words = NextQuestion()).size() >= 2;) {
#ifdef KINEMORPH_JUDGE_SDF
    if (words[0] == "sdf") kinemorph::judge::PrepareSdf();
#endif
    int stream[2];
    if (::pipe2(stream, O_CLOEXEC) != 0) return 2;
    const pid_t self = ::getpid(), child = ::fork();
    if (child == 0) AnswerInto(stream[1], words, self);
    ::close(stream[1]);
    if (child < 0) return 2;
    const std::string said = AllOf(stream[0]);
    ::close(stream[0]);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    std::cout << (WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)) << ' '
              << said.size() << '\n'
              << said << std::flush;
  }
  return 0;
}

// At most the limit of the command: a library that grows without end is ended here with a word of
// its own.
void LimitMemory() {
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, kinemorph::judge::kMegabytes << 20);
  ::setrlimit(RLIMIT_AS, &limit);
  std::set_new_handler(kinemorph::judge::EndTooLarge);
}

}  // namespace

namespace kinemorph::judge {

std::string& CopyMade() {
  static std::string path;
  return path;
}

void EndTooLarge() {
  constexpr char kWords[] = "the library needs more memory than it may have\n";
  // After a failed allocation only what needs no memory is safe.
  [[maybe_unused]] const ssize_t written = ::write(STDOUT_FILENO, kWords, sizeof kWords - 1);
  if (!CopyMade().empty()) ::unlink(CopyMade().c_str());
  ::_exit(kTooLarge);
}

}  // namespace kinemorph::judge

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool standing = words == std::vector<std::string>{"--standing"};
  if (words.size() < 2 && !standing) {
    std::cout << "usage: kinemorph-judge sdf|urdf|mjcf FILE [FOLDER...]\n";
    return 2;
  }
  LimitMemory();
  return standing ? AnswerQuestions() : Answer(words);
}

// kinemorph-judge FORMAT FILE: does the format's reference library accept the file?
// Exit code 0: accepted; 1: refused, the library's words on standard output; 3: not judged, and
// why; 4: the library needs too much memory. A process of its own, because the reference libraries
// print, abort and crash on input that they do not like.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iostream>
#include <new>
#include <sstream>
#include <string>

#include "host/plain_text.h"
#include "judge.h"

namespace {

// RunProgram (host/native/program.cc) starts this program, reads both of its streams as one text,
// and takes the exit code for the verdict.

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

kinemorph::judge::Verdict Judge(const std::string& format, [[maybe_unused]] const char* file,
                                [[maybe_unused]] const std::vector<std::string>& fence) {
  kinemorph::judge::Verdict verdict{kinemorph::judge::kNotJudged,
                                    "there is no reference library for " + format};
#ifdef KINEMORPH_JUDGE_SDF
  if (format == "sdf") verdict = kinemorph::judge::JudgeSdf(file);
#endif
#ifdef KINEMORPH_JUDGE_URDF
  if (format == "urdf" || format == "urdf+") verdict = kinemorph::judge::JudgeUrdf(file);
#endif
#ifdef KINEMORPH_JUDGE_MJCF
  if (format == "mjcf") verdict = kinemorph::judge::JudgeMjcf(file, fence);
#endif
  return verdict;
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
  if (argc < 3) {
    std::cout << "usage: kinemorph-judge sdf|urdf|mjcf FILE [FOLDER...]\n";
    return 2;
  }
  LimitMemory();
  kinemorph::judge::Verdict verdict;
  {
    const PlainErrors said;
    verdict = Judge(argv[1], argv[2], {argv + 3, argv + argc});
  }
  std::cout << verdict.words << '\n';
  return verdict.code;
}

// kinemorph-judge FORMAT FILE: does the format's reference library accept the file?
// Exit code 0: accepted; 1: refused, the library's words on standard output; 3: not judged, and
// why. A process of its own, because the reference libraries print, abort and crash on input that
// they do not like.
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>

#include "judge.h"
#include "plain_text.h"

namespace {

// Stands in front of std::cerr for the libraries, which colour what they say whoever reads it. Each
// piece goes on at once: they may crash.
class PlainErrors : public std::stringbuf {
 public:
  PlainErrors() : target_(std::cerr.rdbuf(this)) {}
  PlainErrors(const PlainErrors&) = delete;
  PlainErrors& operator=(const PlainErrors&) = delete;
  ~PlainErrors() override {
    PlainErrors::sync();
    std::cerr.rdbuf(target_);
  }

 protected:
  int sync() override {
    const std::string plain = kinemorph::tools::PlainText(str());
    str("");
    target_->sputn(plain.data(), static_cast<std::streamsize>(plain.size()));
    return target_->pubsync();
  }

 private:
  std::streambuf* target_;
};

kinemorph::judge::Verdict Judge(const std::string& format, [[maybe_unused]] const char* file) {
  kinemorph::judge::Verdict verdict{kinemorph::judge::kNotJudged,
                                    "there is no reference library for " + format};
#ifdef KINEMORPH_JUDGE_SDF
  if (format == "sdf") verdict = kinemorph::judge::JudgeSdf(file);
#endif
#ifdef KINEMORPH_JUDGE_URDF
  if (format == "urdf" || format == "urdf+") verdict = kinemorph::judge::JudgeUrdf(file);
#endif
#ifdef KINEMORPH_JUDGE_MJCF
  if (format == "mjcf") verdict = kinemorph::judge::JudgeMjcf(file);
#endif
  return verdict;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cout << "usage: kinemorph-judge sdf|urdf|mjcf FILE\n";
    return 2;
  }
  kinemorph::judge::Verdict verdict;
  {
    const PlainErrors said;
    verdict = Judge(argv[1], argv[2]);
  }
  std::cout << verdict.words << '\n';
  return verdict.code;
}

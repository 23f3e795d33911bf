// kinemorph-judge FORMAT FILE: does the format's reference library accept the file?
// Exit code 0: accepted; 1: refused, the library's words on standard output; 3: not judged, and
// why. A process of its own, because the reference libraries print, abort and crash on input that
// they do not like.
#include <cstring>
#include <iostream>
#include <string>

#include "judge.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cout << "usage: kinemorph-judge sdf|urdf|mjcf FILE\n";
    return 2;
  }
  const std::string format = argv[1];
  kinemorph::judge::Verdict verdict{kinemorph::judge::kNotJudged,
                                    "there is no reference library for " + format};
#ifdef KINEMORPH_JUDGE_SDF
  if (format == "sdf") verdict = kinemorph::judge::JudgeSdf(argv[2]);
#endif
#ifdef KINEMORPH_JUDGE_URDF
  if (format == "urdf" || format == "urdf+") verdict = kinemorph::judge::JudgeUrdf(argv[2]);
#endif
#ifdef KINEMORPH_JUDGE_MJCF
  if (format == "mjcf") verdict = kinemorph::judge::JudgeMjcf(argv[2]);
#endif
  std::cout << verdict.words << '\n';
  return verdict.code;
}

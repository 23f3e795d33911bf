// Content of one format that nobody interprets, compared as what it says.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "verify/compared.h"

namespace kinemorph::verify {

/// Takes what hangs on matched things as two bags; what is left over may stand elsewhere in another
/// format, and is judged at the end.
class NativeText : Compared {
 public:
  explicit NativeText(const Compared& sides) : Compared(sides) {}

  /// `paired`: what it hangs on has a partner on the other side.
  void Compare(const std::vector<NativeData>& a, const std::vector<NativeData>& b,
               const Subject& owner, bool paired = true);
  /// What hangs on models, links, joints and couplings; then all that is left over.
  void Run(std::vector<Worst>& checks);

  /// The two say the same, as they stand.
  [[nodiscard]] static bool SaysTheSame(const NativeData& a, const NativeData& b);

 private:
  struct Left {
    std::string text;    // as it is compared
    NativeElement said;  // the same as a tree
    Subject subject, owner;
    NativeData data;
    bool paired;  // what it hangs on has a partner on the other side
  };
  static NativeElement Said(const NativeData& data, bool hangs_on_part);
  [[nodiscard]] bool IsCompared(const NativeData& data) const;
  void CompareLinks();
  void CompareJoints();
  void CompareCouplings();
  void MatchFiles();
  void MatchSpellings();
  static NativeElement WithoutSpellings(const Left& left, std::vector<std::string>& kinds);
  void MatchAdditions();
  void MatchElsewhere();
  void MatchParts();
  void MatchChanged();
  void MatchLooks();
  void MatchLeftOver();
  [[nodiscard]] bool WasWritten(const Left& left);

  std::vector<Left> left_a_, left_b_;
  std::vector<NativeElement> not_used_;  // of A, what its reader knows nothing of
  std::set<std::string> written_;        // text of a conversion's output, canonical
  Worst native_{"text of the format", 0};
};

}  // namespace kinemorph::verify

// How a check is told.
#include <set>
#include <string>

#include "verify/proof.h"

namespace kinemorph::verify {

void Note(VerifyResult& result, Severity severity, std::string code, Statement statement) {
  result.diagnostics.Add(
      MakeDiagnostic(severity, std::move(code), "", 0, "", std::move(statement)));
}

void Report(const Worst& worst, VerifyResult& result) {
  std::set<std::string> told;
  const std::string& what = worst.check().what;
  for (const Worst::Failed& failed : worst.failed()) {
    if (!told.insert(failed.element + failed.text).second) continue;
    Note(result, Severity::kError, "verify-differs",
         {"", failed.element,
          what + (what.ends_with('s') ? " differ" : " differs") +
              (failed.text.empty() ? "" : ": " + failed.text)});
  }
}

}  // namespace kinemorph::verify

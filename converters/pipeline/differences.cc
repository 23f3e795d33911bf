#include "kinemorph/converters/screen.h"

namespace kinemorph {

std::vector<std::string> DifferenceLines(const VerifyResult& result) {
  std::vector<std::string> lines;
  for (const Diagnostic& item : result.diagnostics.items())
    if (item.severity == Severity::kError) lines.push_back(ForPeople(item.message));
  for (const VerifyCheck& check : result.checks)
    for (const std::string& item : check.excepted)
      lines.push_back(check.what + ": " + ForPeople(item));
  for (const VerifySkipped& skipped : result.skipped)
    lines.push_back("not compared: " + Text(skipped));
  return lines;
}

}  // namespace kinemorph

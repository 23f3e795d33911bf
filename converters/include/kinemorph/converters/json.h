// JSON of everything the library says, one spelling for the command, batches and bindings. Texts
// are UTF-8; what is not is replaced.
#pragma once

#include <string>
#include <vector>

#include "kinemorph/converters/loss_report.h"
#include "kinemorph/converters/verify.h"

namespace kinemorph {

/// One message as an object on one line: severity, code, file, line, element, message, notes.
[[nodiscard]] std::string MessageJson(const Diagnostic& message);

/// `{"equivalent": ..., "verdict": ..., "checks": [...], "exceptions": [...], "skipped": [...]}`.
[[nodiscard]] std::string VerdictJson(const VerifyResult& result);

/// Messages as SARIF 2.1.0, one run: what code hosts show beside the line.
[[nodiscard]] std::string MessagesSarif(const std::vector<Diagnostic>& messages,
                                        const std::string& version);

/// Messages as commands of GitHub's log, a line each: "::", then
/// `warning file=...,line=...,title=CODE`, "::" and the text.
[[nodiscard]] std::string MessagesGithub(const std::vector<Diagnostic>& messages);

}  // namespace kinemorph

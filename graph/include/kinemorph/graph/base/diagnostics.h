// The one collector of messages, passed explicitly; the library never prints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kinemorph {

/// How much a message weighs.
enum class Severity {
  kNote,     ///< what was done or assumed; nothing is wrong
  kWarning,  ///< the result may not be what the author meant
  kError,    ///< the result must not be used: `convert` stops before lowering
};

/// "note", "warning" or "error".
[[nodiscard]] std::string_view Name(Severity severity);

/// One message. Rendered as `model.urdf:42: error: joint 'knee': child link 'shank' is not defined
/// [joint-child-undefined]`.
struct Diagnostic {
  Severity severity = Severity::kError;  ///< Render and JSON write its Name
  std::string code;                      ///< stable, kebab-case
  std::string file;                      ///< as the user named it; empty when not from a file
  std::uint32_t line = 0;                ///< from 1; 0: no place in the file
  std::string element;  ///< element path, e.g. "robot/joint[knee]/child"; may be empty
  std::string message;  ///< subject in quotes first, then what is wrong, then what was assumed
  std::vector<std::string> notes;  ///< indented below, e.g. "did you mean 'shank_l'?"
  std::string brief = {};  ///< `message` for a screen, which shows the file; empty: as it is
};

/// `file:line: severity: message [code]` and one indented line per note, without a final newline.
[[nodiscard]] std::string Render(const Diagnostic& diagnostic);

/// Collects diagnostics in the order they were made.
///
/// At most `kMaxPerCode` items of one code are kept (the rest are counted), so hostile input cannot
/// fill the memory.
class Diagnostics {
 public:
  /// Kept items of one code; then one note "more-of-the-same" says that the rest is not listed.
  static constexpr std::size_t kMaxPerCode = 1000;

  /// Adds it, its message cut to 4096 bytes, and counts it where it is an error. The reference, to
  /// add notes through, holds until the next Add; of what is no longer kept it is a scratch item.
  Diagnostic& Add(Diagnostic diagnostic);
  /// What was kept, in the order of Add.
  [[nodiscard]] const std::vector<Diagnostic>& items() const { return items_; }
  /// Whether any error was added, kept or not.
  [[nodiscard]] bool has_errors() const { return errors_ > 0; }
  /// Errors added, with those that were not kept.
  [[nodiscard]] std::size_t num_errors() const { return errors_; }
  /// Adds the items of `other`, and its count of errors that it did not keep.
  void Append(const Diagnostics& other);

 private:
  std::vector<Diagnostic> items_;
  std::vector<std::pair<std::string, std::size_t>> per_code_;
  std::size_t errors_ = 0;
  Diagnostic overflow_;
};

/// The candidate nearest to `name` in edit distance (the first of equals), or empty when none is
/// close enough to suggest: more than about a third of the letters differ, `name` is longer than
/// 200 bytes or there are more than 20000 candidates.
[[nodiscard]] std::string NearestName(std::string_view name,
                                      const std::vector<std::string>& candidates);

}  // namespace kinemorph

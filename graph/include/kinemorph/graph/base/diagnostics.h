// The one collector of messages, passed explicitly; the library never prints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
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

/// A number that a message is about, in full: the message itself rounds where that reads better.
struct Quantity {
  std::string name;       ///< snake_case, a key of JSON: "gap"
  double value = 0;       ///< as it was found, in `unit`
  std::string unit = {};  ///< "m", "kg m^2"; empty: of none, or of several (m and rad)
};

/// One message. Rendered as `model.urdf:42: error: joint 'knee': child link 'shank' is not defined
/// [joint-child-undefined]`.
struct Diagnostic {
  Severity severity = Severity::kError;  ///< Render and JSON write its Name
  std::string code;                      ///< stable, kebab-case
  std::string file;                      ///< as the user named it; empty when not from a file
  std::uint32_t line = 0;                ///< from 1; 0: no place in the file
  std::string element;             ///< element path, e.g. "robot/joint[knee]/child"; may be empty
  std::string message;             ///< its subject first, then what is wrong, then what was assumed
  std::vector<std::string> notes;  ///< indented below
  std::string brief = {};          ///< in place of `message` on a screen; empty: as it is
  std::string subject = {};        ///< how `message` begins, "joint 'knee'"; empty: with no subject
  std::string suggestion = {};     ///< the name that was probably meant; empty: none is near
  std::vector<Quantity> quantities = {};  ///< the numbers of `message`; often none
};

/// How a message begins about what has a name: "joint 'knee'"; kind "joint" or empty.
[[nodiscard]] std::string About(std::string_view kind, std::string_view name);

/// What a message says of its subject: "joint 'knee'", "its axis is zero"; with a space in front
/// where the sentence goes on from it: " stops at its limit".
struct Statement {
  /// @{
  /// A sentence without a subject of its own.
  Statement(std::string whole) : what(std::move(whole)) {}  // NOLINT: a plain sentence
  Statement(const char* whole) : what(whole) {}             // NOLINT: likewise
  /// @}
  /// Of what is called so in words.
  Statement(std::string about, std::string said, std::vector<Quantity> numbers = {})
      : subject(std::move(about)), what(std::move(said)), quantities(std::move(numbers)) {}
  /// About something that has a name.
  Statement(std::string_view kind, std::string_view name, std::string said,
            std::vector<Quantity> numbers = {});
  /// Subject and all, in one sentence.
  [[nodiscard]] std::string Sentence() const;

  std::string subject,               ///< empty: `what` is the whole sentence
      what;                          ///< what is wrong
  std::vector<Quantity> quantities;  ///< the numbers of `what`
};
/// One message at a place.
[[nodiscard]] Diagnostic MakeDiagnostic(Severity severity, std::string code, std::string file,
                                        std::uint32_t line, std::string element,
                                        Statement statement);
/// What stands below a message: "did you mean 'shank_l'?", and its notes.
[[nodiscard]] std::vector<std::string> LinesBelow(const Diagnostic& diagnostic);

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

/// The candidate nearest to `name` in edit distance (the first of equals), else the shortest that
/// begins with a `name` of four letters or more. Empty when none is close enough to suggest: more
/// than about a third of the letters differ, `name` is longer than 200 bytes or there are more than
/// 20000 candidates.
[[nodiscard]] std::string NearestName(std::string_view name,
                                      const std::vector<std::string>& candidates);

}  // namespace kinemorph

// The one collector of messages, passed explicitly; the library never prints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kinemorph {

enum class Severity { kNote, kWarning, kError };

[[nodiscard]] std::string_view Name(Severity severity);

/// One message. Rendered as `model.urdf:42: error: joint 'knee': child link 'shank' is not defined
/// [joint-child-undefined]`.
struct Diagnostic {
  Severity severity = Severity::kError;
  std::string code;  ///< stable, kebab-case
  std::string file;  ///< as the user named it; empty when not from a file
  std::uint32_t line = 0;
  std::string element;  ///< element path, e.g. "robot/joint[knee]/child"; may be empty
  std::string message;  ///< subject in quotes first, then what is wrong, then what was assumed
  std::vector<std::string> notes;  ///< indented below, e.g. "did you mean 'shank_l'?"
};

/// `file:line: severity: message [code]` and one indented line per note, without a final newline.
[[nodiscard]] std::string Render(const Diagnostic& diagnostic);

/// Collects diagnostics in the order they were made.
///
/// At most `kMaxPerCode` items of one code are kept (the rest are counted), so hostile input cannot
/// fill the memory.
class Diagnostics {
 public:
  static constexpr std::size_t kMaxPerCode = 1000;

  Diagnostic& Add(Diagnostic diagnostic);
  [[nodiscard]] const std::vector<Diagnostic>& items() const { return items_; }
  [[nodiscard]] bool has_errors() const { return errors_ > 0; }
  [[nodiscard]] std::size_t num_errors() const { return errors_; }
  void Append(const Diagnostics& other);

 private:
  std::vector<Diagnostic> items_;
  std::vector<std::pair<std::string, std::size_t>> per_code_;
  std::size_t errors_ = 0;
  Diagnostic overflow_;
};

/// The candidate nearest to `name` in edit distance, or empty when none is close enough to suggest.
[[nodiscard]] std::string NearestName(std::string_view name,
                                      const std::vector<std::string>& candidates);

}  // namespace kinemorph

// The options of requests, each said once: the command line with its help and completion, the JSON of
// pages and bindings, Python's keywords and the types of the npm package are made of these tables.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinemorph {

struct ConversionRequest;
struct ExportRequest;
struct InspectOptions;
struct MotionRequest;
struct VerifyOptions;

/// @{
/// The groups of options in help, in its order.
inline constexpr const char* kInputGroup = "Input";
inline constexpr const char* kOutputGroup = "Output";
inline constexpr const char* kMechanismGroup = "Mechanism";
inline constexpr const char* kLossGroup = "Losses";
inline constexpr const char* kProofGroup = "Proof";
inline constexpr const char* kMeshGroup = "Meshes";
inline constexpr const char* kMotionGroup = "Motion";
inline constexpr const char* kSolverGroup = "Solver";
inline constexpr const char* kRunGroup = "Run";
inline constexpr const char* kMessageGroup = "Messages";
inline constexpr const char* kLimitGroup = "Limits";
/// @}

/// What the value of an option is.
enum class OptionKind {
  kFlag,         ///< yes or no
  kText,         ///< any text
  kTexts,        ///< any number of texts
  kAssignments,  ///< any number of "JOINT=VALUE", or of "K:=V"; in JSON an object too
  kFile,         ///< for the command a file, for others what stands in it
  kNumber,       ///< a finite number
  kCount,        ///< a whole number
  kWord,         ///< one of its words
  kWords,        ///< any number of its words
  kFlagOrWord,   ///< yes, which is its first word; or one of its words
  kVector,       ///< X,Y,Z
};

/// Who has an option; several at once.
enum OptionFace : unsigned {
  kOfCommand = 1,  ///< the command that a table is made for; of ConversionRequest `convert`
  kOfCheck = 2,    ///< `check`
  kOfBatch = 4,    ///< `batch`
  kOfTexts = 8,    ///< JSON, and what is made of it
  kOfAll = 15,     ///< all of these
};

/// What an option says of itself.
struct OptionRow {
  std::string_view name;    ///< "hardware-plugin": --hardware-plugin, in Python hardware_plugin
  std::string_view value;   ///< the word for its value, "CLASS"; empty of a flag
  const char* group;        ///< of help
  std::string help;         ///< what it does
  unsigned faces = kOfAll;  ///< who has it
  OptionKind kind = OptionKind::kFlag;  ///< what its value is
  std::vector<std::string> words = {};  ///< what it takes, where that is known
  std::string standard = {};            ///< what it is without the option, where help says that
};

/// An option of a request.
template <class Request>
struct Option : OptionRow {
  /// Sets it to what was typed. Why it cannot be, or nothing.
  std::function<std::string(const std::vector<std::string>& words, Request& request)> take;
};

/// The options of a request, in the order in which help has those of a group.
template <class Request>
[[nodiscard]] const std::vector<Option<Request>>& Options();
/// @{
/// Of `convert`, `check` and `batch`; of `verify` and `diff`, `simulate`, `export`, `inspect`.
template <>
const std::vector<Option<ConversionRequest>>& Options();
template <>
const std::vector<Option<VerifyOptions>>& Options();
template <>
const std::vector<Option<MotionRequest>>& Options();
template <>
const std::vector<Option<ExportRequest>>& Options();
template <>
const std::vector<Option<InspectOptions>>& Options();
/// @}

/// Takes a JSON object whose keys are the names of options: `take` gets the index of a row and what
/// would be typed. Why it cannot be taken, or nothing.
[[nodiscard]] std::string TakeJson(
    std::string_view json, const std::vector<const OptionRow*>& rows,
    const std::function<std::string(std::size_t row, const std::vector<std::string>& words)>& take);

/// A request from a JSON object whose keys are the long options of its command:
/// `{"to": "mjcf", "verify": true, "strict": "motion", "drop": ["damping"]}`. Nothing, and the
/// reason with the nearest known key, in `why`.
template <class Request>
[[nodiscard]] std::optional<Request> FromJson(std::string_view json, std::string& why) {
  const std::vector<Option<Request>>& options = Options<Request>();
  std::vector<const OptionRow*> rows;
  for (const OptionRow& option : options) rows.push_back(&option);
  Request request;
  why = TakeJson(json, rows, [&](std::size_t row, const std::vector<std::string>& words) {
    return options[row].take(words, request);
  });
  return why.empty() ? std::optional<Request>(std::move(request)) : std::nullopt;
}

/// Why a text is no positive number of at most `most`, or nothing.
[[nodiscard]] std::string WhyNotPositive(const std::string& text, double most);

/// All tables by command: `{"convert": [{"name": "base", "kind": "word", "words": [...], "default":
/// "auto", "about": "..."}, ...], "verify": [...], "simulate": [...], "inspect": [...]}`.
[[nodiscard]] std::string OptionsJson();

}  // namespace kinemorph

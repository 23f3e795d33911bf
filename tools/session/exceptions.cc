#include "session/exceptions.h"

#include <algorithm>
#include <map>

#include "host/files.h"
#include "kinemorph/converters/codes.h"
#include "session/session.h"

namespace kinemorph::tools {
namespace {

constexpr std::string_view kIgnore = "kinemorph: ignore", kWholeFile = "-file";
constexpr std::string_view kCodeLetters = "abcdefghijklmnopqrstuvwxyz0123456789-";

// Of one comment: the codes, its line, and whether it counts for the whole file.
struct Comment {
  std::uint32_t line;
  bool whole;
  std::vector<std::string> codes;
};

std::vector<std::string> CodesAt(std::string_view rest) {
  std::vector<std::string> codes;
  for (;;) {
    const std::size_t begin = rest.find_first_not_of(", \t");
    const std::size_t end = std::min(rest.find_first_not_of(kCodeLetters, begin), rest.size());
    // "-->" begins with hyphens, as no code does.
    if (begin >= rest.size() || end == begin || rest[begin] == '-') return codes;
    codes.emplace_back(rest.substr(begin, end - begin));
    rest.remove_prefix(end);
  }
}

std::vector<Comment> CommentsOf(const std::string& file) {
  std::string why;
  const std::string text = ReadWhole(file, why).value_or("");
  std::vector<Comment> comments;
  std::uint32_t line = 1;
  std::size_t counted = 0;
  for (std::size_t at = text.find(kIgnore); at != std::string::npos;
       at = text.find(kIgnore, at + 1)) {
    line += static_cast<std::uint32_t>(
        std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                   text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted = at;
    std::string_view rest = std::string_view(text).substr(at + kIgnore.size());
    const bool whole = rest.starts_with(kWholeFile);
    if (whole) rest.remove_prefix(kWholeFile.size());
    comments.push_back({line, whole, CodesAt(rest)});
  }
  return comments;
}

bool Excepts(const Comment& comment, const Diagnostic& message) {
  const bool here =
      comment.whole || message.line == comment.line || message.line == comment.line + 1;
  return here && std::ranges::find(comment.codes, message.code) != comment.codes.end();
}

std::string NearestCode(const std::string& word) {
  std::vector<std::string> known;
  for (const CodeEntry& entry : AllCodes()) known.push_back(entry.code);
  return NearestName(word, known);
}

std::string WhyNoCode(const std::string& word) {
  if (FindCode(word) != nullptr) return "";
  const std::string nearest = NearestCode(word);
  return "'" + word + "' is not the code of a message" +
         (nearest.empty() ? "" : "; did you mean '" + nearest + "'?");
}

}  // namespace

void AddExceptionOptions(CLI::App& command, Exceptions& exceptions) {
  StartGroup(command, kMessageGroup);
  command
      .add_option("--ignore", exceptions.ignore,
                  "leave out notes and warnings with this code, the word in brackets at the end of "
                  "a message")
      ->type_name("CODE")
      ->allow_extra_args(false)
      ->delimiter(',')
      ->check(CLI::Validator(WhyNoCode, ""));
  AddChoice<Severity>(
      command, "--fail-on", exceptions.fail_on,
      {{"error", Severity::kError}, {"warning", Severity::kWarning}, {"note", Severity::kNote}},
      "exit with code 1 on messages of this severity, and on worse ones");
}

std::vector<Diagnostic> WithoutExceptions(const std::vector<Diagnostic>& said,
                                          const Exceptions& exceptions) {
  std::vector<Diagnostic> kept;
  std::map<std::string, std::vector<Comment>> comments;  // by file
  for (const Diagnostic& message : said) {
    const bool error = message.severity == Severity::kError;
    if (!error && std::ranges::find(exceptions.ignore, message.code) != exceptions.ignore.end())
      continue;
    if (!error && !comments.contains(message.file))
      comments[message.file] = CommentsOf(message.file);
    if (error || std::ranges::none_of(comments[message.file], [&](const Comment& comment) {
          return Excepts(comment, message);
        }))
      kept.push_back(message);
  }
  return kept;
}

void TellUnknownCodes(const std::string& file, Diagnostics& said) {
  for (const Comment& comment : CommentsOf(file))
    for (const std::string& code : comment.codes) {
      if (FindCode(code) != nullptr) continue;
      const std::string what =
          "the comment ignores '" + code + "', which is the code of no message";
      said.Add({Severity::kWarning, "ignore-unknown", file, comment.line, "", what, {}})
          .suggestion = NearestCode(code);
    }
}

bool Fails(const std::vector<Diagnostic>& said, const Exceptions& exceptions) {
  return std::ranges::any_of(
      said, [&](const Diagnostic& message) { return message.severity >= exceptions.fail_on; });
}

}  // namespace kinemorph::tools

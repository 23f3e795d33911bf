#include "session/settings.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "host/files.h"
#include "kinemorph/graph/base/diagnostics.h"
#include "session/session.h"

namespace kinemorph::tools {
namespace {

// A stranger's repository may hold the file, so that its keys only choose files and judge messages:
// none names an output, opens a folder or runs a program. Of TOML there are comments, sections, and
// keys with a text or a list of texts.

using Values = std::map<std::string, std::vector<std::string>>;

const std::vector<std::string> kForAll = {"include", "exclude", "ignore", "fail-on"},
                               kForCheck = {"to", "strict", "drop"};

class Toml {
 public:
  explicit Toml(std::string_view text) : text_(text) {}

  // Keys and values by section; the keys before the first one have the section "".
  std::map<std::string, Values> Read() {
    std::map<std::string, Values> all;
    std::string section;
    for (Skip(); at_ < text_.size(); Skip()) {
      if (Takes('[')) {
        section = Word();
        Ask(']');
        if (section != "check" && section != "lint")
          Refuse("'" + section + "' is not a section; the sections are check and lint");
        continue;
      }
      const std::string key = Word();
      CheckKey(section, key);
      Ask('=');
      all[section][key] = Value();
    }
    return all;
  }

 private:
  [[noreturn]] void Refuse(const std::string& why) const {
    const auto line = 1 + std::ranges::count(text_.substr(0, at_), '\n');
    throw UsageError(std::string(kSettingsFile) + ":" + std::to_string(line) + ": " + why);
  }

  void CheckKey(const std::string& section, const std::string& key) const {
    std::vector<std::string> known = kForAll;
    if (section == "check") known.insert(known.end(), kForCheck.begin(), kForCheck.end());
    if (std::ranges::find(known, key) != known.end()) return;
    std::string list;
    for (const std::string& each : known) list += (list.empty() ? "" : ", ") + each;
    const bool of_check = std::ranges::find(kForCheck, key) != kForCheck.end();
    Refuse("'" + key + "' is none of " + list + (of_check ? "; it belongs below [check]" : ""));
  }

  // White space and comments.
  void Skip() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
        ++at_;
      else
        return;
    }
  }

  bool Takes(char c) {
    Skip();
    const bool there = at_ < text_.size() && text_[at_] == c;
    at_ += there ? 1 : 0;
    return there;
  }

  void Ask(char c) {
    if (!Takes(c)) Refuse(std::string("'") + c + "' is missing");
  }

  std::string Word() {
    Skip();
    const std::size_t end =
        std::min(text_.find_first_not_of(
                     "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", at_),
                 text_.size());
    if (end == at_) Refuse("a key is missing");
    return std::string(text_.substr(std::exchange(at_, end), end - at_));
  }

  std::string Text() {
    const char quote = Takes('"') ? '"' : Takes('\'') ? '\'' : '\0';
    const std::size_t end =
        std::min(text_.find_first_of(quote == '"' ? "\"\\\n" : "'\n", at_), text_.size());
    if (quote == '\0' || end == text_.size() || text_[end] != quote)
      Refuse("a text in quotes is missing");
    const std::string text(text_.substr(at_, end - at_));
    at_ = end + 1;
    return text;
  }

  std::vector<std::string> Value() {
    if (!Takes('[')) return {Text()};
    std::vector<std::string> values;
    while (!Takes(']')) {
      values.push_back(Text());
      if (Takes(',')) continue;
      Ask(']');
      break;
    }
    return values;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<std::string> SettingsIn(std::string_view text, const std::string& command) {
  const std::map<std::string, Values> all = Toml(text).Read();
  Values values;
  for (const std::string& section : {command, std::string()})
    if (const auto found = all.find(section); found != all.end())
      values.insert(found->second.begin(), found->second.end());
  std::vector<std::string> words;
  for (const auto& [key, texts] : values)
    for (const std::string& each : texts) words.push_back("--" + key + "=" + each);
  return words;
}

std::vector<std::string> SettingsFor(const std::vector<std::string>& words) {
  std::error_code error;
  const bool asked = words.size() > 1 && (words[1] == "check" || words[1] == "lint");
  if (!asked || !std::filesystem::exists(kSettingsFile, error)) return {};
  std::string why;
  const std::optional<std::string> text = ReadWhole(kSettingsFile, why);
  if (!text) throw UsageError(std::string(kSettingsFile) + " cannot be read: " + why);
  std::vector<std::string> set = SettingsIn(*text, words[1]);
  // What is typed counts instead.
  const auto end = std::find(words.begin(), words.end(), "--");
  std::erase_if(set, [&](const std::string& option) {
    const std::string name = option.substr(0, option.find('='));
    return std::any_of(words.begin(), end, [&](const std::string& word) {
      return word.substr(0, word.find('=')) == name;
    });
  });
  return set;
}

}  // namespace kinemorph::tools

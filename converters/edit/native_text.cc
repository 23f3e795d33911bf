#include "edit/native_text.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace kinemorph {
namespace {

constexpr std::string_view kWrapper = "gazebo";  // wraps what each says for itself
constexpr std::size_t kLongestTag = 100, kLongestWord = 30, kMostWords = 8;

std::string_view Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// By element that says something: its name, and its text or attributes. '>' is escaped in values.
std::vector<std::pair<std::string, std::string>> SaidIn(const std::string& xml) {
  std::vector<std::pair<std::string, std::string>> words;
  std::string_view rest = xml;
  bool root = true;
  for (std::size_t at = rest.find('<'); at != std::string_view::npos; at = rest.find('<')) {
    rest.remove_prefix(at);
    if (rest.starts_with("<!--") || rest.starts_with("<![") || rest.starts_with("<?")) {
      const std::string_view end = rest[1] == '?' ? "?>" : rest[2] == '[' ? "]]>" : "-->";
      rest.remove_prefix(std::min(rest.find(end), rest.size() - 1) + 1);
      continue;
    }
    const std::size_t close = std::min(rest.find('>'), rest.size());
    std::string_view tag = rest.substr(1, close - 1);
    rest.remove_prefix(std::min(close + 1, rest.size()));
    if (tag.starts_with('/')) continue;
    if (tag.ends_with('/')) tag.remove_suffix(1);
    const std::size_t name_end = std::min(tag.find_first_of(" \t\r\n"), tag.size());
    const std::string_view text = Trim(rest.substr(0, rest.find('<')));
    std::string said(root ? std::string_view() : Trim(tag.substr(name_end)));
    if (!text.empty()) said += (said.empty() ? "" : " ") + std::string(text);
    if (!said.empty()) words.emplace_back(tag.substr(0, name_end), said);
    root = false;
  }
  return words;
}

}  // namespace

std::string ContentText(const NativeData& data) {
  std::size_t end = data.xml.find('>');  // escaped inside values
  std::string text = "<" + data.element + ">";
  if (data.xml.starts_with('<') && end < kLongestTag) {
    if (end > 0 && data.xml[end - 1] == '/') --end;
    text = std::string(Trim(std::string_view(data.xml).substr(0, end))) + ">";
  }
  std::string inner;
  const auto words = SaidIn(data.xml);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i == kMostWords) {
      inner += ", ...";
      break;
    }
    const auto& [name, said] = words[i];
    if (i > 0) inner += ", ";
    if (name != data.element) inner += name + " ";
    inner += said.size() > kLongestWord ? "..." : said;
  }
  return inner.empty() ? text : text + " (" + inner + ")";
}

std::string TagsText(const NativeData& data) {
  std::vector<std::string> names;
  if (data.element != kWrapper) return "<" + data.element + ">";
  for (const auto& [name, said] : SaidIn(data.xml))
    if (names.size() < kMostWords && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  if (names.empty()) names.push_back(data.element);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "<" : ", <") + name + ">";
  return text;
}

}  // namespace kinemorph

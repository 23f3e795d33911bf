#include "yaml/values.h"

#include <algorithm>
#include <cmath>

#include "kinemorph/graph/base/number.h"

namespace kinemorph::yaml {
namespace {

constexpr std::size_t kMostKeysTold = 20;  // a file repeats its habits

const char* NameOf(Kind kind) {
  switch (kind) {
    case Kind::kNull:
      return "nothing";
    case Kind::kScalar:
      return "a plain text";
    case Kind::kList:
      return "a list";
    case Kind::kMap:
      return "a map";
  }
  return "";
}

}  // namespace

// Readers of side-cars ask for values by key and kind; each misfit is an error at its line, and a
// neutral value goes on, so that one run tells all errors. Codes begin with the prefix of the
// file's format.

void Values::Say(Severity severity, const std::string& code, std::uint32_t line,
                 const std::string& what) const {
  diagnostics_.Add(MakeDiagnostic(severity, code, file_, line, "", {"", file_, what}));
}

const Node& Values::root() const {
  static const Node none;
  // An empty document has no node; it is as good as a value of nothing.
  return tree_.nodes.empty() ? none : tree_.nodes.front();
}

const Node* Values::Child(const Node& map, std::string_view key) const {
  for (std::size_t i = 0; i < map.keys.size(); ++i)
    if (map.keys[i] == key) return &tree_.nodes[map.children[i]];
  return nullptr;
}

const Node* Values::Need(const Node& map, std::string_view key, const std::string& of) const {
  const Node* const node = Child(map, key);
  if (node == nullptr) Error("key-missing", map.line, of + " has no '" + std::string(key) + "'");
  return node;
}

// A key that nobody knows is most often a misspelt one: the nearest known key is named.
void Values::KnowKeys(const Node& map, std::initializer_list<const char*> known,
                      const std::string& of) const {
  std::size_t told = 0;
  for (std::size_t i = 0; i < map.keys.size() && told < kMostKeysTold; ++i) {
    const std::string& key = map.keys[i];
    if (std::any_of(known.begin(), known.end(), [&](const char* each) { return key == each; }))
      continue;
    ++told;
    const std::string nearest =
        NearestName(key, std::vector<std::string>(known.begin(), known.end()));
    Say(Severity::kWarning, prefix_ + "-key-unknown", tree_.nodes[map.children[i]].line,
        "the key '" + key.substr(0, 80) + "' of " + of + " is not known and not read" +
            (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
  }
}

// Every value that is looked at is counted, as often as it is: aliases make it possible to ask for
// exponentially many.
bool Values::Is(const Node& node, Kind kind, std::string_view what) {
  if (++spent_ > kMostValues) {
    if (spent_ == kMostValues + 1)
      Say(Severity::kError, "yaml-too-large", node.line,
          "more than " + std::to_string(kMostValues) +
              " values, including those that anchors repeat");
    return false;
  }
  if (node.kind == kind) return true;
  Error("value", node.line,
        "'" + std::string(what) + "' must be " + NameOf(kind) + ", and is " + NameOf(node.kind));
  return false;
}

std::string Values::Text(const Node& node, std::string_view what) {
  return Is(node, Kind::kScalar, what) ? node.text : std::string();
}

std::vector<Word> Values::Words(const Node& node, std::string_view what) {
  std::vector<Word> words;
  // A key without a value is an empty list.
  if (node.kind == Kind::kNull || !Is(node, Kind::kList, what)) return words;
  for (const std::uint32_t index : node.children) {
    if (spent_ > kMostValues) break;
    words.push_back({Text(at(index), what), at(index).line});
  }
  return words;
}

double Values::Number(const Node& node, std::string_view what) {
  if (!Is(node, Kind::kScalar, what)) return 0;
  // YAML allows a plus sign, from_chars does not; two of them are no number.
  const char* first = node.text.data();
  const char* const last = first + node.text.size();
  if (first != last && *first == '+') ++first;
  double value = 0;
  const auto [end, error] = ParseDouble(first, last, value);
  if (first != last && *first != '+' && error == std::errc() && end == last && std::isfinite(value))
    return value;
  Error("value", node.line,
        "'" + node.text.substr(0, 40) + "' of '" + std::string(what) + "' is not a finite number");
  return 0;
}

Vector3 Values::Vector(const Node& node, std::string_view what) {
  Vector3 v = Vector3::Zero();
  if (!Is(node, Kind::kList, what)) return v;
  if (node.children.size() != 3) {
    Error("value", node.line,
          "'" + std::string(what) + "' must be three numbers, and has " +
              std::to_string(node.children.size()));
    return v;
  }
  for (int i = 0; i < 3; ++i) v[i] = Number(at(node.children[static_cast<std::size_t>(i)]), what);
  return v;
}

}  // namespace kinemorph::yaml

#include "yaml/tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <istream>
#include <streambuf>
#include <unordered_map>
#include <unordered_set>

namespace kinemorph::yaml {
namespace {

// yaml-cpp calls back for each value; the tree is built of these calls and not of its own nodes,
// which resolve anchors by sharing, keep equal keys and have no bounds. The bounds (bytes, values,
// levels) are checked as values come, since a text of a few hundred bytes can ask for more memory
// than there is.
// `open_` holds the maps and lists around the value that comes next. In a map, keys and values come
// in turn: one more key than values means that a value is due.

/// What ends the reading: yaml-cpp has no other way to be stopped.
struct Stop {
  const char* code;
  std::uint32_t line;
  std::string why;
};

std::uint32_t LineOf(const YAML::Mark& mark) {
  return mark.line < 0 ? 0 : static_cast<std::uint32_t>(mark.line) + 1;
}

class Builder : public YAML::EventHandler {
 public:
  Tree tree;

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Add(Kind::kNull, mark, anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                const std::string& value) override {
    if (!AtKey()) {
      tree.nodes[Add(Kind::kScalar, mark, anchor)].text = value;
      return;
    }
    TakeKey(mark, value);
    // An alias may name a key, as a value.
    if (anchor != YAML::NullAnchor) tree.nodes[Make(Kind::kScalar, mark, anchor)].text = value;
  }
  // An alias attaches the node of its anchor once more, so the tree may share branches; whoever
  // walks it counts what it spends. A circle would have no end.
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const std::uint32_t line = LineOf(mark), node = anchors_.at(anchor);
    if (AtKey()) throw Stop{"yaml-key", line, "an alias is in the place of a key"};
    for (const Open& open : open_)
      if (open.node == node) throw Stop{"yaml-circle", line, "an anchor is used inside itself"};
    Attach(node);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    Enter(Kind::kList, mark, anchor);
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    Enter(Kind::kMap, mark, anchor);
  }
  void OnMapEnd() override { open_.pop_back(); }

 private:
  struct Open {
    std::uint32_t node;
    std::unordered_set<std::string> keys;
  };

  // A key is due where there are as many keys as values.
  [[nodiscard]] bool AtKey() const {
    if (open_.empty()) return false;
    const Node& node = tree.nodes[open_.back().node];
    return node.kind == Kind::kMap && node.keys.size() == node.children.size();
  }

  void TakeKey(const YAML::Mark& mark, const std::string& key) {
    // YAML forbids equal keys, and readers differ in which one they take.
    if (!open_.back().keys.insert(key).second)
      throw Stop{"yaml-key-twice", LineOf(mark), "the key '" + key + "' is twice in one map"};
    tree.nodes[open_.back().node].keys.push_back(key);
  }

  std::uint32_t Add(Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (AtKey()) throw Stop{"yaml-key", LineOf(mark), "a key is not plain text"};
    const std::uint32_t index = Make(kind, mark, anchor);
    Attach(index);
    return index;
  }

  std::uint32_t Make(Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    const std::uint32_t line = LineOf(mark);
    if (tree.nodes.size() >= kMostValues)
      throw Stop{"yaml-too-large", line, "more than " + std::to_string(kMostValues) + " values"};
    const std::uint32_t index = static_cast<std::uint32_t>(tree.nodes.size());
    Node& node = tree.nodes.emplace_back();
    node.kind = kind;
    node.line = line;
    if (anchor != YAML::NullAnchor) anchors_[anchor] = index;
    return index;
  }

  void Attach(std::uint32_t index) {
    if (!open_.empty()) tree.nodes[open_.back().node].children.push_back(index);
  }

  void Enter(Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (open_.size() >= kMostLevels)
      throw Stop{"yaml-too-deep", LineOf(mark),
                 "more than " + std::to_string(kMostLevels) + " levels"};
    open_.push_back({Add(kind, mark, anchor), {}});
  }

  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, std::uint32_t> anchors_;
};

/// Reads a text in place.
struct TextBuffer : std::streambuf {
  explicit TextBuffer(std::string_view text) {
    char* const begin = const_cast<char*>(text.data());
    setg(begin, begin, begin + text.size());
  }
};

}  // namespace

// Only the first document of a stream is read. Whatever yaml-cpp throws becomes a diagnostic, with
// its line where it knows one.
std::optional<Tree> ReadTree(std::string_view text, const std::string& file,
                             Diagnostics& diagnostics) {
  const auto fail = [&](const char* code, std::uint32_t line, const std::string& why) {
    diagnostics.Add(MakeDiagnostic(Severity::kError, code, file, line, "", {"", file, why}));
    return std::nullopt;
  };
  if (text.size() > kMostBytes)
    return fail("yaml-too-large", 0, "more than " + std::to_string(kMostBytes >> 20) + " MiB");
  Builder builder;
  try {
    TextBuffer buffer(text);
    std::istream stream(&buffer);
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    return std::move(builder.tree);
  } catch (const Stop& stop) {
    return fail(stop.code, stop.line, stop.why);
  } catch (const YAML::Exception& error) {
    return fail("yaml-malformed", LineOf(error.mark), "is not YAML: " + error.msg);
  } catch (const std::exception& error) {
    return fail("yaml-malformed", 0, std::string("cannot be read as YAML: ") + error.what());
  }
}

}  // namespace kinemorph::yaml

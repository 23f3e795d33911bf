// Typed reads of a YAML tree, which report what is missing or of another type.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/base/spatial.h"
#include "yaml/tree.h"

namespace kinemorph::yaml {

/// Words of a list with their lines.
struct Word {
  std::string text;
  std::uint32_t line = 0;
};

/// Reads from one document. Values are counted as often as they are used, whatever anchors share.
class Values {
 public:
  /// `codes` begin with it: PREFIX-key-missing, PREFIX-value, PREFIX-key-unknown.
  Values(const Tree& tree, const std::string& file, std::string prefix, Diagnostics& diagnostics)
      : tree_(tree), file_(file), prefix_(std::move(prefix)), diagnostics_(diagnostics) {}

  void Say(Severity severity, const std::string& code, std::uint32_t line,
           const std::string& what) const;
  void Error(std::string_view end, std::uint32_t line, const std::string& what) const {
    Say(Severity::kError, prefix_ + "-" + std::string(end), line, what);
  }

  [[nodiscard]] const Node& root() const;
  [[nodiscard]] const Node& at(std::uint32_t index) const { return tree_.nodes[index]; }
  /// Null where the map has no such key.
  [[nodiscard]] const Node* Child(const Node& map, std::string_view key) const;
  /// The same, with an error where it is missing.
  [[nodiscard]] const Node* Need(const Node& map, std::string_view key,
                                 const std::string& of) const;
  /// A warning for each other key; `of`: "the file", "a closing joint".
  void KnowKeys(const Node& map, std::initializer_list<const char*> known,
                const std::string& of) const;

  /// False, with an error, where the node is of another kind, or more values are used than anyone
  /// writes. `what` is its name in the message.
  [[nodiscard]] bool Is(const Node& node, Kind kind, std::string_view what);
  [[nodiscard]] std::string Text(const Node& node, std::string_view what);
  [[nodiscard]] std::vector<Word> Words(const Node& node, std::string_view what);
  [[nodiscard]] double Number(const Node& node, std::string_view what);
  [[nodiscard]] Vector3 Vector(const Node& node, std::string_view what);

 private:
  const Tree& tree_;
  const std::string& file_;
  std::string prefix_;
  Diagnostics& diagnostics_;
  std::size_t spent_ = 0;
};

}  // namespace kinemorph::yaml

// A typed view of parsed XML that reports with file and line, and marks what was consumed so that
// the rest can be listed.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinemorph/graph/base/diagnostics.h"
#include "kinemorph/graph/base/text.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph::xml {

/// Parses a C-locale decimal number that fills `text` (white space around it allowed). "1,5",
/// "1.5kg", "" give nothing; "1e999", "inf" and "nan" give a non-finite value. A leading '+' is
/// accepted.
[[nodiscard]] std::optional<double> ParseNumber(std::string_view text);
/// White-space separated numbers. Nothing when one of them is no number or there are more than
/// `max`.
[[nodiscard]] std::optional<std::vector<double>> ParseNumbers(std::string_view text,
                                                              std::size_t max = 4096);
/// White-space separated words.
[[nodiscard]] std::vector<std::string_view> SplitWords(std::string_view text);
using kinemorph::Trimmed;

/// A few numbers, without going to the heap for them.
using NumberList = boost::container::small_vector<double, 7>;

class Asked;
struct Node;

/// What every element of one document shares.
struct Context {
  Diagnostics* diagnostics = nullptr;
  std::string file_name;
  std::uint32_t file = 0;       ///< index into Model::files
  std::string_view format;      ///< "urdf", "sdf", "mjcf", "mbs": goes into NativeData
  Asked* asked = nullptr;       ///< notes the names that are asked for; null: they are not noted
  const Node* nodes = nullptr;  ///< the root; set by Parse
  bool second_dot_ends_number = false;  ///< "1.5.2" is 1.5, with a warning; else an error
  SourceLocation made_by = {};          ///< of a text that a reader made: the element it stands for
};

class Element;
struct ParsedText;

/// Children by name (or all): for (Element joint : robot.Children("joint")).
class ElementRange {
 public:
  class Iterator {
   public:
    Iterator(const ElementRange& range, Node* node) : range_(range), node_(node) {}
    Element operator*() const;
    Iterator& operator++();
    bool operator!=(const Iterator& other) const { return node_ != other.node_; }

   private:
    const ElementRange& range_;
    Node* node_;
  };
  ElementRange() = default;
  /// Those of the children of `parent` called `name`, or all when it is empty.
  ElementRange(Node* parent, std::string_view name, const Context* context);
  [[nodiscard]] Iterator begin() const { return {*this, first_}; }
  [[nodiscard]] Iterator end() const { return {*this, end_}; }

 private:
  [[nodiscard]] Node* Match(Node* node) const;  ///< the next one from `node` on
  std::string_view name_;
  const Context* context_ = nullptr;
  Node *first_ = nullptr, *end_ = nullptr;
};

/// One element, or nothing (test with `if`). A handle: cheap to copy, valid as long as its
/// Document.
///
/// Reading an attribute, asking for a child by name, or reading the text marks it as consumed. An
/// accessor on an absent element returns "absent". Numbers that do not parse or are not finite are
/// errors (code `bad-number`), reported once, and count as absent.
class Element {
 public:
  Element() = default;
  Element(Node* node, const Context* context) : node_(node), context_(context) {}
  explicit operator bool() const { return node_ != nullptr; }
  friend bool operator==(const Element&,
                         const Element&) = default;  ///< the same element of the same document

  [[nodiscard]] std::string_view name() const;
  [[nodiscard]] SourceLocation where() const;
  [[nodiscard]] std::string path() const;  ///< "robot/joint[knee]/child"
  /// The index of its file, and its place in document order.
  [[nodiscard]] std::pair<std::uint32_t, std::size_t> place() const;
  /// By name, for those who go through Children(): the same question as the parent's Child(name),
  /// so that it can be suggested.
  [[nodiscard]] bool Is(std::string_view name) const;
  [[nodiscard]] bool IsOneOf(std::initializer_list<std::string_view> names) const;
  [[nodiscard]] const Context& context() const { return *context_; }

  [[nodiscard]] bool Has(std::string_view attribute) const;  ///< does not consume
  [[nodiscard]] std::optional<std::string_view> Attribute(std::string_view attribute) const;
  [[nodiscard]] std::string Attribute(std::string_view attribute, std::string_view fallback) const;
  [[nodiscard]] std::optional<double> Number(std::string_view attribute) const;
  [[nodiscard]] double Number(std::string_view attribute, double fallback) const;
  /// Exactly `n` numbers; another count is an error (code `bad-vector`).
  [[nodiscard]] std::optional<NumberList> Numbers(std::string_view attribute, std::size_t n) const;
  /// Between min and max numbers.
  [[nodiscard]] std::optional<NumberList> Numbers(std::string_view attribute, std::size_t min,
                                                  std::size_t max) const;
  [[nodiscard]] std::optional<Vector3> Vector(std::string_view attribute) const;
  /// "true"/"1" and "false"/"0" (case-insensitive); another token is an error (code `bad-boolean`).
  [[nodiscard]] std::optional<bool> Boolean(std::string_view attribute) const;
  /// All attributes in order, without consuming them.
  [[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> Attributes() const;

  [[nodiscard]] Element Child(
      std::string_view child) const;  ///< first one, or nothing; consumes it
  [[nodiscard]] ElementRange Children(
      std::string_view child) const;  ///< consumed as they are visited
  [[nodiscard]] ElementRange Children()
      const;  ///< every child element, NOT consumed: call Consume() on those you take
  [[nodiscard]] bool HasChild(std::string_view child) const;  ///< does not consume

  [[nodiscard]] std::string_view Text() const;  ///< trimmed text content, empty when none
  [[nodiscard]] std::optional<double> TextNumber()
      const;  ///< absent when there is no text (no error); an error when it is no number
  [[nodiscard]] std::optional<NumberList> TextNumbers(std::size_t min, std::size_t max) const;
  [[nodiscard]] std::optional<bool> TextBoolean() const;
  /// Text of a child, or nothing when there is no such child: Child(name).Text().
  [[nodiscard]] std::optional<std::string> ChildText(std::string_view child) const;
  [[nodiscard]] std::optional<double> ChildNumber(std::string_view child) const;

  void Consume() const;  ///< this element's tag (not attributes, not children)
  void ConsumeAll()
      const;  ///< the whole subtree: known and deliberately not used, or taken as text
  /// The subtree as it stands, comments and all, marked as consumed. Not for the root, which may be
  /// in parts (parse.h).
  [[nodiscard]] NativeData Native() const;
  /// The same, not marked as consumed; of the root, without what stands between its children.
  [[nodiscard]] NativeElement Tree() const;

  Diagnostic& Error(std::string code, Statement statement) const;
  Diagnostic& Warn(std::string code, Statement statement) const;
  Diagnostic& Note(std::string code, Statement statement) const;
  /// Warns where an angle of these, in rad, is beyond a full turn: degrees by mistake.
  void WarnOfDegrees(const Vector3& angles) const;

 private:
  Diagnostic& Report(Severity severity, std::string code, Statement statement) const;
  // `attribute`: where `text` stands; empty for the element's text.
  std::optional<double> CheckedNumber(std::string_view text, std::string_view attribute) const;
  std::optional<NumberList> CheckedNumbers(std::string_view text, std::string_view attribute,
                                           std::size_t min, std::size_t max) const;

  Node* node_ = nullptr;
  const Context* context_ = nullptr;
};

/// A parsed text. Tolerates what real files have (byte order mark, blank lines or junk before the
/// declaration, "--" in comments, undeclared prefixes, Latin-1 in comments: warnings). Refuses,
/// each with a line: not XML, mismatched tags, more than 100 levels of nesting, entity
/// declarations, UTF-16, invalid UTF-8 in content, text after the root, duplicate attributes.
class Document {
 public:
  /// Nothing and an error when the text is refused.
  [[nodiscard]] static std::unique_ptr<Document> Parse(std::string_view text, Context context);
  /// What was kept, to be read once more.
  [[nodiscard]] static std::unique_ptr<Document> Of(const NativeElement& root, Context context);
  ~Document();
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  [[nodiscard]] Element root() const;
  [[nodiscard]] Node* nodes() const;  ///< the root's, then its descendants in document order
  [[nodiscard]] const Context& context() const { return context_; }
  /// Bytes of memory that the elements and what is made of them take, at most.
  [[nodiscard]] std::size_t Weight() const;

 private:
  explicit Document(Context context);
  std::unique_ptr<ParsedText> parsed_;
  Context context_;
};

}  // namespace kinemorph::xml

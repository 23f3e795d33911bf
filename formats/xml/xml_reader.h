// A typed view of parsed XML that reports with file and line, and marks what was consumed so that the rest can be listed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinemorph/graph/diagnostics.h"
#include "kinemorph/graph/model.h"

namespace tinyxml2 {
class XMLDocument;
class XMLElement;
}  // namespace tinyxml2

namespace kinemorph::xml {

/// Parses a C-locale decimal number that fills `text` (white space around it allowed). "1,5", "1.5kg", "" give nothing; "1e999",
/// "inf" and "nan" give a non-finite value. A leading '+' is accepted.
[[nodiscard]] std::optional<double> ParseNumber(std::string_view text);
/// White-space separated numbers. Nothing when one of them is no number or there are more than `max`.
[[nodiscard]] std::optional<std::vector<double>> ParseNumbers(std::string_view text, std::size_t max = 4096);
/// White-space separated words.
[[nodiscard]] std::vector<std::string_view> SplitWords(std::string_view text);
[[nodiscard]] std::string_view Trimmed(std::string_view text);

/// What every element of one document shares.
struct Context {
  Diagnostics* diagnostics = nullptr;
  std::string file_name;
  std::uint32_t file = 0;   ///< index into Model::files
  std::string_view format;  ///< "urdf", "sdf", "mjcf", "mbs": goes into NativeData
};

class Element;

/// Children by name (or all): for (Element joint : robot.Children("joint")).
class ElementRange {
 public:
  class Iterator {
   public:
    Iterator(tinyxml2::XMLElement* element, const char* name, const Context* context) : element_(element), name_(name), context_(context) {}
    Element operator*() const;
    Iterator& operator++();
    bool operator!=(const Iterator& other) const { return element_ != other.element_; }

   private:
    tinyxml2::XMLElement* element_;
    const char* name_;
    const Context* context_;
  };
  ElementRange(tinyxml2::XMLElement* first, const char* name, const Context* context) : first_(first), name_(name), context_(context) {}
  [[nodiscard]] Iterator begin() const { return {first_, name_, context_}; }
  [[nodiscard]] Iterator end() const { return {nullptr, name_, context_}; }

 private:
  tinyxml2::XMLElement* first_;
  const char* name_;
  const Context* context_;
};

/// One element, or nothing (test with `if`). A handle: cheap to copy, valid as long as its Document.
///
/// Reading an attribute, asking for a child by name, or reading the text marks it as consumed. An accessor on an absent element
/// returns "absent". Numbers that do not parse or are not finite are errors (code `bad-number`), reported once, and count as absent.
class Element {
 public:
  Element() = default;
  Element(tinyxml2::XMLElement* element, const Context* context) : element_(element), context_(context) {}
  explicit operator bool() const { return element_ != nullptr; }

  [[nodiscard]] std::string_view name() const;
  [[nodiscard]] SourceLocation where() const;
  [[nodiscard]] std::string path() const;  ///< "robot/joint[knee]/child"
  [[nodiscard]] const Context& context() const { return *context_; }

  [[nodiscard]] bool Has(const char* attribute) const;  ///< does not consume
  [[nodiscard]] std::optional<std::string_view> Attribute(const char* attribute) const;
  [[nodiscard]] std::string Attribute(const char* attribute, std::string_view fallback) const;
  [[nodiscard]] std::optional<double> Number(const char* attribute) const;
  [[nodiscard]] double Number(const char* attribute, double fallback) const;
  /// Exactly `n` numbers; another count is an error (code `bad-vector`).
  [[nodiscard]] std::optional<std::vector<double>> Numbers(const char* attribute, std::size_t n) const;
  /// Between min and max numbers.
  [[nodiscard]] std::optional<std::vector<double>> Numbers(const char* attribute, std::size_t min, std::size_t max) const;
  [[nodiscard]] std::optional<Vector3> Vector(const char* attribute) const;
  /// "true"/"1" and "false"/"0" (case-insensitive); another token is an error (code `bad-boolean`).
  [[nodiscard]] std::optional<bool> Boolean(const char* attribute) const;
  /// All attributes in order, without consuming them.
  [[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> Attributes() const;

  [[nodiscard]] Element Child(const char* child) const;          ///< first one, or nothing; consumes it
  [[nodiscard]] ElementRange Children(const char* child) const;  ///< consumed as they are visited
  [[nodiscard]] ElementRange Children() const;                   ///< every child element, NOT consumed: call Consume() on those you take
  [[nodiscard]] bool HasChild(const char* child) const;          ///< does not consume

  [[nodiscard]] std::string_view Text() const;             ///< trimmed text content, empty when none
  [[nodiscard]] std::optional<double> TextNumber() const;  ///< absent when there is no text (no error); an error when it is no number
  [[nodiscard]] std::optional<std::vector<double>> TextNumbers(std::size_t min, std::size_t max) const;
  [[nodiscard]] std::optional<bool> TextBoolean() const;
  /// Text of a child, or nothing when there is no such child: Child(name).Text().
  [[nodiscard]] std::optional<std::string> ChildText(const char* child) const;
  [[nodiscard]] std::optional<double> ChildNumber(const char* child) const;

  void Consume() const;     ///< this element's tag (not attributes, not children)
  void ConsumeAll() const;  ///< the whole subtree: known and deliberately not used, or taken as text
  /// The subtree verbatim, marked as consumed.
  [[nodiscard]] NativeData Native() const;

  Diagnostic& Error(std::string code, std::string message) const;
  Diagnostic& Warn(std::string code, std::string message) const;
  Diagnostic& Note(std::string code, std::string message) const;

  [[nodiscard]] tinyxml2::XMLElement* raw() const { return element_; }

 private:
  Diagnostic& Report(Severity severity, std::string code, std::string message) const;
  std::optional<double> CheckedNumber(std::string_view text, std::string_view what) const;
  std::optional<std::vector<double>> CheckedNumbers(std::string_view text, std::string_view what, std::size_t min, std::size_t max) const;

  tinyxml2::XMLElement* element_ = nullptr;
  const Context* context_ = nullptr;
};

/// A parsed text. Tolerates what real files have (byte order mark, blank lines or junk before the declaration, "--" in comments,
/// undeclared prefixes, Latin-1 in comments: warnings). Refuses, each with a line: not XML, mismatched tags, more than 100 levels of
/// nesting, entity declarations, UTF-16, invalid UTF-8 in content, text after the root, duplicate attributes.
class Document {
 public:
  /// Nothing and an error when the text is refused.
  [[nodiscard]] static std::unique_ptr<Document> Parse(std::string_view text, Context context);
  ~Document();
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  [[nodiscard]] Element root() const;
  [[nodiscard]] const Context& context() const { return context_; }
  /// A warning (code `not-used`) per element or attribute that nobody consumed; children of a reported element are not repeated.
  void ReportUnconsumed() const;

 private:
  explicit Document(Context context);
  std::unique_ptr<tinyxml2::XMLDocument> document_;
  Context context_;
};

/// The name of the first element of `text`, without parsing it all; empty when there is none.
[[nodiscard]] std::string_view RootElementName(std::string_view text);

}  // namespace kinemorph::xml

// Builds indented XML text. Attribute order is call order; numbers are the shortest that read back.
#pragma once

#include <functional>
#include <initializer_list>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinemorph/graph/base/spatial.h"
#include "kinemorph/graph/model/native_data.h"

namespace kinemorph::xml {

/// Usage: Writer w; w.Open("robot").Attribute("name", "arm"); w.Open("link"); w.Close(); w.Close();
/// w.text(). An element without children or text is closed as `<name/>`; text makes
/// `<name>text</name>`.
class Writer {
 public:
  explicit Writer(bool declaration = true);
  Writer& Open(std::string_view element);
  Writer& Attribute(std::string_view name, std::string_view value);
  Writer& Attribute(std::string_view name, const char* value) {
    return Attribute(name, std::string_view(value));
  }
  Writer& Attribute(std::string_view name, double value);
  Writer& Attribute(std::string_view name, const Vector3& value);
  Writer& Attribute(std::string_view name, std::span<const double> values);
  Writer& Attribute(std::string_view name, std::initializer_list<double> values) {
    return Attribute(name, std::span(values));
  }
  Writer& Text(std::string_view text);
  Writer& Text(std::span<const double> values);
  Writer& Comment(std::string_view text);  ///< "--" inside is broken up
  /// An element that was kept, on its own line(s), what is in it `step` spaces further in.
  Writer& Native(const NativeElement& element, std::size_t step = 4);
  Writer& Close();
  /// <element>text</element>
  Writer& Leaf(std::string_view element, std::string_view text);
  Writer& Leaf(std::string_view element, const char* text) {
    return Leaf(element, std::string_view(text));
  }
  Writer& Leaf(std::string_view element, double value);
  Writer& Leaf(std::string_view element, std::span<const double> values);
  [[nodiscard]] std::size_t depth() const { return open_.size(); }
  /// All elements must be closed. The root declares the prefixes of all names, without which strict
  /// readers refuse a file.
  [[nodiscard]] std::string text() &&;

 private:
  void FinishTag();
  void NotePrefix(std::string_view name);
  void Indent();
  void OpenAttribute(std::string_view name);
  void StartText();
  // `flows`: inside text, where a new line would be text too.
  void PrintNative(const NativeElement& element, std::size_t indent, std::size_t step, bool flows);
  std::string out_;
  std::vector<std::pair<std::size_t, std::size_t>>
      open_;               // where in out_ the name stands, and its length
  bool tag_open_ = false;  // "<name attr" without '>' yet
  bool inline_text_ = false;
  std::size_t root_ = 0;  // where the tag of the root ends
  std::set<std::string, std::less<>> prefixes_;
};

/// The element as a text of its own.
[[nodiscard]] std::string TextOf(const NativeElement& element);
[[nodiscard]] std::string Escaped(std::string_view text);
[[nodiscard]] std::string NumberText(double value);
[[nodiscard]] std::string NumbersText(std::span<const double> values);
[[nodiscard]] std::string VectorText(const Vector3& value);

}  // namespace kinemorph::xml

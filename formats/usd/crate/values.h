// Values of a crate as the words that USD's text has for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "crate/tables.h"

namespace kinemorph::usd {

/// Writes values behind a text. Representations are of 64 bits: what type, where or what it is.
class CrateValues {
 public:
  explicit CrateValues(const CrateTables& tables) : tables_(tables), decoding_(tables.decoding()) {}

  /// What stands behind "=". False after a fault.
  bool Append(std::uint64_t value, std::string& out) { return Append(value, out, 0); }
  /// "prepend WHAT = [...]", a line for each part of a list that is edited, or "WHAT = ..." of
  /// another value.
  bool AppendEdits(std::uint64_t value, std::string_view what, std::string& out);
  /// Time and value of the first of several.
  bool AppendFirstSample(std::uint64_t value, std::string& out);
  /// The layers below, each with how its times are moved.
  bool AppendSublayers(std::uint64_t names, std::uint64_t offsets, std::string& out);

  /// @{
  /// The words of a list; the number of a choice; a word. Nothing where it is another thing.
  [[nodiscard]] std::vector<std::string_view> Words(std::uint64_t value);
  [[nodiscard]] std::string_view Word(std::uint64_t value);
  [[nodiscard]] std::uint32_t Choice(std::uint64_t value) const;
  /// @}

 private:
  bool Append(std::uint64_t value, std::string& out, int depth);
  bool Elements(std::uint64_t value, std::string& out);
  bool PackedElements(Cursor& from, int type, std::uint64_t count, std::string& out);
  bool Inlined(std::uint64_t value, std::string& out);
  bool Element(int type, const char* bytes, std::string& out);
  void Component(char kind, const char* bytes, std::string& out);
  bool Dictionary(Cursor& from, std::string& out, int depth);
  bool Pointed(Cursor& from, std::string& out, int depth);
  bool Item(int type, Cursor& from, std::string& out, int depth);
  bool Vector(int item, Cursor& from, std::string& out, int depth, bool brackets = true);
  bool Pairs(int type, Cursor& from, std::string& out);
  bool Grown(const std::string& out);

  const CrateTables& tables_;
  Decoding& decoding_;
};

/// A string in quotes, as OpenUSD chooses and escapes them.
void AppendQuoted(std::string_view text, std::string& out);
/// The name of a file between its marks.
void AppendAsset(std::string_view file, std::string& out);

}  // namespace kinemorph::usd

// What belongs to a name.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinemorph {

/// Values by name; nothing is taken out. Unlike std::unordered_map it has no node per name to
/// allocate and to free, which hundreds of thousands of links feel. `Name` is std::string, or
/// std::string_view where the names stay where they are.
template <class Value, class Name = std::string>
class NameMap {
 public:
  /// Makes room for so many names in all.
  void Reserve(std::size_t names) {
    entries_.reserve(names);
    if (slots_.size() < 2 * names) Rebuild(2 * names);
  }
  /// The value of that name, or null.
  [[nodiscard]] const Value* Find(std::string_view name) const {
    if (slots_.empty()) return nullptr;
    const Slot slot = slots_[Probe(name, Hash(name))];
    return slot.entry == kNone ? nullptr : &entries_[slot.entry].second;
  }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }  ///< number of names
  /// Whether the name has a value.
  [[nodiscard]] bool Has(std::string_view name) const { return Find(name) != nullptr; }
  /// Gives the name this value, unless it has one. Returns the value it has now (valid until the
  /// next one is added), and whether it is the new one.
  std::pair<const Value&, bool> Add(std::string_view name, Value value) {
    if (slots_.size() < 2 * (entries_.size() + 1)) Rebuild(2 * slots_.size());
    const std::uint32_t hash = Hash(name);
    Slot& slot = slots_[Probe(name, hash)];
    const bool fresh = slot.entry == kNone;
    if (fresh) {
      slot = {hash, static_cast<std::uint32_t>(entries_.size())};
      entries_.emplace_back(Name(name), std::move(value));
    }
    return {entries_[slot.entry].second, fresh};
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Slot {
    std::uint32_t hash = 0, entry = kNone;
  };

  static std::uint32_t Hash(std::string_view name) {
    return static_cast<std::uint32_t>(std::hash<std::string_view>()(name));
  }
  // The slot of that name, or the free one where it would stand (linear probing, at most half of
  // the slots are taken).
  [[nodiscard]] std::size_t Probe(std::string_view name, std::uint32_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].entry != kNone &&
           (slots_[at].hash != hash || entries_[slots_[at].entry].first != name))
      at = (at + 1) & mask;
    return at;
  }
  void Rebuild(std::size_t least) {
    std::size_t size = 16;
    while (size < least) size *= 2;
    slots_.assign(size, {});
    for (std::uint32_t i = 0; i < entries_.size(); ++i) {
      const std::string_view name = entries_[i].first;
      const std::uint32_t hash = Hash(name);
      std::size_t at = hash & (size - 1);
      while (slots_[at].entry != kNone) at = (at + 1) & (size - 1);
      slots_[at] = {hash, i};
    }
  }

  std::vector<std::pair<Name, Value>> entries_;
  std::vector<Slot> slots_;  // as many as a power of two
};

}  // namespace kinemorph

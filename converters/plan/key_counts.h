// How often each of very many keys occurs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace kinemorph {

/// Of 64-bit keys that are hashes already. Open addressing: no allocation per key.
class KeyCounts {
 public:
  using Key = std::uint64_t;

  /// Makes room for so many different keys; more of them are no mistake.
  void Reserve(std::size_t keys) {
    std::size_t size = kLeast;
    while (size < 2 * keys) size *= 2;
    if (size > slots_.size()) Resize(size);
  }
  void Add(Key key) {
    if (2 * used_ >= slots_.size()) Resize(slots_.empty() ? kLeast : 2 * slots_.size());
    Slot& slot = slots_[At(key)];
    if (slot.count++ == 0) slot.key = key, ++used_;
  }
  /// 0 where the key does not occur.
  [[nodiscard]] std::size_t Of(Key key) const { return slots_.empty() ? 0 : slots_[At(key)].count; }

 private:
  static constexpr std::size_t kLeast = 16;  // a power of two
  struct Slot {
    Key key = 0;
    std::size_t count = 0;  // 0: free
  };
  // Where the key stands, or where it would.
  [[nodiscard]] std::size_t At(Key key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (key ^ (key >> 32)) & mask;
    while (slots_[at].count != 0 && slots_[at].key != key) at = (at + 1) & mask;
    return at;
  }
  void Resize(std::size_t size) {
    std::vector<Slot> before(size);
    before.swap(slots_);
    for (const Slot& slot : before)
      if (slot.count != 0) slots_[At(slot.key)] = slot;
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace kinemorph

// Bytes of a binary file, read within bounds: places, the first fault, the memory that may be used.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace kinemorph::usd {

static_assert(std::endian::native == std::endian::little,
              "numbers of a crate are read as they lie");

/// A number that was compared with the file or with the memory that is left, as a size.
[[nodiscard]] constexpr std::size_t Checked(std::uint64_t number) {
  return static_cast<std::size_t>(number);
}

/// What all parts of reading one file share. The first fault is the last: what follows is noise.
struct Decoding {
  /// `others`: bytes of the files of the same stage before it; `taken`: memory that they took.
  explicit Decoding(std::string_view bytes, std::uint64_t others = 0, std::uint64_t taken = 0);

  std::string_view file;   ///< all of its bytes
  std::uint64_t left = 0;  ///< bytes of memory that may still be used
  std::string fault = {};  ///< empty: none
  std::uint64_t at = 0;    ///< the byte where it was found
  std::uint64_t last = 0;  ///< where bytes were read last

  [[nodiscard]] bool failed() const { return !fault.empty(); }
  /// Keeps the first one; false.
  bool Fail(std::uint64_t where, std::string what);
  /// Whether that much memory may be used for a while; else it is a fault.
  bool Fits(std::uint64_t count, std::uint64_t each, std::uint64_t where);
  /// The same for memory that is kept.
  bool Take(std::uint64_t count, std::uint64_t each, std::uint64_t where);
};

/// A place in the file. Behind its end everything is zero, and a fault.
class Cursor {
 public:
  Cursor(Decoding& decoding, std::uint64_t at) : decoding_(decoding), at_(at) {}

  [[nodiscard]] std::uint64_t at() const { return at_; }
  [[nodiscard]] std::uint64_t left() const {
    return at_ < decoding_.file.size() ? decoding_.file.size() - at_ : 0;
  }
  void GoTo(std::uint64_t at) { at_ = at; }
  /// So many bytes; none where there are less.
  std::string_view Bytes(std::uint64_t count);
  template <typename T>
  T Get() {
    T value{};
    const std::string_view bytes = Bytes(sizeof(T));
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  /// A count of things of at least `each` bytes in the file; 0, and a fault, where they are not
  /// there.
  std::uint64_t Count(std::uint64_t each);
  bool Fail(std::string what) { return decoding_.Fail(at_, std::move(what)); }
  [[nodiscard]] Decoding& decoding() const { return decoding_; }

 private:
  Decoding& decoding_;
  std::uint64_t at_;
};

}  // namespace kinemorph::usd

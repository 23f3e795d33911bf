#include "crate/compression.h"

#include <algorithm>
#include <type_traits>

namespace kinemorph::usd {
namespace {

constexpr std::uint64_t kMostGrowth = 255;  // of LZ4: a byte of length stands for so many

// One block: literals, then a copy of what was unpacked before, and so on; no copy stands behind
// the last literals.
class Lz4Block {
 public:
  Lz4Block(std::string_view packed, std::uint64_t most, std::string& out)
      : in_(packed), most_(most), out_(out), start_(out.size()) {}

  /// Null, or what is wrong with it.
  const char* Run() {
    while (at_ < in_.size()) {
      const auto token = Byte();
      const std::uint64_t literals = Length(token >> 4);
      if (literals > in_.size() - at_) return "a block of LZ4 is cut off";
      if (literals > most_ - out_.size()) return kTooLong;
      out_.append(in_.substr(at_, Checked(literals)));
      at_ += Checked(literals);
      if (at_ == in_.size()) return nullptr;
      const std::uint64_t back = Byte() | Byte() << 8;
      const std::uint64_t copied = Length(token & 15) + 4;
      if (back == 0 || back > out_.size() - start_) return "a copy of LZ4 begins before its block";
      if (copied > most_ - out_.size()) return kTooLong;
      Copy(Checked(back), Checked(copied));
    }
    return nullptr;
  }

 private:
  static constexpr const char* kTooLong = "a block of LZ4 unpacks to more than is announced";

  std::uint32_t Byte() { return at_ < in_.size() ? static_cast<unsigned char>(in_[at_++]) : 0u; }
  std::uint64_t Length(std::uint64_t length) {
    if (length < 15) return length;
    for (std::uint32_t more = 255; more == 255; length += more) more = Byte();
    return length;
  }
  // What is copied may be part of what is being written: then it repeats.
  void Copy(std::size_t back, std::size_t count) {
    const std::size_t from = out_.size() - back;
    if (back >= count) {
      out_.append(out_, from, count);
      return;
    }
    for (std::size_t i = 0; i < count; ++i) out_ += out_[from + i];
  }

  std::string_view in_;
  std::uint64_t most_;
  std::string& out_;
  std::size_t start_, at_ = 0;
};

// Behind the commonest difference stand codes of two bits, lowest first, then numbers. 0 is the
// commonest one; 1, 2 and 3 are a number of 8, 16 and 32 bits, or of 16, 32 and 64.
template <typename T>
class Differences {
 public:
  explicit Differences(std::string_view bytes) : bytes_(bytes) {}

  /// False where the bytes do not hold so many.
  bool Run(std::size_t count, std::vector<T>& out) {
    const std::size_t codes = sizeof(T), numbers = codes + (count + 3) / 4;
    if (bytes_.size() < numbers) return false;
    T common{};
    at_ = 0, Add(common), at_ = numbers;
    out.resize(count);
    T sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const int code = (bytes_[codes + i / 4] >> (2 * (i % 4))) & 3;
      if (code == 0)
        sum += common;
      else if (code == 1)
        AddOf<std::conditional_t<sizeof(T) == 8, std::int16_t, std::int8_t>>(sum);
      else if (code == 2)
        AddOf<std::conditional_t<sizeof(T) == 8, std::int32_t, std::int16_t>>(sum);
      else
        Add(sum);
      out[i] = sum;
    }
    return !short_;
  }

 private:
  void Add(T& sum) { AddOf<std::make_signed_t<T>>(sum); }
  template <typename Small>
  void AddOf(T& sum) {
    if (bytes_.size() - at_ < sizeof(Small)) {
      short_ = true;
      return;
    }
    Small number{};
    std::memcpy(&number, bytes_.data() + at_, sizeof(Small));
    at_ += sizeof(Small);
    sum += static_cast<T>(number);
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  bool short_ = false;
};

template <typename T>
bool IntegersOf(Cursor& from, std::uint64_t count, std::vector<T>& out) {
  const std::uint64_t begin = from.at(), packed = from.Get<std::uint64_t>();
  if (!from.decoding().Fits(count, 2 * sizeof(T) + 1, begin)) return false;
  const std::string bytes = Unpacked(from, packed, sizeof(T) + (count + 3) / 4 + count * sizeof(T));
  if (from.decoding().failed() || count == 0) return !from.decoding().failed();
  return Differences<T>(bytes).Run(Checked(count), out) ||
         from.decoding().Fail(begin,
                              "integers are cut off: there are less than " + std::to_string(count));
}

}  // namespace

std::string Unpacked(Cursor& from, std::uint64_t packed, std::uint64_t most) {
  const std::uint64_t begin = from.at();
  std::string_view bytes = from.Bytes(packed);
  std::string out;
  if (bytes.empty()) return out;
  const std::uint64_t room = std::min(most, packed * kMostGrowth);
  if (!from.decoding().Fits(room, 1, begin)) return out;
  out.reserve(Checked(room));
  const int blocks = static_cast<unsigned char>(bytes[0]);
  bytes.remove_prefix(1);
  for (int i = 0; i < std::max(blocks, 1); ++i) {
    std::string_view block = bytes;
    if (blocks > 0) {
      std::uint32_t length = 0;
      if (bytes.size() < sizeof(length)) break;
      std::memcpy(&length, bytes.data(), sizeof(length));
      block = bytes.substr(sizeof(length), length);
      bytes.remove_prefix(std::min(bytes.size(), sizeof(length) + block.size()));
    }
    if (const char* const wrong = Lz4Block(block, most, out).Run()) {
      from.decoding().Fail(begin, wrong);
      return {};
    }
  }
  return out;
}

bool ReadIntegers(Cursor& from, std::uint64_t count, std::vector<std::uint32_t>& out) {
  return IntegersOf(from, count, out);
}

bool ReadIntegers(Cursor& from, std::uint64_t count, std::vector<std::uint64_t>& out) {
  return IntegersOf(from, count, out);
}

}  // namespace kinemorph::usd

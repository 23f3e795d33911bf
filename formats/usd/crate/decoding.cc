#include "crate/decoding.h"

#include <algorithm>

namespace kinemorph::usd {
namespace {

// A small file may grow much, since equal values are stored once; a large one is made of points.
constexpr std::uint64_t kSmallFree = 12'000'000, kSmallTimes = 200;  // bytes, times the file's size
constexpr std::uint64_t kLargeFree = 300'000'000, kLargeTimes = 50;
constexpr std::uint64_t kMost = 2'000'000'000;  // half of what WebAssembly has

}  // namespace

Decoding::Decoding(std::string_view bytes, std::uint64_t others, std::uint64_t taken)
    : file(bytes) {
  const std::uint64_t size = bytes.size() + others;
  const std::uint64_t most =
      std::min({kSmallFree + kSmallTimes * size, kLargeFree + kLargeTimes * size, kMost});
  left = most > taken ? most - taken : 0;
}

bool Decoding::Fail(std::uint64_t where, std::string what) {
  if (!failed()) at = where, fault = std::move(what);
  return false;
}

bool Decoding::Fits(std::uint64_t count, std::uint64_t each, std::uint64_t where) {
  return count <= left / each ||
         Fail(where, "more memory is asked for than a file of its size may take");
}

bool Decoding::Take(std::uint64_t count, std::uint64_t each, std::uint64_t where) {
  if (!Fits(count, each, where)) return false;
  left -= count * each;
  return true;
}

std::string_view Cursor::Bytes(std::uint64_t count) {
  if (count > left()) {
    Fail(std::to_string(count) + " bytes are expected, but the file ends");
    return {};
  }
  const std::string_view bytes = decoding_.file.substr(Checked(at_), Checked(count));
  decoding_.last = at_;
  at_ += count;
  return bytes;
}

std::uint64_t Cursor::Count(std::uint64_t each) {
  const auto count = Get<std::uint64_t>();
  if (count <= left() / each) return count;
  Fail(std::to_string(count) + " items are promised, but the file ends before");
  return 0;
}

}  // namespace kinemorph::usd

#include "host/base64.h"

#include "host/sha256.h"

namespace kinemorph::tools {

// RFC 4648. Bytes behind the end are zero; what they alone would make is "=".
std::string Base64(std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) {
      return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U;
    };
    const unsigned word = byte(0) << 16U | byte(1) << 8U | byte(2);
    // The last group has two digits for one byte, three for two.
    for (unsigned k = 0; k < 4; ++k)
      out += i + k > bytes.size() ? '=' : kDigits[word >> (18U - 6U * k) & 63U];
  }
  return out;
}

// A page allows its own script by the hash of its text (Content Security Policy), in base64 of the
// 32 bytes, not of their hexadecimal digits.
std::string PolicyHash(std::string_view script) {
  const std::string digits = Sha256(script);
  std::string bytes;
  const auto value = [](char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; };
  for (std::size_t i = 0; i < digits.size(); i += 2)
    bytes += static_cast<char>(value(digits[i]) << 4 | value(digits[i + 1]));
  return "'sha256-" + Base64(bytes) + "'";
}

}  // namespace kinemorph::tools

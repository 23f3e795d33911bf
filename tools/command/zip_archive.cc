#include "command/zip_archive.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace kinemorph::tools {
namespace {

// The format of PKWARE's APPNOTE 6.3.3 as far as an FMU needs it: files stored as they are, one
// directory of them, one end. Equal files give equal bytes: the date is 1 January 1980, the first
// day of zip.
constexpr std::uint32_t kFirstDayOfZip = ((0 << 9) | (1 << 5) | 1) << 16;
constexpr std::uint16_t kZipVersion = 20, kNamesAreUtf8 = 1 << 11;
constexpr std::string_view kZipComment = "Written by kinemorph";

// Of each byte: the remainder by the polynomial of IEEE 802.3, its bits reversed.
constexpr std::array<std::uint32_t, 256> kRemainders = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? 0xEDB88320U : 0);
    table[byte] = rest;
  }
  return table;
}();

std::uint32_t Crc32(std::string_view bytes) {
  std::uint32_t rest = 0xFFFFFFFFU;
  for (const char byte : bytes)
    rest = (rest >> 8) ^ kRemainders[(rest ^ static_cast<unsigned char>(byte)) & 0xFF];
  return ~rest;
}

void Put16(std::string& zip, std::size_t value) {
  zip += {static_cast<char>(value & 0xFF), static_cast<char>(value >> 8 & 0xFF)};
}
void Put32(std::string& zip, std::size_t value) {
  Put16(zip, value & 0xFFFF), Put16(zip, value >> 16);
}

// What stands before a file and once more in the directory, from the version on.
std::string ZipHeader(const ExportedFile& file) {
  std::string header;
  Put16(header, kZipVersion), Put16(header, kNamesAreUtf8);
  Put16(header, 0);  // stored
  Put32(header, kFirstDayOfZip), Put32(header, Crc32(file.text));
  Put32(header, file.text.size()), Put32(header, file.text.size());
  Put16(header, file.name.size()), Put16(header, 0);
  return header;
}

}  // namespace

std::optional<std::string> ZipArchive(const std::vector<ExportedFile>& files) {
  std::string zip, directory;
  for (const ExportedFile& file : files) {
    const std::string header = ZipHeader(file);
    directory += "PK\1\2", Put16(directory, kZipVersion), directory += header;
    directory.append(10, '\0');  // no comment, first disk, no attributes
    Put32(directory, zip.size()), directory += file.name;
    zip += "PK\3\4" + header + file.name + file.text;
  }
  const std::size_t at = zip.size();
  if (at + directory.size() > std::numeric_limits<std::uint32_t>::max() ||
      files.size() > std::numeric_limits<std::uint16_t>::max())
    return std::nullopt;
  zip += directory + "PK\5\6";
  Put32(zip, 0);  // disks
  Put16(zip, files.size()), Put16(zip, files.size());
  Put32(zip, directory.size()), Put32(zip, at);
  Put16(zip, kZipComment.size()), zip += kZipComment;
  return zip;
}

}  // namespace kinemorph::tools

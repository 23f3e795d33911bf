#include "command/zip_archive.h"

#include <zip.h>

namespace kinemorph::tools {
namespace {

// Equal files give equal bytes: no clock, one level of compression.

// 1 January 1980, the first day of zip.
constexpr zip_uint16_t kDate = (0 << 9) | (1 << 5) | 1;

bool Add(zip_t* archive, const ExportedFile& file) {
  zip_source_t* const source = zip_source_buffer(archive, file.text.data(), file.text.size(), 0);
  if (source == nullptr) return false;
  const zip_int64_t index = zip_file_add(archive, file.name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    return false;
  }
  const auto at = static_cast<zip_uint64_t>(index);
  return zip_file_set_dostime(archive, at, 0, kDate, 0) == 0 &&
         zip_set_file_compression(archive, at, ZIP_CM_DEFLATE, 9) == 0;
}

std::optional<std::string> Bytes(zip_source_t* source) {
  zip_stat_t info;
  if (zip_source_stat(source, &info) != 0 || zip_source_open(source) != 0) return std::nullopt;
  std::string bytes(info.size, '\0');
  const zip_int64_t read = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (read != static_cast<zip_int64_t>(bytes.size())) return std::nullopt;
  return bytes;
}

}  // namespace

std::optional<std::string> ZipArchive(const std::vector<ExportedFile>& files) {
  zip_source_t* const source = zip_source_buffer_create(nullptr, 0, 0, nullptr);
  if (source == nullptr) return std::nullopt;
  zip_source_keep(source);  // until the bytes are read
  zip_t* const archive = zip_open_from_source(source, ZIP_TRUNCATE, nullptr);
  // libzip owns the source once the archive is open; before that it is ours to free.
  std::optional<std::string> bytes;
  if (archive == nullptr) {
    zip_source_free(source);
  } else {
    constexpr std::string_view kComment = "Written by kinemorph";
    bool good = zip_set_archive_comment(archive, kComment.data(),
                                        static_cast<zip_uint16_t>(kComment.size())) == 0;
    for (const ExportedFile& file : files) good = good && Add(archive, file);
    if (good && zip_close(archive) == 0) {
      bytes = Bytes(source);
    } else {
      zip_discard(archive);
    }
  }
  zip_source_free(source);
  return bytes;
}

}  // namespace kinemorph::tools

#include "journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "files.h"

namespace kinemorph::tools {
namespace {

// The workers of a run that was killed hold the lock too, until they are gone: only then is
// everything as it will stay.
bool LockSoon(int file) {
  for (int attempt = 0; attempt < 500; ++attempt) {
    if (::flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace

void Journal::Open(const std::string& path, bool resume) {
  path_ = path;
  const auto fail = [&](const std::string& why) {
    throw JournalError("--report: '" + path_ + "' cannot be written: " + why);
  };
  file_ =
      ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
  if (file_ < 0) fail(std::strerror(errno));
  struct stat info {};
  if (::fstat(file_, &info) != 0 || !S_ISREG(info.st_mode)) fail("it is not a regular file");
  if (!LockSoon(file_)) fail("another batch is writing it");
  if (resume) {
    Read();
  } else if (::ftruncate(file_, 0) != 0) {
    fail(std::strerror(errno));
  }
}

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

void Journal::Read() {
  std::string why;
  const std::optional<std::string> text = ReadWhole(path_, why);
  if (!text) throw JournalError("--report: '" + path_ + "' cannot be read: " + why);
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text->find('\n', begin)) != std::string::npos; begin = end + 1) {
    std::string line = text->substr(begin, end - begin);
    const auto json = nlohmann::json::parse(line, nullptr, false);
    // What is no record (a power failure may leave zeros) is left out when the file is put in
    // order.
    if (!json.is_object() || !json.contains("source") || !json["source"].is_string()) continue;
    records_.insert_or_assign(json["source"].get<std::string>(), std::move(line));
  }
  if (begin < text->size() && ::ftruncate(file_, static_cast<off_t>(begin)) != 0) {
    throw JournalError("--report: '" + path_ + "' cannot be repaired: " + std::strerror(errno));
  }
}

void Journal::Append(const std::string& source, const std::string& line) {
  if (!kept()) return;
  struct stat before {};
  if (::fstat(file_, &before) != 0 || !WriteAll(file_, line + "\n")) {
    const std::string why = std::strerror(errno);
    if (::ftruncate(file_, before.st_size) != 0)
      throw JournalError("--report: '" + path_ + "' ends in a torn record: " + why);
    throw JournalError("--report: '" + path_ + "' cannot be written: " + why);
  }
  records_.insert_or_assign(source, line);
}

void Journal::Finish(const std::set<std::string>* only) {
  if (!kept()) return;
  std::vector<std::string_view> lines;
  for (const auto& [source, line] : records_) {
    if (!only || only->count(source) > 0) lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string_view line : lines) text.append(line) += '\n';
  std::string why;
  if (ReadWhole(path_, why) == text) {
    if (::fsync(file_) != 0)
      throw JournalError("--report: '" + path_ + "' cannot be written: " + std::strerror(errno));
    return;
  }
  std::error_code error;
  const std::string real = std::filesystem::canonical(path_, error).string();
  why = WriteWhole(error ? path_ : real, text);
  if (!why.empty())
    throw JournalError("--report: it is whole, but could not be put in order: " + why);
}

}  // namespace kinemorph::tools

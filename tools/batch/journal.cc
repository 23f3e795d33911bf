#include "batch/journal.h"

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

#include "host/files.h"
#include "host/sha256.h"

namespace kinemorph::tools {
namespace {

// The report is the memory of a batch. A line is appended when its file is done, so a run that is
// killed loses at most the line it was writing; Repair cuts that one off. Finish sorts the lines,
// which makes the reports of all shards mergeable by sort.

// The workers of a run that was killed hold the lock too, until they are gone: only then is
// everything as it will stay.
bool LockSoon(int file) {
  for (int attempt = 0; attempt < 500; ++attempt) {
    if (::flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

constexpr std::string_view kCheckKey = ",\"check\":\"", kEnd = "\"}";
constexpr std::size_t kCheckLength = 16;
constexpr std::string_view kStart = "{\"source\":";  // of every record

// Of all but what a clock and the system say, so that equal work gives equal checks.
// Sixteen digits of the hash are enough against damage; they are none against forgery.
std::string CheckOfLine(std::string_view record) {
  std::string text(record);
  const std::size_t begin = text.find(",\"ms\":"), end = text.find(",\"sha256\":", begin);
  if (begin != std::string::npos && end != std::string::npos) text.erase(begin, end - begin);
  return Sha256("record of kinemorph " + text).substr(0, kCheckLength);
}

// A record, which ends in a brace, with its check as the last key.
std::string WithCheck(const std::string& record) {
  const std::string bare = record.substr(0, record.size() - 1);
  return bare + std::string(kCheckKey) + CheckOfLine(bare) + std::string(kEnd);
}

bool CheckHolds(std::string_view line) {
  const std::size_t length = kCheckKey.size() + kCheckLength + kEnd.size();
  if (line.size() <= length || !line.ends_with(kEnd)) return false;
  const std::string_view bare = line.substr(0, line.size() - length);
  const std::string_view tail = line.substr(bare.size());
  return tail.starts_with(kCheckKey) &&
         tail.substr(kCheckKey.size(), kCheckLength) == CheckOfLine(bare);
}

// What is written over: a report, or nothing yet.
// A file that somebody names by mistake is never emptied: it must be a report already, or nothing.
bool LooksLikeReport(std::string_view text) {
  return text.substr(0, kStart.size()) == kStart.substr(0, text.size()) ||
         text.find("\n" + std::string(kStart)) != std::string_view::npos;
}

}  // namespace

void Journal::Open(const std::string& path, bool resume) {
  path_ = path;
  const auto fail = [&](const std::string& why) {
    throw JournalError("--report: '" + path_ + "' cannot be written: " + why);
  };
  std::error_code error;
  if (std::filesystem::is_symlink(path_, error) && !std::filesystem::exists(path_, error))
    fail("the link leads nowhere");  // and is somebody's
  // O_NONBLOCK, because a named pipe would hold us here; O_NOCTTY, because a terminal would become
  // ours.
  file_ =
      ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
  if (file_ < 0) fail(std::strerror(errno));
  struct stat info {};
  if (::fstat(file_, &info) != 0 || !S_ISREG(info.st_mode)) fail("it is not a regular file");
  // Two batches with one report would each drop what the other one knows.
  if (!LockSoon(file_)) fail("another batch is writing it");
  std::string why;
  const std::optional<std::string> text = ReadWhole(path_, why);
  if (!text) throw JournalError("--report: '" + path_ + "' cannot be read: " + why);
  if (!LooksLikeReport(*text))
    throw JournalError("--report: '" + path_ +
                       "' is not a report of a batch and stays unchanged; name another file");
  Read(*text);
  // What earlier runs wrote may be replaced, even where this one starts anew.
  earlier_ = records_;
  if (!resume) dropped_ = 0, records_.clear();
  if (resume) {
    Repair(*text);
  } else if (::ftruncate(file_, 0) != 0) {
    fail(std::strerror(errno));
  }
}

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

void Journal::Read(const std::string& text) {
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    std::string line = text.substr(begin, end - begin);
    auto json = CheckHolds(line) ? nlohmann::json::parse(line, nullptr, false) : nlohmann::json();
    // What is no record (a power failure may leave zeros) is left out when the file is put in
    // order.
    if (!json.is_object() || !json.contains("source") || !json["source"].is_string()) {
      ++dropped_;
      continue;
    }
    records_.insert_or_assign(json["source"].get<std::string>(), std::move(line));
  }
}

// What a killed run wrote half is cut off.
void Journal::Repair(const std::string& text) {
  const std::size_t end = text.rfind('\n'), begin = end == std::string::npos ? 0 : end + 1;
  if (begin < text.size() && ::ftruncate(file_, static_cast<off_t>(begin)) != 0) {
    throw JournalError("--report: '" + path_ + "' cannot be repaired: " + std::strerror(errno));
  }
}

void Journal::Append(const std::string& source, const std::string& record) {
  if (!kept()) return;
  const std::string line = WithCheck(record);
  struct stat before {};
  // The length before is where to cut, if the disk is full in the middle of a line.
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

  // The text is what a run without a break would have written; where it stands there already, only
  // the disk has to confirm it.
  std::string text;
  for (const std::string_view line : lines) text.append(line) += '\n';
  std::string why;
  if (ReadWhole(path_, why) == text) {
    if (::fsync(file_) != 0)
      throw JournalError("--report: '" + path_ + "' cannot be written: " + std::strerror(errno));
    return;
  }
  // Written beside the file and moved over it; a link stays a link.
  std::error_code error;
  const std::string real = std::filesystem::canonical(path_, error).string();
  why = WriteWhole(error ? path_ : real, text);
  if (!why.empty())
    throw JournalError("--report: the report is complete, but could not be sorted: " + why);
}

}  // namespace kinemorph::tools

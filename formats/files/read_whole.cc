#include "kinemorph/formats/read_whole.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace kinemorph {
namespace {

constexpr std::size_t kMaxInput = std::size_t{1} << 31;

}  // namespace

std::string KindOfFile(unsigned mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

std::optional<std::string> ReadWhole(const std::string& path, std::string& why) {
  // Without O_NONBLOCK, opening a pipe waits for a writer that may never come.
  const int file = path == "-" ? STDIN_FILENO
                               : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  const auto fail = [&](const std::string& reason) -> std::optional<std::string> {
    why = reason;
    if (file > STDIN_FILENO) ::close(file);
    return std::nullopt;
  };
  if (file < 0) return fail(std::strerror(errno));
  struct stat info {};
  if (::fstat(file, &info) != 0) return fail(std::strerror(errno));
  // Standard input may be a pipe: the user has said so. A file of that kind behind a name would be
  // waited for.
  if (path != "-" && !S_ISREG(info.st_mode)) {
    return fail("it is " + KindOfFile(info.st_mode) + ", not a file" +
                (S_ISFIFO(info.st_mode) ? " (- reads standard input)" : ""));
  }
  // The size is a hint only: a file may grow while it is read, and standard input has none.
  std::string text;
  if (S_ISREG(info.st_mode) && static_cast<std::size_t>(info.st_size) <= kMaxInput)
    text.reserve(static_cast<std::size_t>(info.st_size));
  std::array<char, 65536> buffer;
  for (ssize_t n = 0; (n = ::read(file, buffer.data(), buffer.size())) != 0;) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(std::strerror(errno));
    if (text.size() > kMaxInput) return fail("the file is larger than 2 GiB");
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  if (path != "-") ::close(file);
  return text;
}

std::string ReadStart(const std::string& path, std::size_t bytes) {
  std::string text(bytes, '\0');
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  text.resize(file == nullptr ? 0 : std::fread(text.data(), 1, text.size(), file));
  if (file != nullptr) std::fclose(file);
  return text;
}

}  // namespace kinemorph

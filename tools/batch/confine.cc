#include "batch/confine.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

namespace kinemorph::tools {

// A worker reads descriptions from strangers. Whatever they make it do, it may write below the
// folders of the targets and its own temporary folder only (Landlock, Linux 5.13), and no program
// that it starts gains rights. Where the kernel or the headers have no Landlock the batch runs
// without this fence.

void Confine(const std::vector<std::string>& folders) {
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#if defined(LANDLOCK_ACCESS_FS_WRITE_FILE) && defined(SYS_landlock_create_ruleset)
  // Reading stays free: meshes and packages may be anywhere, and the resolver has a fence of its
  // own for them.
  constexpr __u64 kWriting = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                             LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                             LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                             LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                             LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
  landlock_ruleset_attr rules{};
  rules.handled_access_fs = kWriting;
  const auto set =
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, __u32{0}));
  if (set < 0) return;  // a kernel without it
  const auto allow = [&](const std::string& folder, __u64 access) {
    landlock_path_beneath_attr beneath{};
    // A folder that is not there gets no rule; then nothing can be written there.
    beneath.parent_fd = ::open(folder.c_str(), O_PATH | O_CLOEXEC | O_DIRECTORY);
    if (beneath.parent_fd < 0) return;
    beneath.allowed_access = access;
    ::syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &beneath, __u32{0});
    ::close(beneath.parent_fd);
  };
  for (const std::string& folder : folders) allow(folder, kWriting);
  // Programs write to /dev/null.
  allow("/dev", LANDLOCK_ACCESS_FS_WRITE_FILE);
  allow("/proc", LANDLOCK_ACCESS_FS_WRITE_FILE);  // where the peak of memory is reset
  ::syscall(SYS_landlock_restrict_self, set, __u32{0});
  ::close(set);
#endif
}

}  // namespace kinemorph::tools

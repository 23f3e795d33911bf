// How Node calls the command, and what becomes of what it throws. The command is compiled without
// landing pads: whatever is thrown ends it, with the words and the exit code of main().
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>

#include "session/session.h"

extern "C" {

int __main_void();  // of the C library: main() with the words that the host gives

int flock(int, int) { return 0; }  // nobody else is there

void* __cxa_allocate_exception(std::size_t size) { return std::malloc(size); }
void __cxa_free_exception(void* thrown) { std::free(thrown); }
[[noreturn]] void __cxa_throw(void* thrown, std::type_info*, void (*)(void*)) {
  std::exit(kinemorph::tools::ExitCodeOf(*static_cast<const std::exception*>(thrown)));
}
[[noreturn]] void __cxa_rethrow() { std::abort(); }
void* __cxa_begin_catch(void* thrown) { return thrown; }
void __cxa_end_catch() {}

// Runs the command in the working folder of the host. Ends by proc_exit.
[[clang::export_name("kinemorph_command")]] void kinemorph_command() {
  std::set_new_handler([] { std::exit(kinemorph::tools::ExitCodeOf(std::bad_alloc())); });
  if (const char* const here = std::getenv("PWD")) static_cast<void>(::chdir(here));
  std::exit(__main_void());
}

}  // extern "C"

// libFuzzer entry, one program per target (tools/dev/fuzz). A broken promise is a crash.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "promises.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view target = KINEMORPH_FUZZ_TARGET;
  const std::string broken = target == "xml"         ? kinemorph::fuzz::Parse(text)
                             : target == "xacro"     ? kinemorph::fuzz::Expand(text)
                             : target == "roundtrip" ? kinemorph::fuzz::RoundTrip(text)
                             : target == "usdc"      ? kinemorph::fuzz::Read("usda", text)
                                                     : kinemorph::fuzz::Read(target, text);
  if (broken.empty()) return 0;
  std::fprintf(stderr, "broken promise: %s\n", broken.c_str());
  std::abort();
}

// libFuzzer entry: any bytes, read as whatever they look like, then converted. Build with the
// `fuzz` preset.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kinemorph/converters/convert.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  kinemorph::Diagnostics diagnostics;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto model = kinemorph::ReadModel(text, nullptr, {}, diagnostics);
  if (!model) return 0;
  kinemorph::ConvertOptions options;
  options.target.format = kinemorph::FindFormat(size % 2 == 0 ? "sdf" : "urdf+");
  (void)kinemorph::Convert(*model, options, diagnostics);
  return 0;
}

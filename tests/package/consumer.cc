// What a user of the library writes: read a text, count its links, convert it.
#include <iostream>

#include "kinemorph/converters/convert.h"

int main() {
  kinemorph::Diagnostics diagnostics;
  const auto model = kinemorph::ReadModel("<robot name='r'><link name='a'/></robot>", nullptr, {}, diagnostics);
  if (!model) return 1;
  kinemorph::ConvertOptions options;
  options.target.format = kinemorph::FindFormat("sdf");
  const auto converted = kinemorph::Convert(*model, options, diagnostics);
  if (!converted) return 1;
  std::cout << model->num_links() - 1 << " link\n" << converted->text;
  return 0;
}

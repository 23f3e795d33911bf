// ReadUsd: what a text is, and the stages of reading it.
#include "compose/compose.h"
#include "missing_files.h"
#include "read/builder.h"
#include "usd.h"

namespace kinemorph {

bool IsUsd(std::string_view text) {
  return text.starts_with("#usda ") || text.starts_with("\xEF\xBB\xBF#usda ") ||
         usd::IsCrate(text) || usd::IsPackage(text);
}

std::optional<Model> ReadUsd(std::string_view bytes, const ReadOptions& options,
                             Diagnostics& diagnostics) {
  usd::Reporter report{diagnostics, options.file_name};
  const std::size_t errors = diagnostics.num_errors();
  usd::Layers layers(options, report);
  if (!layers.AddMain(bytes)) return std::nullopt;
  const usd::Composed composed = usd::Compose(layers, report);
  const usd::Stage stage(composed.layer, report);
  // What is wrong with the stage as a whole would bring an error at every prim.
  if (diagnostics.num_errors() > errors) return std::nullopt;
  Model model = usd::Builder(stage).Build();
  xml::MissingFiles missing(options);
  missing.LookForAll(model);
  missing.Report(model, diagnostics);
  return model;
}

}  // namespace kinemorph

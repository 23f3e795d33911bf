// The reader: files -> Description -> frame graph -> Model.
#include "builder.h"
#include "sdformat.h"

namespace kinemorph {

std::optional<Model> ReadSdf(std::string_view text, const ReadOptions& options, Diagnostics& diagnostics) {
  const std::optional<sdformat::Description> description = sdformat::Describe(text, options, diagnostics);
  if (!description) return std::nullopt;
  const sdformat::FrameGraph frames(*description);
  std::optional<Model> model(std::in_place);
  model->format = "sdf";
  model->format_version = description->version_text;
  model->files = description->files;
  sdformat::Builder(*description, frames, *model).Build();
  for (const auto& document : description->documents) document->ReportUnconsumed();
  return model;
}

}  // namespace kinemorph

// ReadUsd: what a text is, and the stages of reading it.
#include <algorithm>

#include "characters.h"
#include "missing_files.h"
#include "read/builder.h"
#include "usd.h"

namespace kinemorph {
namespace {

// The first bytes of the binary forms.
const char* BinaryForm(std::string_view text) {
  if (text.starts_with("PXR-USDC")) return "binary USD (.usdc)";
  if (text.starts_with("PK\x03\x04")) return "a package (.usdz)";
  return nullptr;
}

}  // namespace

bool IsUsd(std::string_view text) {
  return text.starts_with("#usda ") || text.starts_with("\xEF\xBB\xBF#usda ") ||
         BinaryForm(text) != nullptr;
}

std::optional<Model> ReadUsd(std::string_view text, const ReadOptions& options,
                             Diagnostics& diagnostics) {
  const usd::Reporter report{diagnostics, options.file_name};
  if (const char* form = BinaryForm(text)) {
    report
        .Say(Severity::kError, "usd-binary", 0,
             {"", options.file_name, std::string("is ") + form + "; the text form is read"})
        .notes.push_back("OpenUSD makes text of it: " + usd::FlattenCommand(options.file_name));
    return std::nullopt;
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (!text.starts_with("#usda ")) {
    report.Say(Severity::kError, "usd-syntax", 1,
               {"", options.file_name, "does not begin with '#usda 1.0'"});
    return std::nullopt;
  }
  // Names and text go into files of other formats, which must be readable.
  // Also within comments and strings: their text may end up in a report.
  bool control = false;
  if (const std::size_t bad = xml::FirstBadByte(text, control); bad != std::string_view::npos) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(bad), '\n');
    report.Say(Severity::kError, "usd-syntax", static_cast<std::uint32_t>(line),
               {"", options.file_name,
                (control ? "has a control character; remove the character"
                         : "is not valid UTF-8; save the file as UTF-8")});
    return std::nullopt;
  }
  const std::size_t errors = diagnostics.num_errors();
  const std::optional<usd::Layer> layer = usd::ParseLayer(text, report);
  if (!layer) return std::nullopt;
  const usd::Stage stage(*layer, report);
  // What is wrong with the stage as a whole would bring an error at every prim.
  if (diagnostics.num_errors() > errors) return std::nullopt;
  Model model = usd::Builder(stage).Build();
  xml::MissingFiles missing(options);
  missing.LookForAll(model);
  missing.Report(model, diagnostics);
  return model;
}

}  // namespace kinemorph

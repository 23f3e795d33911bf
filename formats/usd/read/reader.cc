// ReadUsd: what a text is, and the stages of reading it.
#include <algorithm>

#include "characters.h"
#include "crate/crate.h"
#include "missing_files.h"
#include "read/builder.h"
#include "usd.h"

namespace kinemorph {
namespace {

// Binary forms are damaged, or of another version; OpenUSD may know more of them.
void RefuseBinary(const usd::Reporter& report, const usd::Decoding& decoding, const char* form) {
  report
      .Say(Severity::kError, "usd-binary", 0,
           {"", report.file,
            "is " + std::string(form) + " that cannot be read: byte " +
                std::to_string(decoding.at) + ": " + decoding.fault})
      .notes.push_back("OpenUSD makes text of it: " + usd::FlattenCommand(report.file));
}

// The root layer of a package. What lies beside it is not opened.
std::optional<std::string_view> RootLayer(std::string_view bytes, const usd::Reporter& report) {
  usd::Decoding decoding(bytes);
  const std::optional<usd::Package> package = usd::OpenPackage(decoding);
  bool control = true;
  if (package && xml::FirstBadByte(package->name, control) != std::string_view::npos)
    decoding.Fail(0, "the name of its first file is not text");
  else if (package && !package->layer.starts_with("#usda ") && !usd::IsCrate(package->layer))
    decoding.Fail(0, "its first file '" + std::string(package->name) + "' is not a layer of USD");
  if (decoding.failed()) {
    RefuseBinary(report, decoding, "a package (.usdz)");
    return std::nullopt;
  }
  if (!package->beside.empty())
    report
        .Say(Severity::kNote, "usd-package", 0,
             {"", report.file,
              "its layer '" + std::string(package->name) + "' is read, and none of its " +
                  std::to_string(package->beside.size()) + " other files"})
        .notes.push_back("if the robot needs these files, unpack them: unzip " + report.file);
  return package->layer;
}

// The text of a layer in whatever form; `made` holds what was made of a binary one.
std::optional<std::string_view> LayerText(std::string_view bytes, usd::Reporter& report,
                                          std::string& made) {
  if (usd::IsPackage(bytes)) {
    const std::optional<std::string_view> layer = RootLayer(bytes, report);
    if (!layer) return std::nullopt;
    bytes = *layer;
  }
  if (!usd::IsCrate(bytes)) return bytes;
  usd::Decoding decoding(bytes);
  std::optional<std::string> text = usd::TextOfCrate(decoding);
  if (!text) {
    RefuseBinary(report, decoding, "binary USD (.usdc)");
    return std::nullopt;
  }
  made = std::move(*text), report.lines = false;
  return made;
}

}  // namespace

bool IsUsd(std::string_view text) {
  return text.starts_with("#usda ") || text.starts_with("\xEF\xBB\xBF#usda ") ||
         usd::IsCrate(text) || usd::IsPackage(text);
}

std::optional<Model> ReadUsd(std::string_view bytes, const ReadOptions& options,
                             Diagnostics& diagnostics) {
  usd::Reporter report{diagnostics, options.file_name};
  std::string made;
  const std::optional<std::string_view> layer_text = LayerText(bytes, report, made);
  if (!layer_text) return std::nullopt;
  std::string_view text = *layer_text;
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

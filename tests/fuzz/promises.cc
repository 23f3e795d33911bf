#include "promises.h"

#include <algorithm>

#include "../support/convert_text.h"
#include "kinemorph/formats/xacro.h"
#include "kinemorph/graph/model/model_dump.h"
#include "xml_reader.h"

namespace kinemorph::fuzz {
namespace {

constexpr std::size_t kSmall = 20;  // links of a model that is proved

std::string Rendered(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& item : diagnostics.items())
    if (item.severity == Severity::kError) text += Render(item) + "\n";
  return text;
}

// A text that can name itself, as itself and as a mesh.
class Itself : public ResourceResolver {
 public:
  explicit Itself(std::string_view text) : text_(text) {}
  std::optional<Resource> Open(std::string_view uri, std::string_view from,
                               std::string& why) const override {
    const std::optional<std::string> path = Locate(uri, from, why);
    return path ? std::optional<Resource>({*path, std::string(text_)}) : std::nullopt;
  }
  std::optional<std::string> Locate(std::string_view uri, std::string_view /*from*/,
                                    std::string& why) const override {
    if (uri.find('x') == std::string_view::npos) return std::string(uri);
    why = "not found";
    return std::nullopt;
  }

 private:
  std::string_view text_;
};

std::string Broken(const ConversionResult& result, std::string_view target) {
  for (const Diagnostic& item : result.diagnostics.items()) {
    if (item.code.rfind("internal", 0) == 0 || item.code == "verify-unreadable" ||
        item.code == "verify-failed")
      return "to " + std::string(target) + ":\n" + Rendered(result.diagnostics);
  }
  return "";
}

}  // namespace

std::string Read(std::string_view format, std::string_view text) {
  const Itself resolver(text);
  ReadOptions options;
  options.resolver = &resolver;
  options.file_name = "in";
  Diagnostics diagnostics;
  const std::optional<Model> model = ReadModel(text, FindFormat(format), options, diagnostics);
  if (model.has_value() == diagnostics.has_errors())
    return model ? "a model with errors:\n" + Rendered(diagnostics) : "refused in silence";
  if (!model) return "";
  if (DumpModel(*model).empty()) return "an empty dump";
  ConvertOptions convert;
  convert.target.format = FindFormat(format == "urdf" ? "urdf+" : format);
  Diagnostics converting;
  const std::optional<Converted> converted = Convert(*model, convert, converting);
  return converted.has_value() == converting.has_errors() ? "a text with errors, or none without"
                                                          : "";
}

std::string Parse(std::string_view text) {
  Diagnostics diagnostics;
  xml::Context context;
  context.diagnostics = &diagnostics;
  context.file_name = "in";
  const std::unique_ptr<xml::Document> document = xml::Document::Parse(text, std::move(context));
  if (!document) return diagnostics.has_errors() ? "" : "refused in silence";
  std::vector<xml::Element> open = {document->root()};
  while (!open.empty()) {
    const xml::Element element = open.back();
    open.pop_back();
    if (element.name().empty()) return "an element without a name";
    (void)element.Text();
    (void)element.Vector("xyz");
    for (const xml::Element child : element.Children()) open.push_back(child);
  }
  return "";
}

std::string Expand(std::string_view text) {
  const MemoryResolver files({{"in.xacro", std::string(text)}});
  XacroOptions options;
  options.file_name = "in.xacro";
  options.resolver = &files;
  Diagnostics diagnostics;
  const std::optional<XacroExpansion> expansion = ExpandXacro(text, options, diagnostics);
  if (!expansion) {
    for (const Diagnostic& message : diagnostics.items())
      if (message.severity == Severity::kError && message.file.empty())
        return "an error of no file";
    return diagnostics.has_errors() ? "" : "refused in silence";
  }
  const auto lines =
      static_cast<std::size_t>(std::count(expansion->text.begin(), expansion->text.end(), '\n'));
  if (expansion->lines.size() < lines) return "a line of no place";
  for (const XacroPlace& place : expansion->lines)
    if (place.file >= expansion->files.size() || place.call >= expansion->calls.size())
      return "a place that is none";
  return Parse(expansion->text);
}

std::string RoundTrip(std::string_view text) {
  for (const std::string_view target : {"urdf", "urdf+", "sdf", "mjcf", "mbs", "usda"}) {
    ConversionRequest request;
    request.to = target;
    const ConversionResult plain = test::ConvertText(std::string(text), request);
    if (std::string broken = Broken(plain, target); !broken.empty()) return broken;
    if (plain.source.links == 0 && plain.source.joints == 0 && plain.source.format.empty())
      return "";  // no format, or errors
    if (plain.end != ConversionEnd::kDone) continue;
    Diagnostics reading;
    const std::optional<Model> read = ReadModel(plain.files.text, FindFormat(target), {}, reading);
    if (!read)
      return "what was written as " + std::string(target) + " is not read:\n" + Rendered(reading);
    const ConversionResult again = test::ConvertText(plain.files.text, request);
    if (std::string broken = Broken(again, target); !broken.empty()) return "again " + broken;
    if (again.end != ConversionEnd::kDone)
      return "what was written as " + std::string(target) + " is not written again:\n" +
             Rendered(again.diagnostics);
    if (plain.source.links > kSmall) continue;
    request.verify = true;
    if (std::string broken = Broken(test::ConvertText(std::string(text), request), target);
        !broken.empty())
      return "proof " + broken;
  }
  return "";
}

}  // namespace kinemorph::fuzz

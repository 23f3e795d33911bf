#include <algorithm>
#include <cmath>

#include "leftovers.h"
#include "mbs.h"
#include "mbs_file.h"
#include "missing_files.h"
#include "read/build_model.h"
#include "xml_reader.h"

namespace kinemorph {
namespace {

// The source's spelling of colours, where they are held between 0 and 255, says what was read.
void HoldColours(NativeElement& element) {
  if (element.name == "color" || element.name == "specularColor")
    for (auto& [channel, value] : element.attributes)
      if (const auto number = xml::ParseNumber(value); number && !std::isnan(*number))
        value = std::to_string(static_cast<int>(std::clamp(*number, 0.0, 255.0)));
  for (NativeElement& child : element.children) HoldColours(child);
}

std::optional<Model> Read(std::string_view text, const ReadOptions& options,
                          Diagnostics& diagnostics, xml::Asked* asked) {
  const auto document = xml::Document::Parse(text, {.diagnostics = &diagnostics,
                                                    .file_name = options.file_name,
                                                    .file = 0,
                                                    .format = "mbs",
                                                    .asked = asked});
  if (!document) return std::nullopt;
  const xml::Element root = document->root();
  if (root.name() != "mbsDescR7") {
    root.Error("wrong-root", "'" + std::string(root.name()) +
                                 "' is not the root element of an MBS file, expected 'mbsDescR7'");
    return std::nullopt;
  }
  const mbs::MbsFile file = mbs::ParseFile(root);
  Model model = mbs::BuildModel(file, document->context()).model;
  model.files = {options.file_name};
  // The whole tree is kept, too: the writer takes from it what only the editor reads.
  NativeElement tree = root.Tree();
  HoldColours(tree);
  model.native.push_back({"mbs", "diagram", std::move(tree), root.where()});
  if (asked) return model;
  xml::MissingFiles missing(options);
  missing.LookForAll(model);
  missing.Report(model, diagnostics);
  // Leftovers are elements that nobody asked for; to know them the file is read once more with the
  // names that were asked noted down.
  xml::Leftovers leftovers(model.native, [&](xml::Asked& names) {
    Diagnostics said;
    static_cast<void>(Read(text, options, said, &names));
  });
  leftovers.Add(*document);
  return model;
}

}  // namespace

std::optional<Model> ReadMbs(std::string_view text, const ReadOptions& options,
                             Diagnostics& diagnostics) {
  return Read(text, options, diagnostics, nullptr);
}

}  // namespace kinemorph

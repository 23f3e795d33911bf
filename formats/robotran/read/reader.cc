#include <algorithm>
#include <iterator>

#include "kinemorph/graph/base/number.h"
#include "leftovers.h"
#include "mbs.h"
#include "mbs_file.h"
#include "missing_files.h"
#include "read/build_model.h"
#include "xml_reader.h"

namespace kinemorph {
namespace {

// The root element as written, without declaration and what surrounds it.
std::string_view RootText(std::string_view text) {
  const std::size_t start = text.find("<mbsDescR7"), end = text.rfind('>');
  return start == std::string_view::npos || end == std::string_view::npos || end < start
             ? ""
             : text.substr(start, end - start + 1);
}

bool SaysNothingWhenZero(std::string_view tag) {
  constexpr std::string_view kTags[] = {"q",   "qd",  "qdd", "mass", "Ixx", "Ixy", "Ixz",
                                        "Iyy", "Iyz", "Izz", "x",    "y",   "z"};
  return std::find(std::begin(kTags), std::end(kTags), tag) != std::end(kTags);
}

// The first piece of well-formed XML: a tag, a comment, or what stands between them.
std::string_view Token(std::string_view text) {
  const auto through = [&](std::string_view end) {
    return text.substr(0, std::min(text.find(end), text.size() - end.size()) + end.size());
  };
  if (text.front() != '<') return text.substr(0, text.find('<'));
  if (text.starts_with("<!--")) return through("-->");
  if (text.starts_with("<![CDATA[")) return through("]]>");
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && c == '>') return text.substr(0, i + 1);
    if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (c == quote)
      quote = 0;
  }
  return text;
}

// Zeros that mean no more than their absence, and what holds nothing but them, are left out:
// whoever writes them and whoever does not mean the same file.
std::string WithoutZeros(std::string_view text) {
  struct Open {
    std::size_t at, inside;  // in what is kept: where the tag begins, where its content
    std::string_view name;   // with its attributes
    bool lost = false;
  };
  std::vector<Open> open;
  std::string kept;
  kept.reserve(text.size());
  while (!text.empty()) {
    const std::string_view token = Token(text);
    text.remove_prefix(token.size());
    if (token.starts_with("</") && !open.empty()) {
      const Open element = open.back();
      open.pop_back();
      const std::string_view content = xml::Trimmed(std::string_view(kept).substr(element.inside));
      double value = 1;
      const char* end = content.data() + content.size();
      const bool zero = SaysNothingWhenZero(element.name) &&
                        ParseDouble(content.data(), end, value).ptr == end && value == 0;
      if (zero || (element.lost && content.empty())) {
        kept.resize(element.at);
        if (!open.empty()) open.back().lost = true;
        continue;
      }
    }
    const std::size_t at = kept.size();
    kept += token;
    if (token.front() == '<' && token[1] != '/' && token[1] != '!' && token[1] != '?' &&
        !token.ends_with("/>"))
      open.push_back({at, kept.size(), token.substr(1, token.size() - 2)});
  }
  return kept;
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
  model.native.push_back({"mbs", "diagram", WithoutZeros(RootText(text)), root.where()});
  if (asked) return model;
  xml::MissingFiles missing(options);
  missing.LookForAll(model);
  missing.Report(model, diagnostics);
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

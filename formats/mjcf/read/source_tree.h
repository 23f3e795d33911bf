// The documents of one MJCF model with <include> resolved: children of an element, whatever file
// they stand in.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kinemorph/formats/format.h"
#include "xml_reader.h"

namespace kinemorph::mjcf {

/// Owns the main document and every included one. An <include> stands for the children of the
/// included file's root.
class SourceTree {
 public:
  /// Parses `text` and all it includes (at most 64 deep, no file twice). Files go to `files`. False
  /// when the main text is refused. `asked` may be null (xml::Context).
  [[nodiscard]] bool Load(std::string_view text, const ReadOptions& options,
                          std::vector<std::string>& files, Diagnostics& diagnostics,
                          xml::Asked* asked);

  [[nodiscard]] xml::Element root() const { return documents_.front()->root(); }
  /// The child elements of `parent` in order, includes expanded. Includes are consumed, the
  /// children are not.
  [[nodiscard]] std::vector<xml::Element> Children(const xml::Element& parent) const;
  /// The name of the file an element stands in, for relative uris.
  [[nodiscard]] static const std::string& FileOf(const xml::Element& element) {
    return element.context().file_name;
  }
  [[nodiscard]] const std::vector<std::unique_ptr<xml::Document>>& documents() const {
    return documents_;
  }

 private:
  struct Pending;
  void Include(const xml::Element& include, const ReadOptions& options, std::size_t depth,
               std::vector<std::string>& files, Diagnostics& diagnostics,
               std::vector<Pending>& pending);
  void AddChildren(const xml::Element& parent, std::vector<xml::Element>& children) const;

  std::vector<std::unique_ptr<xml::Document>> documents_;
  xml::Asked* asked_ = nullptr;
  std::string main_path_;
  std::vector<std::pair<xml::Element, const xml::Document*>>
      included_;  // <include> element, its document
};

}  // namespace kinemorph::mjcf

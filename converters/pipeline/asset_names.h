// How the target calls the files of meshes and textures, and what they are called in the source.
#pragma once

#include <map>
#include <string>
#include <unordered_map>

#include "kinemorph/converters/conversion.h"

namespace kinemorph {

/// Of one conversion. As a resolver it finds files by their names in the target, and before they
/// have those by their names in the source.
class AssetNames : public ResourceResolver {
 public:
  explicit AssetNames(const ConversionRequest& request) : request_(request) {}

  /// Takes the meshes that the source held itself, which get their names in the target here.
  void Hold(Model& model);
  /// Those of them that the model still has, as files beside the target.
  [[nodiscard]] std::vector<SideFile> Held(const Model& model) const;
  /// What the passes ask for a mesh that the target cannot open; none where nobody converts.
  [[nodiscard]] MeshConverter Converter();
  /// Gives every file its name in the target.
  void Rename(Model& model, const TargetTraits& target);
  /// What files that have another name now are called in the source, by their name in the target.
  [[nodiscard]] const std::multimap<std::string, std::string>& renamed() const { return renamed_; }

  [[nodiscard]] std::optional<Resource> Open(std::string_view uri, std::string_view from,
                                             std::string& why) const override;
  [[nodiscard]] std::optional<Resource> OpenStart(std::string_view uri, std::string_view from,
                                                  std::string& why) const override;
  [[nodiscard]] std::optional<std::string> Locate(std::string_view uri, std::string_view from,
                                                  std::string& why) const override;

 private:
  [[nodiscard]] std::string NameInSource(std::string_view uri, std::string& why) const;

  const ConversionRequest& request_;
  bool named_ = false;                                      ///< Rename was called
  std::unordered_map<std::string, std::string> source_of_;  ///< by name in the target
  std::unordered_map<std::string, SideFile> made_;          ///< by name in the target
  std::multimap<std::string, std::string> renamed_;  ///< of the source, by name in the target
};

/// A file that a conversion made stands in the model under its name behind this, so that nobody
/// takes it for one of the source.
inline constexpr std::string_view kMadeHere = "converted://";

}  // namespace kinemorph

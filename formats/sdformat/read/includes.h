// Opens the files that <include> names, once each, and guards against cycles and floods.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "sdf_model/description.h"

namespace kinemorph::sdformat {

/// A model of the public collection that a uri names; no name: it names none.
struct FuelModel {
  std::string server, owner, name, version;
};

class Includes {
 public:
  Includes(const ReadOptions& options, Diagnostics& diagnostics, xml::Asked* asked,
           Description& out)
      : options_(options), diagnostics_(diagnostics), asked_(asked), out_(out) {}

  enum class Outcome { kOpened, kRemote, kFailed };
  struct Opened {
    Outcome outcome = Outcome::kFailed;
    xml::Element root;  ///< <sdf> of the file
    std::string path;
    Version version;
  };
  /// Opens what `uri` of the element `include` means. `from` is the file that includes. Failures
  /// are reported.
  [[nodiscard]] Opened Open(const xml::Element& include, const std::string& uri,
                            const std::string& from);

  /// Files being read, outermost first: an include of one of them is a cycle.
  std::vector<std::string> stack;

  /// Parses `text` as the next file; the root element, or nothing after reporting.
  [[nodiscard]] xml::Element Parse(std::string_view text, const std::string& path);

 private:
  [[nodiscard]] std::optional<Resource> Find(const std::string& uri, const std::string& from,
                                             std::string& why);
  [[nodiscard]] std::optional<Resource> FindAny(const std::string& uri, const std::string& from,
                                                std::string& why);
  [[nodiscard]] std::string ChosenFile(const Resource& config);
  [[nodiscard]] bool MayOpen(const xml::Element& include, const std::string& uri);
  static void KeepRemote(const xml::Element& include, const std::string& uri);
  [[nodiscard]] std::optional<Resource> Locate(const xml::Element& include, const std::string& uri,
                                               const std::string& local, const std::string& from);
  [[nodiscard]] xml::Element RootOf(const xml::Element& include, const std::string& uri,
                                    const Resource& resource);
  [[nodiscard]] std::string LocalFuelModel(const FuelModel& fuel, const std::string& from);

  const ReadOptions& options_;
  Diagnostics& diagnostics_;
  xml::Asked* asked_;
  Description& out_;
  struct Known {
    xml::Element root;
    std::size_t weight;  ///< of memory that each include of it takes
  };
  std::map<std::string, Known> roots_;  // by path
  std::map<std::array<std::string, 5>, std::string>
      fuel_places_;  // by server, owner, name, version and the file that asks
  std::size_t opened_ = 0;
  std::size_t repeated_ = 0;  // weight of files that were included before
};

/// The version attribute of <sdf>; missing, malformed and unknown ones are reported and taken as
/// the nearest known version.
[[nodiscard]] Version ReadVersion(const xml::Element& root);

}  // namespace kinemorph::sdformat

// The files of a stage: each is opened once, through the one resolver, and parsed.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crate/crate.h"
#include "kinemorph/formats/format.h"
#include "read/layer.h"

namespace kinemorph::usd {

/// The number of a layer in Layers.
using LayerId = std::uint32_t;

/// Whether USD opens a file of that name as a layer.
[[nodiscard]] bool IsLayerName(std::string_view file);

/// All layers that were opened, in whatever form. What is wrong with the bytes of one is an error of
/// `report`, and `why` stays empty then; that there is none is for who asks.
class Layers {
 public:
  /// `report` gets a source for each layer.
  Layers(const ReadOptions& options, Reporter& report) : options_(options), report_(report) {}

  /// The main file, which has the number 0. Its bytes must outlive the layers.
  [[nodiscard]] bool AddMain(std::string_view bytes);
  /// The layer that `file` means in the layer `from`; nothing, and why, where there is none.
  [[nodiscard]] std::optional<LayerId> Open(const std::string& file, LayerId from,
                                            std::string& why);
  /// A layer and its sublayers, the strongest first.
  [[nodiscard]] const std::vector<LayerId>& StackOf(LayerId layer);
  /// A file that a layer names, as the main file would name it.
  [[nodiscard]] std::string Seen(const std::string& file, LayerId from) const;

  [[nodiscard]] const Layer& operator[](LayerId id) const { return layers_[id].layer; }
  /// Bytes of all layers, as text.
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct OpenedPackage {
    std::string path;    // for messages
    std::string folder;  // as the main file would name it
    Package content;
  };
  struct Place {
    std::string path;                        // for messages
    std::string name;                        // as the main file would name it
    const OpenedPackage* package = nullptr;  // where it lies in one
  };
  struct Opened {
    Place place;
    std::string text;  // of a binary one
    Layer layer;
  };
  std::optional<LayerId> Add(std::string_view bytes, const Place& place, std::string_view entry,
                             std::string& why);
  std::optional<LayerId> AddEntry(const OpenedPackage& package, std::string_view entry,
                                  std::string& why);
  std::optional<LayerId> AddLayer(std::string_view bytes, const Place& place);
  std::optional<LayerId> OpenInPackage(const std::string& file, const Place& from,
                                       std::string& why);
  void AddToStack(LayerId layer, std::vector<LayerId>& stack, std::vector<LayerId>& open);

  const ReadOptions& options_;
  Reporter& report_;
  std::deque<Opened> layers_;  // they do not move: views lead into their texts
  std::deque<std::string> bytes_;
  std::deque<OpenedPackage> packages_;
  std::map<std::string, LayerId> by_path_;
  std::map<LayerId, std::vector<LayerId>> stacks_;
  std::uint64_t binary_ = 0, made_ = 0;  // bytes of crates, and of what was made of them
  std::size_t size_ = 0;
  std::uint32_t next_line_ = 0;
};

}  // namespace kinemorph::usd

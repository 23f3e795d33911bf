#include "compose/layers.h"

#include <algorithm>

#include "characters.h"
#include "kinemorph/formats/lfs_pointer.h"
#include "kinemorph/graph/base/text.h"
#include "read/values.h"

namespace kinemorph::usd {
namespace {

constexpr std::size_t kMostLayers = 1000;
constexpr std::size_t kMostLayerBytes = 2'000'000'000;  // as text
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// With the last slash.
std::string FolderOf(std::string_view file) {
  const std::size_t slash = file.find_last_of('/');
  return slash == std::string_view::npos ? "" : std::string(file.substr(0, slash + 1));
}

// "a/./b/../c" is "a/c"; leading ".." stay.
std::string Collapsed(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    at = end + 1;
    if (part == ".." && !parts.empty() && !parts.back().empty() && parts.back() != "..")
      parts.pop_back();
    else if (part != ".")
      parts.push_back(part);
  }
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) out.append(i == 0 ? "" : "/").append(parts[i]);
  return out;
}

// Binary forms are damaged, or of another version; OpenUSD may know more of them.
void RefuseBinary(const Reporter& report, const Decoding& decoding, const char* form) {
  const Source& source = report.sources.back();
  report
      .Say(Severity::kError, "usd-binary", source.first,
           {"", source.file,
            "is " + std::string(form) + " that cannot be read: byte " +
                std::to_string(decoding.at) + ": " + decoding.fault})
      .notes.push_back("OpenUSD makes text of it: " + FlattenCommand(source.file));
}

// Names and text go into files of other formats, which must be readable. Also within comments and
// strings: their text may end up in a report.
bool IsReadable(std::string_view text, const Reporter& report) {
  bool control = false;
  const std::size_t bad = xml::FirstBadByte(text, control);
  if (bad == std::string_view::npos) return true;
  const Source& source = report.sources.back();
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(bad), '\n');
  report.Say(Severity::kError, "usd-syntax", source.first + static_cast<std::uint32_t>(line),
             {"", source.file,
              control ? "has a control character; remove the character"
                      : "is not valid UTF-8; save the file as UTF-8"});
  return false;
}

// Its root layer is there, and names are text.
bool IsSound(const std::optional<Package>& package, Decoding& decoding) {
  if (!package) return false;
  bool control = true;
  for (const PackageFile& file : package->files)
    if (xml::FirstBadByte(file.name, control) != std::string_view::npos)
      return decoding.Fail(0, "the name of a file in it is not text");
  const PackageFile& root = package->files.front();
  return IsCrate(root.bytes) || root.bytes.starts_with("#usda ") ||
         decoding.Fail(0, "its first file '" + std::string(root.name) + "' is not a layer of USD");
}

}  // namespace

bool IsLayerName(std::string_view file) {
  return file.ends_with(']') || ExtensionOf(file).starts_with(".usd");
}

// An address and an absolute path are the same from everywhere.
std::string Layers::Seen(const std::string& file, LayerId from) const {
  const std::string folder = FolderOf(layers_[from].place.name);
  if (folder.empty() || file.empty() || file[0] == '/' || file.find("://") != std::string::npos)
    return file;
  return Collapsed(folder + file);
}

bool Layers::AddMain(std::string_view bytes) {
  std::string why;
  if (!Add(bytes, {report_.file, "", nullptr}, "", why)) return false;
  if (packages_.empty()) return true;
  const std::vector<PackageFile>& files = packages_.front().content.files;
  const auto others = std::count_if(
      files.begin(), files.end(), [](const PackageFile& file) { return !IsLayerName(file.name); });
  if (others > 0)
    report_
        .Say(Severity::kNote, "usd-package", 0,
             {"", report_.file,
              "its layers are read, its other files (" + std::to_string(others) + ") are not"})
        .notes.push_back("if the robot needs these files, unpack them: unzip " + report_.file);
  return true;
}

// A layer in whatever form; of a package the file that is named, or its root layer.
std::optional<LayerId> Layers::Add(std::string_view bytes, const Place& place,
                                   std::string_view entry, std::string& why) {
  if (!IsPackage(bytes)) return AddLayer(bytes, place);
  Decoding decoding(bytes);
  std::optional<Package> content = OpenPackage(decoding);
  if (!IsSound(content, decoding)) {
    report_.sources.push_back({place.path, next_line_});
    RefuseBinary(report_, decoding, "a package (.usdz)");
    return std::nullopt;
  }
  packages_.push_back({place.path, FolderOf(place.name), std::move(*content)});
  const OpenedPackage& package = packages_.back();
  if (!entry.empty()) return AddEntry(package, entry, why);
  const PackageFile& root = package.content.files.front();
  const auto layer =
      AddLayer(root.bytes, {place.path, package.folder + std::string(root.name), &package});
  if (layer) by_path_.emplace(package.path + "[" + std::string(root.name) + "]", *layer);
  return layer;
}

std::optional<LayerId> Layers::AddEntry(const OpenedPackage& package, std::string_view entry,
                                        std::string& why) {
  const std::string path = package.path + "[" + std::string(entry) + "]";
  if (const auto known = by_path_.find(path); known != by_path_.end()) return known->second;
  const PackageFile* const file = package.content.Find(entry);
  if (file == nullptr || IsPackage(file->bytes)) {
    why = file == nullptr ? "not found in the package" : "packages in packages are not opened";
    return std::nullopt;
  }
  const auto layer = AddLayer(file->bytes, {path, package.folder + std::string(entry), &package});
  if (layer) by_path_.emplace(path, *layer);
  return layer;
}

// Its text, parsed.
std::optional<LayerId> Layers::AddLayer(std::string_view bytes, const Place& place) {
  report_.sources.push_back({place.path, next_line_});
  layers_.push_back({place, "", {}});
  Opened& opened = layers_.back();
  if (IsCrate(bytes)) {
    report_.sources.back().lines = false;
    Decoding decoding(bytes, binary_, made_);
    const std::uint64_t free = decoding.left;
    std::optional<std::string> text = TextOfCrate(decoding);
    if (!text) {
      RefuseBinary(report_, decoding, "binary USD (.usdc)");
      return std::nullopt;
    }
    binary_ += bytes.size(), made_ += free - decoding.left;
    opened.text = std::move(*text);
    bytes = opened.text;
  }
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  if (!bytes.starts_with("#usda ")) {
    report_.Say(Severity::kError, "usd-syntax", next_line_ + 1,
                {"", place.path, "does not begin with '#usda 1.0'"});
    return std::nullopt;
  }
  if (!IsReadable(bytes, report_)) return std::nullopt;
  std::optional<Layer> parsed = ParseLayer(bytes, report_);
  if (!parsed) return std::nullopt;
  opened.layer = std::move(*parsed);
  size_ += bytes.size();
  next_line_ += 2 + static_cast<std::uint32_t>(std::count(bytes.begin(), bytes.end(), '\n'));
  return static_cast<LayerId>(layers_.size() - 1);
}

std::optional<LayerId> Layers::Open(const std::string& file, LayerId from, std::string& why) {
  why.clear();
  if (layers_.size() >= kMostLayers || size_ > kMostLayerBytes) {
    why = "the stage has more than 1000 layers, or more than 2 GB of them";
    return std::nullopt;
  }
  if (layers_[from].place.package != nullptr) return OpenInPackage(file, layers_[from].place, why);
  // "p.usdz[dir/a.usdc]"
  const std::size_t inner = file.ends_with(']') ? file.find('[') : std::string::npos;
  const std::string entry =
      inner == std::string::npos ? "" : file.substr(inner + 1, file.size() - inner - 2);
  const std::string name = Seen(file.substr(0, inner), from);
  const std::optional<std::string> path =
      options_.resolver == nullptr ? std::nullopt
                                   : options_.resolver->Locate(name, options_.file_name, why);
  if (!path) {
    if (why.empty()) why = options_.resolver ? "not found" : "no files can be opened here";
    return std::nullopt;
  }
  const std::string address = entry.empty() ? *path : *path + "[" + entry + "]";
  if (const auto known = by_path_.find(address); known != by_path_.end()) return known->second;
  std::optional<Resource> found = options_.resolver->Open(name, options_.file_name, why);
  if (!found) return std::nullopt;
  if (IsLfsPointer(found->content)) {
    why = "it is a Git LFS pointer and holds no layer: run \"git lfs pull\" in its repository";
    return std::nullopt;
  }
  bytes_.push_back(std::move(found->content));
  const auto layer = Add(bytes_.back(), {*path, name, nullptr}, entry, why);
  if (layer) by_path_.emplace(address, *layer);
  return layer;
}

// Beside the layer, else from the root of the package.
std::optional<LayerId> Layers::OpenInPackage(const std::string& file, const Place& from,
                                             std::string& why) {
  const OpenedPackage& package = *from.package;
  const std::string own = from.name.substr(package.folder.size());
  const std::string beside = Collapsed(FolderOf(own) + file);
  return AddEntry(package, package.content.Find(beside) != nullptr ? beside : Collapsed(file), why);
}

const std::vector<LayerId>& Layers::StackOf(LayerId layer) {
  const auto [known, fresh] = stacks_.try_emplace(layer);
  if (fresh) {
    std::vector<LayerId> open;
    AddToStack(layer, known->second, open);
  }
  return known->second;
}

// What a layer names is weaker than itself, and the first of these is the strongest.
void Layers::AddToStack(LayerId layer, std::vector<LayerId>& stack, std::vector<LayerId>& open) {
  stack.push_back(layer), open.push_back(layer);
  for (const Edit& said : layers_[layer].layer.edits) {
    const auto refuse = [&](const std::string& what) -> Diagnostic& {
      return report_.Say(Severity::kError, "usd-arcs", said.line,
                         {"the layer", "'" + std::string(said.field) + "' " + what});
    };
    if (said.field == "relocates") {
      refuse("moves prims, which kinemorph does not compose")
          .notes.push_back("one text of the whole stage: " + FlattenCommand(report_.file));
      continue;
    }
    for (const AssetName& asset : AssetsIn(said.value)) {
      std::string why;
      const std::optional<LayerId> weaker = Open(asset.file, layer, why);
      const auto has = [&](const std::vector<LayerId>& list) {
        return std::find(list.begin(), list.end(), *weaker) != list.end();
      };
      if (!weaker && !why.empty())
        refuse("names '" + asset.file + "', which cannot be read: " + why);
      else if (weaker && has(open))
        refuse("names '" + asset.file + "', of which this layer is a sublayer itself");
      else if (weaker && !has(stack))
        AddToStack(*weaker, stack, open);
    }
  }
  open.pop_back();
}

}  // namespace kinemorph::usd

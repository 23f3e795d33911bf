#include "assets.h"

#include <filesystem>
#include <unordered_map>

namespace kinemorph::tools {
namespace {

namespace fs = std::filesystem;

class Rebase {
 public:
  Rebase(const std::string& in, const std::string& out, const ResourceResolver& resolver,
         bool plain_files)
      : in_(in), resolver_(resolver), plain_files_(plain_files) {
    std::error_code error;
    folder_ = fs::weakly_canonical(fs::absolute(out, error).parent_path(), error);
    same_folder_ = folder_ == fs::weakly_canonical(fs::absolute(in, error).parent_path(), error);
  }

  void operator()(std::string& file) {
    const bool address = file.find("://") != std::string::npos;
    if (file.empty() || fs::path(file).is_absolute() || (address ? !plain_files_ : same_folder_))
      return;
    const auto [known, fresh] = known_.emplace(file, file);
    if (fresh) {
      std::string why;
      const auto found = resolver_.Locate(file, in_, why);
      if (found) known->second = fs::path(*found).lexically_relative(folder_).generic_string();
    }
    file = known->second;
  }

 private:
  std::string in_;
  const ResourceResolver& resolver_;
  bool plain_files_, same_folder_ = false;
  fs::path folder_;
  std::unordered_map<std::string, std::string> known_;
};

}  // namespace

void RebaseAssets(Model& model, const std::string& in, const std::string& out,
                  const ResourceResolver& resolver, bool plain_files) {
  Rebase rebase(in, out, resolver, plain_files);
  const auto rebase_shape = [&](Shape& shape) {
    if (auto* mesh = std::get_if<Mesh>(&shape)) rebase(mesh->uri);
  };
  for (std::uint32_t v = 0; v < model.num_links(); ++v) {
    Link& link = model.link(LinkId{v});
    for (Collision& collision : link.collisions) rebase_shape(collision.shape);
    for (Visual& visual : link.visuals) {
      rebase_shape(visual.shape);
      if (visual.material && visual.material->texture) rebase(*visual.material->texture);
    }
  }
}

}  // namespace kinemorph::tools

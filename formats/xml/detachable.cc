#include "detachable.h"

#include <cctype>

namespace kinemorph::xml {

// The plugin gz::sim::systems::DetachableJoint as a way to write a loop: it welds two links when
// the simulation starts, and has three topics: to undo the weld, to make it again, and to tell its
// state.

namespace {

// A part of the name of a topic: letters, digits and underscores are legal in all of them.
std::string TopicPart(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

constexpr std::string_view kBegin = "/model/", kPlugin = "/detachable_joint/";

}  // namespace

bool IsWeldTopic(std::string_view topic) {
  // Recognised by its shape, not by its names: links and models may have been renamed since it was
  // written.
  const std::size_t plugin = topic.find(kPlugin);
  return topic.starts_with(kBegin) && plugin != topic.npos &&
         topic.find('/', plugin + kPlugin.size()) != topic.npos;
}

void WriteWeld(Writer& out, const std::string& model, const std::string& name,
               const std::string& parent_link, const std::string& child_link) {
  out.Open("plugin").Attribute("filename", kDetachableFile).Attribute("name", kDetachable);
  out.Leaf("parent_link", parent_link).Leaf("child_model", std::string(kOwnModel));
  out.Leaf("child_link", child_link);
  // By default all welds of a model have the same topics, and one message would undo all of them.
  if (!name.empty()) {
    const std::string topic =
        std::string(kBegin) + TopicPart(model) + std::string(kPlugin) + TopicPart(name) + "/";
    out.Leaf("detach_topic", topic + "detach");
    out.Leaf("attach_topic", topic + "attach");
    out.Leaf("output_topic", topic + "state");
  }
  out.Close();
}

}  // namespace kinemorph::xml

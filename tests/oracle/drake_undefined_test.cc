// Drake stops at elements that SDFormat does not define where they stand, and such elements are not
// written for it. What libsdformat's own description of the format defines is.
#include <gtest/gtest.h>

#ifdef KINEMORPH_LIBSDFORMAT
#include <sdf/sdf.hh>
#endif

#include <functional>

#include "kinemorph/formats/formats.h"

namespace kinemorph::test {
namespace {

#ifdef KINEMORPH_LIBSDFORMAT
// An element with one of each child that it may have.
NativeElement Whole(const sdf::ElementPtr& described) {
  NativeElement whole;
  whole.name = described->GetName();
  const bool recursive = whole.name == "model" || whole.name == "plugin";
  for (unsigned int i = 0; !recursive && i < described->GetElementDescriptionCount(); ++i)
    whole.children.push_back(Whole(described->GetElementDescription(i)));
  if (whole.children.empty()) whole.text = "1";
  return whole;
}
#endif

TEST(DrakeUndefined, WhatSdformatDefinesIsWritten) {
#ifdef KINEMORPH_LIBSDFORMAT
  sdf::SDFPtr schema(new sdf::SDF());
  ASSERT_TRUE(sdf::init(schema));
  const auto below = [](sdf::ElementPtr element, std::initializer_list<const char*> path) {
    for (const char* const name : path) element = element->GetElementDescription(name);
    return element;
  };
  std::string version = "1.9";
  const Format& sdf_format = *FindFormat("sdf", version);
  WriteOptions drake;
  drake.profile = "drake";
  Model model;
  Joint tree;
  const auto refused = [&](const NativeElement& content) {
    NativeData native;
    native.format = "sdf", native.element = content.name, native.content = content;
    return sdf_format.refuses(model, native, &tree, drake);
  };
  const sdf::ElementPtr link = below(schema->Root(), {"model", "link"});
  ASSERT_NE(link, nullptr);
  // What nobody defined is seen wherever it stands.
  const std::function<void(NativeElement&, NativeElement&, const std::string&)> spoil =
      [&](NativeElement& whole, NativeElement& part, const std::string& path) {
        if (part.children.empty()) return;
        for (NativeElement& child : part.children) spoil(whole, child, path + "/" + child.name);
        part.Add("unheard_of");
        EXPECT_NE(refused(whole), "") << path;
        part.children.pop_back();
      };
  int looked_at = 0;
  for (const auto& path : std::initializer_list<std::initializer_list<const char*>>{
           {"sensor"},
           {"light"},
           {"battery"},
           {"audio_source"},
           {"velocity_decay"},
           {"visual", "meta"},
           {"projector"},
           {"particle_emitter"},
           {"collision", "surface"},
           {"visual", "material"},
           {"visual", "material", "pbr"},
           {"visual", "material", "shader"}}) {
    const sdf::ElementPtr described = below(link, path);
    ASSERT_NE(described, nullptr);
    const NativeElement whole = Whole(described);
    EXPECT_EQ(refused(whole), "") << whole.name;
    NativeElement more = whole;
    spoil(more, more, more.name);
    ++looked_at;
  }
  EXPECT_EQ(refused(Whole(below(schema->Root(), {"model", "joint", "physics"}))), "");
  EXPECT_EQ(looked_at, 12);
#else
  GTEST_SKIP() << "libsdformat is not installed";
#endif
}

}  // namespace
}  // namespace kinemorph::test

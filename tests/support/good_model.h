// A model from a text that has no error.
#pragma once

#include <gtest/gtest.h>

#include "conversion.h"

namespace kinemorph::test {

/// The model; an empty one, and a failure, where the text has an error.
inline Model GoodModel(const std::string& text, const std::string& file) {
  Diagnostics said;
  std::optional<Model> model = ReadText(text, file, said);
  EXPECT_TRUE(model) << Rendered(said) << text;
  return model ? *model : Model();
}

}  // namespace kinemorph::test

// Who has which name, and what one more is called.
#include "kinemorph/graph/base/unique_names.h"

#include <gtest/gtest.h>

namespace kinemorph {
namespace {

TEST(UniqueNames, WhatIsTakenIsNumberedFromTwo) {
  UniqueNames names;
  EXPECT_TRUE(names.Add("leg_2"));
  EXPECT_FALSE(names.Add("leg_2"));
  EXPECT_EQ(names.Take("leg"), "leg");
  EXPECT_EQ(names.Take("leg"), "leg_3");
  EXPECT_EQ(names.Take("leg"), "leg_4");
  EXPECT_EQ(names.Take("leg_3"), "leg_3_2");
  EXPECT_EQ(names.Take(""), "");
  EXPECT_EQ(names.Take(""), "");
  EXPECT_TRUE(names.Has("leg_4"));
  EXPECT_FALSE(names.Has("leg_5"));
}

TEST(UniqueNames, MadeUpNamesAreNumberedFromOne) {
  UniqueNames names;
  EXPECT_TRUE(names.Add("joint_2"));
  EXPECT_EQ(names.TakeNumbered("joint"), "joint_1");
  EXPECT_EQ(names.TakeNumbered("joint"), "joint_3");
  EXPECT_FALSE(names.Has("joint"));
}

}  // namespace
}  // namespace kinemorph

// Ratios that take the pixels of a nearest-neighbour resize become one; others stay.
#include <gmock/gmock.h>

#include "tests/compiler/pass_check.h"

namespace presil::passes {
namespace {

std::string resized(const std::string& attributes, const std::string& y,
                    const std::string& type = "int8") {
  return R"(graph "g" tosa {
    input %x : int8[1,5,7,3] q(1, -121)
    %y = resize_by_ratio(%x) {)" +
         attributes + "} : " + type + y + (type == "int8" ? " q(1, -121)" : "") + R"(
    output %y
  })";
}

ir::Resize resize_of(const std::string& text) {
  const ir::Graph g = rewritten(ratio_to_nearest, text, 1);
  EXPECT_EQ(g.ops.at(0).kind, ir::OpKind::kResizeNearest);
  return g.ops.at(0).as<ir::Resize>();
}

// What converters make of an upsampling by 2: centres of pixels half a row apart.
TEST(RatioToNearest, twice_the_size_by_centres) {
  const ir::Resize r = resize_of(
      resized("scale=[4,2,4,2], offset=[-1,-1], border=[1,1], nearest=true", "[1,10,14,3]"));
  EXPECT_FALSE(r.align_corners);
  EXPECT_FALSE(r.half_pixel_centers);
}

TEST(RatioToNearest, rows_and_columns_by_other_numbers) {
  resize_of(resized("scale=[6,2,2,2], offset=[-2,0], border=[2,0], nearest=true", "[1,15,7,3]"));
}

// 5 rows to 9: 0, 1/2, 1, .. of which halves are the later one's.
TEST(RatioToNearest, corners_on_corners) {
  const ir::Resize r =
      resize_of(resized("scale=[2,1,2,1], offset=[0,0], border=[0,0], nearest=true", "[1,9,13,3]"));
  EXPECT_TRUE(r.align_corners);
}

TEST(RatioToNearest, other_pixels_stay) {
  rewritten(ratio_to_nearest,
            resized("scale=[4,2,4,2], offset=[0,0], border=[2,2], nearest=true", "[1,10,14,3]"), 0);
  rewritten(ratio_to_nearest,
            resized("scale=[4,2,4,2], offset=[-1,-1], border=[1,1]", "[1,10,14,3]", "int32"), 0);
}

}  // namespace
}  // namespace presil::passes

// Blocks of pixels between space, channels and batch, worked out by hand.
#include <gtest/gtest.h>

#include "tests/reference/values.h"

namespace presil::reference {
namespace {

TEST(SpaceToDepth, a_block_s_pixels_lie_row_by_row_in_the_channels) {
  // Two rows of four pixels of two channels: pixel (y, x) is 10 * y + x, and the same + 100.
  EXPECT_EQ(run_int8("tflite", {"int8[1,2,4,2] q(0.5, 3)"},
                     "%y = space_to_depth(%x0) {block=2} : int8[1,1,2,8] q(0.5, 3)",
                     {{0, 100, 1, 101, 2, 102, 3, 103, 10, 110, 11, 111, 12, 112, 13, 113}}),
            (Ints{0, 100, 1, 101, 10, 110, 11, 111, 2, 102, 3, 103, 12, 112, 13, 113}));
}

TEST(DepthToSpace, is_the_way_back) {
  EXPECT_EQ(run_int8("xnnpack", {"int8[1,1,2,8] q(0.5, 3)"},
                     "%y = depth_to_space(%x0) {block=2} : int8[1,2,4,2] q(0.5, 3)",
                     {{0, 100, 1, 101, 10, 110, 11, 111, 2, 102, 3, 103, 12, 112, 13, 113}}),
            (Ints{0, 100, 1, 101, 2, 102, 3, 103, 10, 110, 11, 111, 12, 112, 13, 113}));
}

TEST(SpaceToBatch, every_second_pixel_is_an_image_of_its_own) {
  // 2 x 3 pixels, a column of the zero point in front: 7 0 1 2 / 7 10 11 12.
  EXPECT_EQ(run_int8("tflite", {"int8[1,2,3,1] q(0.5, 7)"},
                     "%y = space_to_batch(%x0) {block=[2,2], before=[0,1], after=[0,0]} : "
                     "int8[4,1,2,1] q(0.5, 7)",
                     {{0, 1, 2, 10, 11, 12}}),
            (Ints{7, 1, 0, 2, 7, 11, 10, 12}));
}

TEST(SpaceToBatch, of_a_batch_the_offset_counts_before_the_image) {
  EXPECT_EQ(run_int8("tflite", {"int8[2,4,1] q(0.5, 7)"},
                     "%y = space_to_batch(%x0) {block=[2], before=[0], after=[0]} : int8[4,2,1] "
                     "q(0.5, 7)",
                     {{0, 1, 2, 3, 10, 11, 12, 13}}),
            (Ints{0, 2, 10, 12, 1, 3, 11, 13}));
}

TEST(BatchToSpace, is_the_way_back_and_cuts_off) {
  EXPECT_EQ(run_int8("xnnpack", {"int8[4,1,2,1] q(0.5, 7)"},
                     "%y = batch_to_space(%x0) {block=[2,2], before=[0,1], after=[0,0]} : "
                     "int8[1,2,3,1] q(0.5, 7)",
                     {{7, 1, 0, 2, 7, 11, 10, 12}}),
            (Ints{0, 1, 2, 10, 11, 12}));
  EXPECT_EQ(run_int8("xnnpack", {"int8[4,2,1] q(0.5, 7)"},
                     "%y = batch_to_space(%x0) {block=[2], before=[0], after=[1]} : int8[2,3,1] "
                     "q(0.5, 7)",
                     {{0, 2, 10, 12, 1, 3, 11, 13}}),
            (Ints{0, 1, 2, 10, 11, 12}));
}

}  // namespace
}  // namespace presil::reference

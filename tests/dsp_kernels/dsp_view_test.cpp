// What a kernel includes and the block's contract name the same addresses and bytes.
#include "rtl/dsp/dsp_view.h"

#include <gtest/gtest.h>
#include <presil/dsp_kernel.h>

namespace presil::dsp {
namespace {

static_assert(PRESIL_DSP_REGISTERS == PRESIL_DSP_OWN);
static_assert(PRESIL_DSP_REGION_BASES == PRESIL_DSP_OWN + PRESIL_DSP_OWN_REGION_BASE(0));
static_assert(PRESIL_DSP_MAX_TENSORS == PRESIL_DSP_REGIONS);

TEST(DspView, a_block_has_the_bytes_of_dlpack_on_64_bits) {
  EXPECT_EQ(sizeof(presil_dsp_header), 32u);
  EXPECT_EQ(sizeof(presil_dsp_tensor), 48u);
  EXPECT_EQ(sizeof(DLTensor), 48u);
  EXPECT_EQ(offsetof(presil_dsp_tensor, ndim), offsetof(DLTensor, ndim));
  EXPECT_EQ(offsetof(presil_dsp_tensor, code), offsetof(DLTensor, dtype));
  EXPECT_EQ(offsetof(presil_dsp_tensor, shape), offsetof(DLTensor, shape));
  EXPECT_EQ(offsetof(presil_dsp_tensor, strides), offsetof(DLTensor, strides));
  EXPECT_EQ(offsetof(presil_dsp_tensor, byte_offset), offsetof(DLTensor, byte_offset));
}

TEST(DspView, dma_registers_are_where_presil_dsp_dma_start_writes) {
  EXPECT_EQ(PRESIL_DSP_OWN_DMA_SOURCE, 0u);
  EXPECT_EQ(PRESIL_DSP_OWN_DMA_DESTINATION, 8u);
  EXPECT_EQ(PRESIL_DSP_OWN_DMA_ROW_BYTES, 4u * 4);
  EXPECT_EQ(PRESIL_DSP_OWN_DMA_ROWS, 4u * 5);
  EXPECT_EQ(PRESIL_DSP_OWN_DMA_SOURCE_STRIDE, 4u * 6);
  EXPECT_EQ(PRESIL_DSP_OWN_DMA_DESTINATION_STRIDE, 4u * 7);
  EXPECT_EQ(PRESIL_DSP_OWN_DMA_START, 4u * 8);
  EXPECT_EQ(PRESIL_DSP_OWN_DMA_WAIT, 4u * 9);
}

}  // namespace
}  // namespace presil::dsp

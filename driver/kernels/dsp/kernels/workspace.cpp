// The memory of driver/kernels/dsp/workspace.h.
#include "driver/kernels/dsp/workspace.h"

#include <presil/dsp_kernel.h>

extern "C" {
alignas(64) PRESIL_DSP_TCM char presil_dsp_workspace[presil::dsp::kWorkspaceBytes];
}

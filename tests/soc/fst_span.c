/* What an FST file holds, read by the library that comes with Verilator:
 *   fst_span FILE SIGNAL   prints 10^x of its time unit, first and last time, number of signals,
 * and rising edges of the first signal of that name */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fstapi.h"

struct edges {
  uint64_t rising, first, last;
  char before;
};

static void change(void* user, uint64_t time, fstHandle signal, const unsigned char* value) {
  struct edges* edges = user;
  (void)signal;
  if (edges->before == '0' && value[0] == '1') {
    if (edges->rising++ == 0) edges->first = time;
    edges->last = time;
  }
  edges->before = (char)value[0];
}

int main(int argc, char** argv) {
  void* file = argc == 3 ? fstReaderOpen(argv[1]) : NULL;
  struct edges edges = {0, 0, 0, 'x'};
  fstHandle found = 0;
  if (file == NULL) return fprintf(stderr, "usage: fst_span FILE SIGNAL\n"), 2;
  for (struct fstHier* h = fstReaderIterateHier(file); h != NULL; h = fstReaderIterateHier(file)) {
    if (h->htyp == FST_HT_VAR && found == 0 && strcmp(h->u.var.name, argv[2]) == 0) {
      found = h->u.var.handle;
    }
  }
  fstReaderClrFacProcessMaskAll(file);
  if (found != 0) {
    fstReaderSetFacProcessMask(file, found);
    fstReaderIterBlocks(file, change, &edges, NULL);
  }
  printf("%d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
         fstReaderGetTimescale(file), fstReaderGetStartTime(file), fstReaderGetEndTime(file),
         fstReaderGetVarCount(file), edges.rising, edges.first, edges.last);
  fstReaderClose(file);
  return 0;
}

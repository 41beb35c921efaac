/* Runs a compiled network on any port: run_loadable NET.presil INPUT OUTPUT */
#include <presil/presil.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The port of this board, model or RTL: all that differs from one to the other. */
extern const presil_port* board_port(void);

static void must(presil_status status, const presil_device* device) {
  if (status == PRESIL_OK) return;
  fprintf(stderr, "%s\n", device ? presil_error(device)->text : "driver: no device");
  exit((int)status);
}

static void* read_file(const char* path, size_t* bytes) {
  FILE* file = fopen(path, "rb");
  void* data = NULL;
  if (file && fseek(file, 0, SEEK_END) == 0) {
    *bytes = (size_t)ftell(file);
    rewind(file);
    data = malloc(*bytes + 1);
    if (data) *bytes = fread(data, 1, *bytes, file);
  }
  if (!data) fprintf(stderr, "run_loadable: '%s' cannot be read\n", path), exit(2);
  fclose(file);
  return data;
}

int main(int argc, char** argv) {
  size_t bytes = 0, input_bytes = 0;
  if (argc != 4) return fprintf(stderr, "usage: run_loadable NET.presil INPUT OUTPUT\n"), 2;
  const void* loadable = read_file(argv[1], &bytes);
  const void* input = read_file(argv[2], &input_bytes);

  presil_device* device = NULL;
  presil_network* network = NULL;
  presil_tensor_info in, out;
  uint32_t job = 0;
  const size_t device_bytes = presil_device_bytes(), network_bytes = presil_network_bytes();
  must(presil_open(board_port(), malloc(device_bytes), device_bytes, &device), device);
  must(presil_network_load(device, loadable, bytes, malloc(network_bytes), network_bytes, &network),
       device);
  must(presil_network_input_info(network, 0, &in), device);
  must(presil_network_output_info(network, 0, &out), device);
  if (input_bytes != in.bytes) return fprintf(stderr, "%s needs %zu bytes\n", in.name, in.bytes), 2;

  memcpy(presil_network_input(network, 0), input, in.bytes);
  must(presil_job_submit(network, &job), device);
  must(presil_job_wait(network, job, 1000000000 /* ns */), device);

  FILE* file = fopen(argv[3], "wb");
  if (!file || fwrite(presil_network_output(network, 0), out.bytes, 1, file) != 1) return 2;
  fclose(file);
  presil_network_unload(network);
  presil_close(device);
}

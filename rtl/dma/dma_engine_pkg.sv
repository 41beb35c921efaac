// Types inside the DMA's engine: a side of a command, a word on its way between the two.
package dma_engine_pkg;

  localparam int unsigned BurstBytes = 256;

  // Rows in loop order, dimension 0 innermost; base is an SRAM or system address.
  typedef struct packed {
    logic [39:0]      base;
    logic [23:0]      row_bytes;
    logic [3:0][15:0] n;
    logic [3:0][31:0] stride;
  } side_t;

  // How a side's bytes are data and padding: elements of `data` bytes every `pitch`. Not packed:
  // all are data. A fill is packed with data = 0: all are padding.
  typedef struct packed {
    logic        packed_elements;
    logic [11:0] data;
    logic [12:0] pitch;  // a multiple of 16, at most 4096
  } elements_t;

  // Up to 16 bytes of a source word, and where they stand in their element.
  typedef struct packed {
    logic [127:0] data;
    logic [3:0]   offset;    // of the first byte in the word
    logic [4:0]   count;     // bytes; 0: a piece without a source
    logic [12:0]  position;  // of the first byte in its element
    logic         first;     // of a piece
    logic         last;
  } source_word_t;

  // Where the next bytes go: up to the end of the word, of the row or of the piece.
  typedef struct packed {
    logic [3:0]  offset;  // in the word
    logic [4:0]  count;
    logic [12:0] position;
    logic        last;  // the piece ends with them
  } target_t;

  typedef struct packed {
    logic [127:0] data;
    logic [15:0]  strobe;
  } target_word_t;

  // What happens to the bytes between the two sides.
  typedef struct packed {
    elements_t   drop;  // of the source
    elements_t   pad;   // of the destination
    logic        xor80;
    logic [31:0] pattern;
  } transform_t;

  // What moves a command's bytes.
  typedef enum logic [2:0] {
    PathNone,   // nop
    PathLoad,   // system to SRAM: AR, R, SRAM write port
    PathStore,  // SRAM to system, fill of system memory: SRAM read port, W
    PathLocal,  // SRAM to SRAM, fill of SRAM: SRAM read port, SRAM write port
    PathMove    // system to system: AR, R, W
  } path_e;

  // Where a cycle of a channel goes; CauseWait + k: it waits for an engine of kind k.
  typedef enum logic [5:0] {
    CauseRun,
    CauseWriteQueue,
    CauseSramPort,
    CauseReadCredit,
    CauseDrain,
    CauseFetch,
    CauseIdle,
    CauseWait = 6'd32
  } cause_e;

  // A command as the two sides see it; addresses are absolute.
  typedef struct packed {
    path_e      path;
    logic       fill;
    side_t      source;
    side_t      target;
    transform_t transform;
  } work_t;

  // Bytes of a move on their way to the bursts that are written.
  typedef struct packed {
    logic [39:0]  address;  // of the first byte
    logic [4:0]   count;
    logic [127:0] data;
    logic [15:0]  strobe;
    logic         ends;     // a row, or 256 bytes: the burst
    logic         last;     // of its command
  } move_word_t;

  // A burst to be written.
  typedef struct packed {
    logic [39:0] address;  // of its first byte
    logic [8:0]  bytes;
    logic        last;     // of its command
  } burst_t;

  // Beats of 16 bytes that hold `bytes` bytes from `address` on, less one.
  function automatic logic [3:0] beats_less_one(input logic [3:0] address, input logic [8:0] bytes);
    logic [8:0] last;
    last = 9'(address) + bytes - 9'd1;
    return last[7:4];
  endfunction

  // A burst whose beats are awaited.
  typedef struct packed {
    logic [39:0] address;
    logic [8:0]  bytes;
    logic        last;  // of its command
  } awaited_t;

endpackage

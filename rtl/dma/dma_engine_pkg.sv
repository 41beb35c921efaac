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

  // A command as the read side sees it; addresses are absolute.
  typedef struct packed {
    side_t      source;
    side_t      target;
    transform_t transform;
  } load_t;

  // A burst whose beats are awaited.
  typedef struct packed {
    logic [39:0] address;
    logic [8:0]  bytes;
    logic        last;  // of its command
  } awaited_t;

endpackage

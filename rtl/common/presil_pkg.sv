// Types that every engine shares.
package presil_pkg;

  // A job's ring entry, as printed from job.rdl.
  typedef job_pkg::entry_t job_t;

  // What the error registers of a queue hold; codes are queue_pkg::error_code_e.
  typedef struct packed {
    logic [7:0]  code;
    logic [7:0]  rule;     // number of the broken rule between fields, else 0
    logic [7:0]  word;     // of the command or job entry, where one is to blame, else 0
    logic [39:0] address;  // to blame, where there is one, else 0
  } queue_error_t;

endpackage

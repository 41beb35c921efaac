// Is a job entry legal, and are its counters its context's? The first fault in the order of
// job_tables.md: version, reserved bits by word, fields in order, context. Combinational.
module queue_job_check #(
    parameter logic [7:0] IsaVersion = job_pkg::IsaVersion
) (
    input  logic                                       valid_i,  // there is one
    input  logic [job_pkg::EntryWords-1:0][31:0]       words_i,
    input  logic [queue_pkg::ContextCount-1:0][7:0]    sync_first_i,  // of each context
    input  logic [queue_pkg::ContextCount-1:0][7:0]    sync_last_i,
    output presil_pkg::queue_error_t                   error_o        // code none: legal
);

  /* verilator lint_off UNUSEDSIGNAL */
  presil_pkg::job_t job;  // fields without a limit are not looked at
  /* verilator lint_on UNUSEDSIGNAL */
  logic             reserved;
  logic [7:0]       reserved_word;
  logic [8:0]       lowest, highest;
  logic [$clog2(queue_pkg::ContextCount)-1:0] context_number;

  always_comb begin
    job = '0;
    if (valid_i) job = job_pkg::unpack(words_i);
  end
  assign lowest         = 9'(job.sync_base) + 9'd1;
  assign highest        = 9'(job.sync_base) + 9'(job.sync_count);
  assign context_number = job.context_[$bits(context_number)-1:0];

  always_comb begin
    reserved      = 1'b0;
    reserved_word = '0;
    if (valid_i) begin
      for (int unsigned w = job_pkg::EntryWords; w > 0; --w) begin
        if ((words_i[w-1] & job_pkg::Reserved[w-1]) != '0) begin
          reserved      = 1'b1;
          reserved_word = 8'(w - 1);
        end
      end
    end
  end

  function automatic presil_pkg::queue_error_t error(input queue_pkg::error_code_e code,
                                                     input logic [7:0] word);
    return '{code: code, rule: '0, word: word, address: '0};
  endfunction

  always_comb begin
    if (!valid_i) begin
      error_o = '0;
    end else if (job.isa_version != job_pkg::IsaVersion) begin
      error_o = error(queue_pkg::ErrorCodeBadVersion, 0);
    end else if (reserved) begin
      error_o = error(queue_pkg::ErrorCodeBadJob, reserved_word);
    end else if (!job.valid || !job.stop_on_error) begin
      error_o = error(queue_pkg::ErrorCodeBadJob, 0);
    end else if (job.stream_address[7:0] != '0) begin
      error_o = error(queue_pkg::ErrorCodeBadJob, 2);
    end else if (job.command_count == '0 || job.command_count[31:24] != '0) begin
      error_o = error(queue_pkg::ErrorCodeBadJob, 4);
    end else if (job.sram_base[3:0] != '0) begin
      error_o = error(queue_pkg::ErrorCodeBadJob, 7);
    end else if (job.isa_version != IsaVersion) begin
      error_o = error(queue_pkg::ErrorCodeBadVersion, 0);
    end else if (job.context_ >= 8'(queue_pkg::ContextCount)) begin
      error_o = error(queue_pkg::ErrorCodeBadContext, 0);
    end else if (job.sync_count != '0 && (lowest < 9'(sync_first_i[context_number]) ||
                                          highest > 9'(sync_last_i[context_number]))) begin
      error_o = error(queue_pkg::ErrorCodeBadContext, 5);
    end else begin
      error_o = '0;
    end
  end

endmodule

// Random reads and writes of 64 bits through LiteDRAM's port; how many are taken in 200,000 cycles.
module tb;
    reg clk = 0, rst = 1;
    always #5 clk = ~clk;
    reg [21:0] addr = 0; reg we = 0; reg valid = 0;
    wire ready, rvalid; wire wready;
    integer writes = 0, reads = 0, done_w = 0, cycles = 0, share, seed = 1;
    lite uut(.cmd_valid(valid), .cmd_ready(ready), .cmd_we(we), .cmd_addr(addr), .cmd_last(1'b1),
        .wdata_valid(1'b1), .wdata_ready(wready), .wdata(64'h0123456789abcdef), .wdata_we(8'hff),
        .rdata_valid(rvalid), .rdata_ready(1'b1), .flush(1'b0), .dfi_rddata(16'h1234), .sys_clk(clk), .sys_rst(rst));
    initial begin
        if (!$value$plusargs("writes=%d", share)) share = 0;
        repeat (20) @(posedge clk);
        rst <= 0; valid <= 1;
        addr <= $random(seed);
        repeat (200000) begin
            @(posedge clk);
            cycles = cycles + 1;
            if (rvalid) reads = reads + 1;
            if (wready) done_w = done_w + 1;
            if (ready) begin
                addr <= $random(seed);
                we <= ($unsigned($random(seed)) % 100) < share;
            end
        end
        $display("writes %0d %%: %0d reads, %0d writes, %f cycles each", share, reads, done_w, 1.0 * cycles / (reads + done_w));
        $finish;
    end
endmodule

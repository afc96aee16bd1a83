// SPDX-License-Identifier: MIT OR Apache-2.0
// An SDRAM chip for simulations of the whole chip as Verilog, which complains when its data sheet is
// not kept. The Rust model in src/harness/sdram says the same of the same commands; the test
// `models_agree` compares them. `clk` is the SDRAM's clock: in a simulation without delays, the
// controller's inverted. Times are picoseconds, and the defaults those of `device::ANY_32_MB`.
//
// Words that are read have one wrong bit in FLIP_ONE_IN words, and keep it; never if that is 0.
module sdram_model #(
    parameter WIDTH = 16,
    parameter ROW_BITS = 13,
    parameter COLUMN_BITS = 9,
    parameter CLOCK_KHZ = 92857,
    parameter TRCD = 20000,
    parameter TRP = 20000,
    parameter TRAS = 45000,
    parameter TRC = 67500,
    parameter TRRD = 15000,
    parameter TWR = 20000,
    parameter TWR_CLOCKS = 2,
    parameter TRFC = 70000,
    parameter TMRD_CLOCKS = 2,
    parameter TREFI = 7812500,
    parameter PAUSE = 200000000,
    parameter WAKE_REFRESHES = 8,
    parameter SHORTEST_CL2 = 10000,
    parameter SHORTEST_CL3 = 7500,
    parameter FLIGHT = 1, // cycles by which words come back late
    parameter FLIP_ONE_IN = 0,
    parameter FLIP_SEED = 1
) (
    input clk,
    input ras_n, cas_n, we_n,
    input [1:0] bank,
    input [12:0] address,
    input dqm,
    input [WIDTH-1:0] dq_in,
    input dq_in_oe,
    output [WIDTH-1:0] dq_out,
    output dq_out_oe,
    output reg [31:0] complaints,
    output reg [31:0] flipped
);
    localparam AT = 2 + ROW_BITS + COLUMN_BITS;

    // A one above each word that was written.
    reg [WIDTH:0] cells [0:(1 << AT) - 1];

    reg [63:0] edges = 0;
    reg ready = 0, precharged = 0;
    integer words = 1, latency = 2, wake_refreshes = 0;
    reg refreshed = 0, any_burst = 0, burst_write = 0, any_activate = 0;
    reg [63:0] refreshes = 0, awake_since = 0, last_refresh = 0, last_mode = 0, last_burst = 0;
    reg [63:0] last_activate = 0;
    reg [1:0] last_activate_bank = 0;

    // Banks: whether a row was ever opened, whether and when it closes, the last word written to it.
    reg [3:0] opened = 0, closing = 0, was_written = 0;
    reg [63:0] opened_at [0:3], closes_at [0:3], last_in [0:3];
    reg [ROW_BITS-1:0] row [0:3];

    // What happens at which edge, modulo 32.
    reg [31:0] takes = 0, gives = 0, clashes = 0;
    reg [AT-1:0] take_at [0:31], give_at [0:31];

    // Words on their way back.
    reg [WIDTH-1:0] flight [0:FLIGHT];
    reg [FLIGHT:0] flight_oe = 0;
    assign dq_out = flight[FLIGHT];
    assign dq_out_oe = flight_oe[FLIGHT];

    reg [63:0] random = 64'h9e3779b97f4a7c15 ^ FLIP_SEED;
    reg [WIDTH-1:0] word;
    reg [63:0] closes, due;
    reg [AT-1:0] at;
    reg [COLUMN_BITS-1:0] column;
    integer i;

    initial begin
        complaints = 0;
        flipped = 0;
    end

    function shorter(input [63:0] cycles, input [63:0] picoseconds);
        shorter = cycles * 64'd1000000000 < picoseconds * CLOCK_KHZ;
    endfunction

    function [63:0] whole_cycles(input [63:0] picoseconds);
        whole_cycles = (picoseconds * CLOCK_KHZ + 64'd999999999) / 64'd1000000000;
    endfunction

    function [63:0] write_cycles(input unused);
        write_cycles = whole_cycles(TWR) > TWR_CLOCKS ? whole_cycles(TWR) : TWR_CLOCKS;
    endfunction

    // What a cell holds after power-up: SplitMix64 of its place.
    function [WIDTH-1:0] noise(input [1:0] b, input [15:0] r, input [15:0] c);
        reg [63:0] z;
        begin
            z = ({30'd0, b, r, c}) + 64'h9e3779b97f4a7c15;
            z = (z ^ (z >> 30)) * 64'hbf58476d1ce4e5b9;
            z = (z ^ (z >> 27)) * 64'h94d049bb133111eb;
            z = z ^ (z >> 31);
            noise = z[WIDTH-1:0];
        end
    endfunction

    function is_open(input [1:0] b);
        is_open = opened[b] && !(closing[b] && closes_at[b] <= edges);
    endfunction

    task complain(input [8*40-1:0] text);
        begin
            complaints = complaints + 1;
            if (complaints <= 20) $display("sdram_model, edge %0d: %0s", edges, text);
        end
    endtask

    task after_refresh;
        if (refreshed && shorter(edges - last_refresh, TRFC)) complain("tRFC");
    endtask

    task after_mode;
        if (ready && edges - last_mode < TMRD_CLOCKS) complain("tMRD");
    endtask

    task all_closed;
        for (i = 0; i < 4; i = i + 1)
            if (is_open(i[1:0])) complain("a row is open");
            else if (closing[i] && shorter(edges - closes_at[i], TRP)) complain("tRP");
    endtask

    task check_open(input [1:0] b, input [63:0] until_edge);
        if (shorter(until_edge - opened_at[b], TRAS)) complain("tRAS");
    endtask

    task activate;
        begin
            if (!ready) complain("a row activated before the mode is set");
            after_mode;
            after_refresh;
            if (any_activate && last_activate_bank != bank && shorter(edges - last_activate, TRRD)) complain("tRRD");
            if ((address >> ROW_BITS) != 0) complain("a row that the chip does not have");
            if (is_open(bank)) complain("activate where a row is open");
            else begin
                if (closing[bank] && shorter(edges - closes_at[bank], TRP)) complain("tRP");
                if (opened[bank] && shorter(edges - opened_at[bank], TRC)) complain("tRC");
            end
            opened[bank] = 1;
            closing[bank] = 0;
            was_written[bank] = 0;
            opened_at[bank] = edges;
            row[bank] = address[ROW_BITS-1:0];
            any_activate = 1;
            last_activate = edges;
            last_activate_bank = bank;
        end
    endtask

    task burst(input write);
        if (!ready) complain("a burst before the mode is set");
        else if (!is_open(bank)) complain("a burst where no row is open");
        else begin
            if (closing[bank]) complain("a burst in a row about to close");
            if (shorter(edges - opened_at[bank], TRCD)) complain("tRCD");
            if (any_burst) begin
                if (edges - last_burst < words) complain("a burst cut short");
                else if (write && !burst_write && edges - last_burst < latency + words + 1)
                    complain("a write too soon after a read");
            end
            if ((address[9:0] >> COLUMN_BITS) != 0) complain("a column that the chip does not have");
            any_burst = 1;
            burst_write = write;
            last_burst = edges;
            for (i = 0; i < words; i = i + 1) begin
                column = (address & ~(words - 1)) | ((address + i) & (words - 1));
                at = {bank, row[bank], column};
                if (write) begin
                    takes[(edges + i) % 32] = 1;
                    take_at[(edges + i) % 32] = at;
                end else begin
                    gives[(edges + latency - 1 + i) % 32] = 1;
                    give_at[(edges + latency - 1 + i) % 32] = at;
                end
            end
            if (!write) for (i = latency - 1; i <= latency + words; i = i + 1) clashes[(edges + i) % 32] = 1;
            if (address[10]) begin
                closes = write ? edges + words - 1 + write_cycles(0) : edges + words;
                check_open(bank, closes);
                closing[bank] = 1;
                closes_at[bank] = closes;
            end
            if (write) begin
                was_written[bank] = 1;
                last_in[bank] = edges + words - 1;
            end
        end
    endtask

    task precharge;
        begin
            for (i = 0; i < 4; i = i + 1)
                if (address[10] || i == bank) begin
                    if (is_open(i[1:0])) begin
                        check_open(i[1:0], edges);
                        if (was_written[i] && edges < last_in[i] + write_cycles(0)) complain("tWR");
                        closing[i] = 1;
                        closes_at[i] = edges;
                    end else if (!closing[i]) begin
                        closing[i] = 1;
                        closes_at[i] = edges;
                    end
                end
            if (address[10]) precharged = 1;
        end
    endtask

    task refresh;
        begin
            if (!precharged) complain("a refresh before all banks were closed");
            all_closed;
            after_refresh;
            after_mode;
            if (!ready) wake_refreshes = wake_refreshes + 1;
            refreshes = refreshes + 1;
            refreshed = 1;
            last_refresh = edges;
        end
    endtask

    task set_mode;
        begin
            all_closed;
            after_refresh;
            if (wake_refreshes < WAKE_REFRESHES) complain("the mode set after too few refreshes");
            if (address[2:0] > 3) complain("a burst length that is not known here");
            else if (address[6:4] < 2 || address[6:4] > 3 || (address & 13'h0f88) != 0 || bank != 0)
                complain("a mode that is not known here");
            else begin
                latency = address[6:4];
                words = 1 << address[2:0];
                if (shorter(1, latency == 2 ? SHORTEST_CL2 : SHORTEST_CL3)) complain("a cycle too short");
                ready = 1;
                last_mode = edges;
                awake_since = edges;
                refreshes = 0;
            end
        end
    endtask

    task read_word(input [AT-1:0] place);
        begin
            word = cells[place][WIDTH] === 1'b1 ? cells[place][WIDTH-1:0]
                : noise(place[AT-1:AT-2], place[AT-3:COLUMN_BITS], place[COLUMN_BITS-1:0]);
            if (FLIP_ONE_IN != 0) begin
                random = random ^ (random << 13);
                random = random ^ (random >> 7);
                random = random ^ (random << 17);
                if ((random >> 20) % FLIP_ONE_IN == 0) begin
                    word = word ^ (1 << (random[15:0] % WIDTH));
                    cells[place] = {1'b1, word};
                    flipped = flipped + 1;
                end
            end
        end
    endtask

    always @(posedge clk) begin
        if (shorter(edges, PAUSE) && !(ras_n && cas_n && we_n)) complain("a command in the pause");
        case ({ras_n, cas_n, we_n})
            3'b011: activate;
            3'b101: burst(0);
            3'b100: burst(1);
            3'b010: precharge;
            3'b001: refresh;
            3'b000: set_mode;
            3'b110: complain("a burst stopped");
            default: ;
        endcase

        if (takes[edges % 32] && dq_in_oe) begin
            if (dqm) complain("a word written that DQM masks");
            else cells[take_at[edges % 32]] = {1'b1, dq_in};
        end else if (takes[edges % 32]) complain("nothing on the data pins in a write");
        else if (dq_in_oe) complain("the data pins are driven for nothing");
        if (dq_in_oe && clashes[edges % 32]) complain("both sides drive the data pins");

        for (i = FLIGHT; i > 0; i = i - 1) begin
            flight[i] = flight[i - 1];
            flight_oe[i] = flight_oe[i - 1];
        end
        flight_oe[0] = gives[edges % 32];
        if (gives[edges % 32]) begin
            if (dqm) complain("a word read that DQM masks");
            read_word(give_at[edges % 32]);
            flight[0] = word;
        end
        takes[edges % 32] = 0;
        gives[edges % 32] = 0;
        clashes[edges % 32] = 0;

        // Two refreshes may be late.
        due = (edges - awake_since) * 64'd1000000000 / CLOCK_KHZ / TREFI;
        if (ready && refreshes + 2 < due) begin
            complain("a late refresh");
            refreshes = refreshes + 1;
        end
        edges = edges + 1;
    end
endmodule

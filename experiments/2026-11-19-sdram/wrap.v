// The table's memory between shift registers, so that nextpnr times what is inside.
module wrap(input clk, input si, output reg so, inout [15:0] dq, output [20:0] pins);
    reg [90:0] in; reg [67:0] out;
    wire ready, av, dropped, awake; wire [63:0] answer;
    wire [15:0] dqo; wire oe;
    top uut(.clock(clk), .valid(in[0]), .write(in[1]), .may_drop(in[2]), .address(in[24:3]), .data(in[88:25]),
        .ready(ready), .answer_valid(av), .answer(answer), .dropped(dropped), .awake(awake),
        .ras_n(pins[0]), .cas_n(pins[1]), .we_n(pins[2]), .bank(pins[4:3]), .pins_address(pins[17:5]), .dqm(pins[18]),
        .dq_out(dqo), .dq_oe(oe), .dq_in(dq));
    assign dq = oe ? dqo : 16'bz;
    assign pins[20:19] = 0;
    always @(posedge clk) begin
        in <= {in, si};
        if (av) out <= {ready, av, dropped, awake, answer}; else out <= {out, ready ^ dropped ^ awake};
        so <= out[67];
    end
endmodule

// A stand-in for the chip: sends every byte back after at least two cycles. Byte ee is its end.
module top(clock, rx_data, rx_valid, rx_ready, tx_data, tx_valid, tx_ready);
    input wire clock;
    input wire [7:0] rx_data;
    input wire rx_valid;
    output wire rx_ready;
    output reg [7:0] tx_data;
    output reg tx_valid;
    input wire tx_ready;

    reg [7:0] held;
    reg full;
    initial begin
        tx_data = 0;
        tx_valid = 0;
        held = 0;
        full = 0;
    end

    assign rx_ready = !full;

    always @(posedge clock) begin
        if (rx_valid && rx_ready) begin
            held <= rx_data;
            full <= 1;
            if (rx_data == 8'hee) $fatal(1, "as it was told");
        end
        if (tx_ready) tx_valid <= 0;
        if (full && !tx_valid) begin
            tx_data <= held;
            tx_valid <= 1;
            full <= 0;
        end
    end
endmodule

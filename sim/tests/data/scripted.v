// A stand-in for the chip: answers each frame that it hears with the next one of its script.
module top(clock, rx_data, rx_valid, rx_ready, tx_data, tx_valid, tx_ready);
    input wire clock;
    input wire [7:0] rx_data;
    input wire rx_valid;
    output wire rx_ready;
    output wire [7:0] tx_data;
    output wire tx_valid;
    input wire tx_ready;

    reg [7:0] script [0:1023];
    initial begin
        SCRIPT
    end

    reg [9:0] place = 0;
    reg [7:0] owed = 0;
    reg in_frame = 0;

    wire heard = rx_valid && rx_data == 0 && in_frame;
    wire sent = tx_valid && tx_ready && tx_data == 0;
    assign rx_ready = 1;
    assign tx_valid = owed != 0;
    assign tx_data = script[place];

    always @(posedge clock) begin
        if (rx_valid) in_frame <= rx_data != 0;
        if (tx_valid && tx_ready) place <= place + 1;
        if (heard && !sent) owed <= owed + 1;
        if (sent && !heard) owed <= owed - 1;
    end
endmodule

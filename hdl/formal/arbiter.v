// The claim: what goes in comes out three cycles later as the first candidate, whatever came before or after.
module claim(
    input clock,
    input [63:0] candidates,
    input [63:0] class_high,
    input [63:0] class_low,
    input turn,
    output found_holds,
    output square_holds,
    output first_holds,
    output last_holds
);
    wire found, last;
    wire [5:0] square;
    arbiter block(
        .clock(clock),
        .candidates(candidates),
        .class_high(class_high),
        .class_low(class_low),
        .turn(turn),
        .found(found),
        .square(square),
        .last(last)
    );

    // The inputs of three cycles ago.
    reg [63:0] candidates_1, candidates_2, candidates_3;
    reg [63:0] high_1, high_2, high_3;
    reg [63:0] low_1, low_2, low_3;
    reg turn_1, turn_2, turn_3;
    always @(posedge clock) begin
        {candidates_3, candidates_2, candidates_1} <= {candidates_2, candidates_1, candidates};
        {high_3, high_2, high_1} <= {high_2, high_1, class_high};
        {low_3, low_2, low_1} <= {low_2, low_1, class_low};
        {turn_3, turn_2, turn_1} <= {turn_2, turn_1, turn};
    end

    wire [7:0] chosen;
    wire [63:0] earlier;
    wire [63:0] other;
    order of_chosen({high_3[square], low_3[square]}, square, turn_3, chosen);
    genvar k;
    generate
        for (k = 0; k < 64; k = k + 1) begin : squares
            wire [7:0] place;
            order of_square({high_3[k], low_3[k]}, k[5:0], turn_3, place);
            assign earlier[k] = candidates_3[k] & place < chosen;
            assign other[k] = candidates_3[k] & k != square;
        end
    endgenerate

    // With none, the square and `last` mean nothing.
    assign found_holds = found == (candidates_3 != 0);
    assign square_holds = !found | candidates_3[square];
    assign first_holds = !found | earlier == 0;
    assign last_holds = !found | last == (other == 0);
endmodule

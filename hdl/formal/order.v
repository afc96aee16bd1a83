// The order of candidates: the lowest class first, then the first rank, then the first file, seen from the mover's side.

// Where a square of a class comes in it: no two squares have the same place, and the least is the first.
module order(
    input [1:0] of_class,
    input [5:0] square,
    input turn,
    output [7:0] place
);
    wire [2:0] rank = turn ? 3'd7 - square[5:3] : square[5:3];
    assign place = {of_class, rank, square[2:0]};
endmodule

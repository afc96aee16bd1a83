// A slider attacks every square of a ray up to and including the first that is not empty.

// The squares attacked in one direction, a step of FILES and RANKS: for each square, a source at one of the distances 1 to 7
// behind it, and all squares between them empty.
module ray(sources, empty, attacked);
    parameter FILES = 0;
    parameter RANKS = 0;
    input [63:0] sources;
    input [63:0] empty;
    output [63:0] attacked;

    genvar square, distance;
    generate
        for (square = 0; square < 64; square = square + 1) begin : squares
            wire [7:1] reached;
            wire [8:1] clear;
            assign clear[1] = 1;
            for (distance = 1; distance < 8; distance = distance + 1) begin : distances
                localparam FILE = square % 8 - FILES * distance;
                localparam RANK = square / 8 - RANKS * distance;
                if (FILE >= 0 && FILE < 8 && RANK >= 0 && RANK < 8) begin
                    assign reached[distance] = clear[distance] & sources[RANK * 8 + FILE];
                    assign clear[distance + 1] = clear[distance] & empty[RANK * 8 + FILE];
                end else begin
                    assign reached[distance] = 0;
                    assign clear[distance + 1] = 0;
                end
            end
            assign attacked[square] = |reached;
        end
    endgenerate
endmodule

// The claim: in each direction, and in the two unions, the block says the same.
module claim(
    input [63:0] straight_sources,
    input [63:0] diagonal_sources,
    input [63:0] empty,
    output north_holds, south_holds, east_holds, west_holds,
    output north_east_holds, north_west_holds, south_east_holds, south_west_holds,
    output straight_holds, diagonal_holds
);
    wire [63:0] north, south, east, west, north_east, north_west, south_east, south_west;
    ray #(.FILES(0), .RANKS(1)) to_north(straight_sources, empty, north);
    ray #(.FILES(0), .RANKS(-1)) to_south(straight_sources, empty, south);
    ray #(.FILES(1), .RANKS(0)) to_east(straight_sources, empty, east);
    ray #(.FILES(-1), .RANKS(0)) to_west(straight_sources, empty, west);
    ray #(.FILES(1), .RANKS(1)) to_north_east(diagonal_sources, empty, north_east);
    ray #(.FILES(-1), .RANKS(1)) to_north_west(diagonal_sources, empty, north_west);
    ray #(.FILES(1), .RANKS(-1)) to_south_east(diagonal_sources, empty, south_east);
    ray #(.FILES(-1), .RANKS(-1)) to_south_west(diagonal_sources, empty, south_west);

    wire [63:0] block_straight, block_diagonal;
    rays block(
        .straight_sources(straight_sources),
        .diagonal_sources(diagonal_sources),
        .empty(empty),
        .straight(block_straight),
        .diagonal(block_diagonal)
    );

    // What the block's ranks pass on in each direction, and for east and west its files; the first of the direction has index
    // 0. Yosys joins such a wire with the one inside the block; were there none, it would have no driver, an error.
    (* hierconn *) wire [7:0] \block.north$0 , \block.north$1 , \block.north$2 , \block.north$3 ,
        \block.north$4 , \block.north$5 , \block.north$6 ;
    (* hierconn *) wire [7:0] \block.south$0 , \block.south$1 , \block.south$2 , \block.south$3 ,
        \block.south$4 , \block.south$5 , \block.south$6 ;
    (* hierconn *) wire [7:0] \block.north_east$0 , \block.north_east$1 , \block.north_east$2 , \block.north_east$3 ,
        \block.north_east$4 , \block.north_east$5 , \block.north_east$6 ;
    (* hierconn *) wire [7:0] \block.north_west$0 , \block.north_west$1 , \block.north_west$2 , \block.north_west$3 ,
        \block.north_west$4 , \block.north_west$5 , \block.north_west$6 ;
    (* hierconn *) wire [7:0] \block.south_east$0 , \block.south_east$1 , \block.south_east$2 , \block.south_east$3 ,
        \block.south_east$4 , \block.south_east$5 , \block.south_east$6 ;
    (* hierconn *) wire [7:0] \block.south_west$0 , \block.south_west$1 , \block.south_west$2 , \block.south_west$3 ,
        \block.south_west$4 , \block.south_west$5 , \block.south_west$6 ;
    (* hierconn *) wire [63:0] \block.east$0 , \block.east$1 , \block.east$2 , \block.east$3 ,
        \block.east$4 , \block.east$5 , \block.east$6 ;
    (* hierconn *) wire [63:0] \block.west$0 , \block.west$1 , \block.west$2 , \block.west$3 ,
        \block.west$4 , \block.west$5 , \block.west$6 ;

    // By rank, from the eighth down, and each rank's where the next hears it.
    wire [63:0] north_passed = {\block.north$6 , \block.north$5 , \block.north$4 , \block.north$3 ,
        \block.north$2 , \block.north$1 , \block.north$0 , 8'b0 };
    wire [63:0] south_passed = {8'b0, \block.south$0 , \block.south$1 , \block.south$2 , \block.south$3 ,
        \block.south$4 , \block.south$5 , \block.south$6 };
    wire [63:0] north_east_passed = {\block.north_east$6 , \block.north_east$5 , \block.north_east$4 , \block.north_east$3 ,
        \block.north_east$2 , \block.north_east$1 , \block.north_east$0 , 8'b0 };
    wire [63:0] north_west_passed = {\block.north_west$6 , \block.north_west$5 , \block.north_west$4 , \block.north_west$3 ,
        \block.north_west$2 , \block.north_west$1 , \block.north_west$0 , 8'b0 };
    wire [63:0] south_east_passed = {8'b0, \block.south_east$0 , \block.south_east$1 , \block.south_east$2 , \block.south_east$3 ,
        \block.south_east$4 , \block.south_east$5 , \block.south_east$6 };
    wire [63:0] south_west_passed = {8'b0, \block.south_west$0 , \block.south_west$1 , \block.south_west$2 , \block.south_west$3 ,
        \block.south_west$4 , \block.south_west$5 , \block.south_west$6 };
    wire [63:0] east_passed = \block.east$0 | \block.east$1 | \block.east$2 | \block.east$3 |
        \block.east$4 | \block.east$5 | \block.east$6 ;
    wire [63:0] west_passed = \block.west$0 | \block.west$1 | \block.west$2 | \block.west$3 |
        \block.west$4 | \block.west$5 | \block.west$6 ;

    localparam NOT_A = 64'hfefefefefefefefe;
    localparam NOT_H = 64'h7f7f7f7f7f7f7f7f;
    assign north_holds = north_passed == north;
    assign south_holds = south_passed == south;
    assign east_holds = (east_passed & NOT_H) << 1 == east;
    assign west_holds = (west_passed & NOT_A) >> 1 == west;
    assign north_east_holds = (north_east_passed & NOT_H) << 1 == north_east;
    assign north_west_holds = (north_west_passed & NOT_A) >> 1 == north_west;
    assign south_east_holds = (south_east_passed & NOT_H) << 1 == south_east;
    assign south_west_holds = (south_west_passed & NOT_A) >> 1 == south_west;
    assign straight_holds = block_straight == (north | south | east | west);
    assign diagonal_holds = block_diagonal == (north_east | north_west | south_east | south_west);
endmodule

// The claim: after a move, a pass goes on with exactly the candidates that come after that move's, in the order of the classes
// that the pass itself gives; and the next piece is looked for after the origin.
module claim(
    input clock,
    input [`THREAD_BITS-1:0] thread_in,
    input [63:0] own_straight, own_diagonal, own_knight,
    input [63:0] enemy_straight, enemy_diagonal, enemy_knight,
    // Any gates at all.
    input [63:0] open, certain, if_safe, enemy_near,
    input [1:0] castles,
    input parries, kings_touch,
    input [5:0] own_king, enemy_king, watched,
    input [15:0] king_rise, king_fall,
    // Any sums.
    input [15:0] added_mg, added_eg,
    input [7:0] added_phase,
    input added_carry, added_phase_carry,
    output left_holds,
    output origin_holds
);
    wire [`THREAD_BITS-1:0] thread;
    wire [63:0] candidates, shields, class_high, class_low;
    wire must_shield;
    receivers receivers_block(
        .clock(clock),
        .thread_in(thread_in),
        .own_straight(own_straight),
        .own_diagonal(own_diagonal),
        .own_knight(own_knight),
        .enemy_straight(enemy_straight),
        .enemy_diagonal(enemy_diagonal),
        .enemy_knight(enemy_knight),
        .open(open),
        .certain(certain),
        .if_safe(if_safe),
        .enemy_near(enemy_near),
        .castles(castles),
        .parries(parries),
        .kings_touch(kings_touch),
        .own_king(own_king),
        .enemy_king(enemy_king),
        .watched(watched),
        .king_rise(king_rise),
        .king_fall(king_fall),
        .added_mg(added_mg),
        .added_eg(added_eg),
        .added_phase(added_phase),
        .added_carry(added_carry),
        .added_phase_carry(added_phase_carry),
        .thread_out(thread),
        .candidates(candidates),
        .must_shield(must_shield),
        .shields(shields),
        .class_high(class_high),
        .class_low(class_low)
    );
    wire [63:0] after_move, next_pieces;
    wire [1:0] tried_class;
    tried tried_block(
        .clock(clock),
        .thread_in(thread_in),
        .after_move(after_move),
        .next_pieces(next_pieces),
        .tried_class(tried_class)
    );
    wire fresh = thread[`THREAD_FRESH];
    wire [63:0] left;
    filter filter_block(
        .candidates(candidates),
        .must_shield(must_shield),
        .shields(shields),
        .class_high(class_high),
        .class_low(class_low),
        .tried_class(tried_class),
        .after_move(after_move),
        .left(left)
    );

    // The candidate that was the move's: a piece for find attacker, and a destination else.
    wire turn = thread[`THREAD_TURN];
    wire victim = thread[`THREAD_VICTIM];
    wire attacker = thread[`THREAD_ATTACKER];
    wire quiet = thread[`THREAD_QUIET];
    wire [5:0] from = thread[`THREAD_FROM];
    wire [5:0] to = thread[`THREAD_TO];
    wire [5:0] origin = thread[`THREAD_ORIGIN];
    wire [5:0] move = attacker ? from : to;

    // What is known of it: its piece stands on the board. Nothing is taken on an empty square of the last rank, and a pawn, en
    // passant, on another. No pawn goes to its own first rank, and a quiet move goes to
    // an empty square.
    wire [63:0] code2 = thread[`THREAD_CODE2];
    wire [63:0] code1 = thread[`THREAD_CODE1];
    wire [63:0] code0 = thread[`THREAD_CODE0];
    wire [2:0] code = {code2[move], code1[move], code0[move]};
    wire [2:0] piece = thread[`THREAD_PIECE];
    wire [2:0] captured = thread[`THREAD_CAPTURED];
    wire last_rank = to[5:3] == (turn ? 3'd0 : 3'd7);
    wire first_rank = to[5:3] == (turn ? 3'd7 : 3'd0);
    wire is_piece = code != 0 & code != 3;
    wire is_attacker = is_piece & piece == code;
    wire is_victim = is_piece ? captured == code : code == 0 & !first_rank & captured == (last_rank ? 3'd0 : 3'd1);
    wire known = attacker ? !victim & is_attacker : victim ? is_victim : code == 0;

    wire [63:0] offered = candidates & (must_shield ? shields : ~64'd0);
    wire [7:0] move_place, origin_place;
    wire [63:0] later, later_than_origin;
    order of_move({class_high[move], class_low[move]}, move, turn, move_place);
    order of_origin(2'd0, origin, turn, origin_place);
    genvar k;
    generate
        for (k = 0; k < 64; k = k + 1) begin : squares
            wire [7:0] candidate_place, piece_place;
            order of_candidate({class_high[k], class_low[k]}, k[5:0], turn, candidate_place);
            order of_piece(2'd0, k[5:0], turn, piece_place);
            assign later[k] = candidate_place > move_place;
            assign later_than_origin[k] = piece_place > origin_place;
        end
    endgenerate

    assign left_holds = fresh ? left == offered : !known | left == (offered & later);
    wire [63:0] officers = (turn ? thread[`THREAD_BLACK] : ~thread[`THREAD_BLACK]) & (code1 | code2);
    assign origin_holds = next_pieces == (officers & (quiet ? later_than_origin : ~64'd0));
endmodule

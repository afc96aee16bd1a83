"""Plays drawn endings for a win, with plain and with shaded draws, against fallible opponents.

    play.py ENGINE TABLES SYZYGY POSITIONS NODES OUT

The engine has the rook in KRvKN and KRvKB, and moves first from POSITIONS random positions that
Syzygy's tables call drawn. Syzygy is the referee: a position that is lost for the engine is a
failure, and so is a draw that was given away. Each game is one line of JSON in OUT; games that are
there already are not played again.
"""

import json
import math
import os
import random
import shutil
import sys

import chess
import chess.engine
import chess.syzygy


def found(name):
    """Where an engine is; Debian keeps games in a folder that need not be in PATH."""
    path = shutil.which(name, path=os.environ["PATH"] + os.pathsep + os.path.join(os.sep, "usr", "games"))
    return path or sys.exit(f"no {name}: install it (Debian: apt install {name})")


OPPONENTS = {
    "gnuchess, depth 1": ([found("gnuchess"), "-u"], {}, chess.engine.Limit(depth=1)),
    "Stockfish, UCI_Elo 1350": (
        [found("stockfish")],
        {"UCI_LimitStrength": True, "UCI_Elo": 1350, "Hash": 4},
        chess.engine.Limit(nodes=2000),
    ),
}


def positions(count, syzygy):
    luck = random.Random(28)
    found = []
    while len(found) < count:
        piece = [chess.KNIGHT, chess.BISHOP][len(found) % 2]
        squares = luck.sample(range(64), 4)
        board = chess.Board(None)
        men = [(chess.KING, True), (chess.ROOK, True), (chess.KING, False), (piece, False)]
        for square, (kind, white) in zip(squares, men):
            board.set_piece_at(square, chess.Piece(kind, white))
        if board.is_valid() and syzygy.probe_wdl(board) == 0 and not any(map(board.is_capture, board.legal_moves)):
            found.append(board)
    return found


def play(board, engine, opponent, limit, nodes, syzygy, number):
    board = board.copy()
    lost = False
    while not board.is_game_over(claim_draw=True) and chess.popcount(board.occupied) == 4:
        if board.turn:
            board.push(engine.play(board, chess.engine.Limit(nodes=nodes), game=number).move)
            # The opponent is to move: a win for the opponent is what must never happen.
            lost |= syzygy.probe_wdl(board) > 0
        else:
            board.push(opponent.play(board, limit, game=number).move)
    if board.is_checkmate():
        score = 0 if board.turn else 1
    elif board.is_game_over(claim_draw=True):
        score = 0.5
    else:
        # A capture decides: the tables say how.
        value = syzygy.probe_wdl(board) * (1 if board.turn else -1)
        score = 0.5 + 0.5 * ((value > 1) - (value < -1))
    return {"score": score, "lost": lost, "plies": board.ply(), "end": board.fen()}


def summary(games):
    print("| opponent | draws | games | won | lost | drawn positions lost | p |")
    print("|---|---|---|---|---|---|---|")
    for opponent in OPPONENTS:
        wins = {}
        for draws in ("plain", "shaded"):
            own = [game for game in games if game["opponent"] == opponent and game["draws"] == draws]
            won = sum(game["score"] == 1 for game in own)
            wins[draws] = {game["position"]: game["score"] == 1 for game in own}
            lost = sum(game["score"] == 0 for game in own)
            given = sum(game["lost"] for game in own)
            p = ""
            if draws == "shaded":
                pairs = [(wins["plain"].get(at, False), win) for at, win in wins["shaded"].items()]
                more, less = pairs.count((False, True)), pairs.count((True, False))
                both = more + less
                # McNemar's test, exactly, one-sided.
                p = f"{sum(math.comb(both, k) for k in range(more, both + 1)) / 2**both:.2g}"
            print(f"| {opponent} | {draws} | {len(own)} | {won} | {lost} | {given} | {p} |")


def main():
    path, tables, folder, count, nodes, out = sys.argv[1:]
    syzygy = chess.syzygy.open_tablebase(folder)
    games = [json.loads(line) for line in open(out)] if os.path.exists(out) else []
    done = {(game["opponent"], game["draws"], game["position"]) for game in games}
    starts = positions(int(count), syzygy)
    with open(out, "a") as ledger:
        for name, (command, options, limit) in OPPONENTS.items():
            opponent = chess.engine.SimpleEngine.popen_uci(command)
            opponent.configure(options)
            for draws in ("plain", "shaded"):
                engine = chess.engine.SimpleEngine.popen_uci(path)
                engine.configure({"EndingsPath": tables, "Draws": draws, "Opponent Merit": 1350, "Hash": 4})
                for at, board in enumerate(starts):
                    if (name, draws, at) in done:
                        continue
                    game = play(board, engine, opponent, limit, int(nodes), syzygy, (draws, at))
                    game = {"opponent": name, "draws": draws, "position": at, "fen": board.fen(), **game}
                    games.append(game)
                    print(json.dumps(game), file=ledger, flush=True)
                engine.quit()
            opponent.close()
    summary(games)


main()

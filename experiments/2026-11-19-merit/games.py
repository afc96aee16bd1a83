"""Plays Stockfish at limited ratings against itself, for the fit of the model of fallible players.

    games.py FOLDER GAMES NODES

Writes FOLDER/RATING.pgn for each rating. Each game begins with eight random half-moves that lose
nothing much (a full-strength Stockfish agrees), so that no two games are the same.
"""

import os
import random
import shutil
import sys

import chess
import chess.engine
import chess.pgn

RATINGS = [1350, 1650, 1950, 2250, 2550]
# Debian keeps games in a folder that need not be in PATH.
STOCKFISH = shutil.which("stockfish", path=os.environ["PATH"] + os.pathsep + os.path.join(os.sep, "usr", "games"))


def opening(judge, luck):
    while True:
        board = chess.Board()
        for _ in range(8):
            board.push(luck.choice(list(board.legal_moves)))
            if board.is_game_over():
                break
        if board.is_game_over():
            continue
        score = judge.analyse(board, chess.engine.Limit(nodes=3000))["score"].white()
        if abs(score.score(mate_score=10000)) <= 60:
            return board


def main():
    folder, games, nodes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    if not STOCKFISH:
        sys.exit("no Stockfish: install it (Debian: apt install stockfish)")
    luck = random.Random(28)
    judge = chess.engine.SimpleEngine.popen_uci(STOCKFISH)
    for rating in RATINGS:
        player = chess.engine.SimpleEngine.popen_uci(STOCKFISH)
        player.configure({"UCI_LimitStrength": True, "UCI_Elo": rating, "Hash": 4})
        with open(f"{folder}/{rating}.pgn", "w") as out:
            for number in range(games):
                board = opening(judge, luck)
                while not board.is_game_over(claim_draw=True) and board.ply() < 160:
                    board.push(player.play(board, chess.engine.Limit(nodes=nodes), game=number).move)
                game = chess.pgn.Game.from_board(board)
                game.headers.update({"White": f"SF{rating}", "Black": f"SF{rating}"})
                game.headers.update({"WhiteElo": str(rating), "BlackElo": str(rating)})
                print(game, file=out, end="\n\n", flush=True)
        player.quit()
    judge.quit()


main()

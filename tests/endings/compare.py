#!/usr/bin/env python3
"""Compares a list of endgame values with other programs' tables, read by python-chess.

The list is what the ignored test `lists_values` of bluebelle-knowledge writes: a position a line, as
`FEN;win|draw|loss;moves to mate`, from the side to move. Win, draw and loss are compared with Syzygy's
tables, where a win that the fifty-move rule takes away counts as a win; moves to mate are compared with
Gaviota's tables, which count half-moves. The folders are those of python-chess's source package:

    compare.py values.txt --syzygy data/syzygy/regular --gaviota data/gaviota
"""

import argparse
import sys

import chess
import chess.gaviota
import chess.syzygy


def mate_in_half_moves(wdl, moves):
    """Gaviota's number for our value: positive for a win, negative for a loss, 0 for a draw."""
    return {"win": 2 * moves - 1, "draw": 0, "loss": -2 * moves}[wdl]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("list")
    parser.add_argument("--syzygy")
    parser.add_argument("--gaviota")
    arguments = parser.parse_args()
    syzygy = chess.syzygy.open_tablebase(arguments.syzygy) if arguments.syzygy else None
    gaviota = chess.gaviota.PythonTablebase()
    if arguments.gaviota:
        gaviota.add_directory(arguments.gaviota)
    compared = {"Syzygy": 0, "Gaviota": 0}
    wrong = 0
    for line in open(arguments.list, encoding="ascii"):
        fen, wdl, moves = line.strip().split(";")
        board = chess.Board(fen)
        if syzygy:
            sign = syzygy.probe_wdl(board)
            expected = "win" if sign > 0 else "loss" if sign < 0 else "draw"
            compared["Syzygy"] += 1
            if wdl != expected:
                wrong += 1
                print(f"{fen}: {wdl}, Syzygy says {expected}")
        if arguments.gaviota:
            expected = gaviota.probe_dtm(board)
            compared["Gaviota"] += 1
            # A side that is mated is at 0, as a draw is.
            if mate_in_half_moves(wdl, int(moves)) != expected:
                wrong += 1
                print(f"{fen}: {wdl} in {moves} moves, Gaviota says {expected} half-moves")
    print(f"{compared['Syzygy']} compared with Syzygy, {compared['Gaviota']} with Gaviota, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

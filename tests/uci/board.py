"""A complete game on a virtual board, driven by python-chess: `board.py ENGINE [CHIP]`.

The board is `ENGINE sim board --fast --chip CHIP` behind a pseudo-terminal, and the engine finds it as it would find a serial port.
python-chess raises an error for every illegal move, malformed line or early exit, so that reaching the end is the test.
"""

import asyncio
import json
import subprocess
import sys

import chess
import chess.engine

# Far longer than anything here takes: only a hang reaches it.
PATIENCE = 600
MOST_PLIES = 300


async def play_game(engine, accelerator):
    """A game by the clock against itself, to the end by the rules."""
    await engine.configure({"Accelerator": accelerator, "Hash": 8})
    board = chess.Board()
    clocks = [3.0, 3.0]
    loop = asyncio.get_running_loop()
    nodes = 0
    for ply in range(MOST_PLIES):
        if board.is_game_over(claim_draw=True):
            break
        limit = chess.engine.Limit(white_clock=clocks[0], black_clock=clocks[1], white_inc=0.01, black_inc=0.01)
        started = loop.time()
        result = await engine.play(board, limit, game="one", info=chess.engine.INFO_ALL)
        clocks[ply % 2] = max(0.05, clocks[ply % 2] - (loop.time() - started) + 0.01)
        assert result.move in board.legal_moves, (board.fen(), result)
        warning = result.info.get("string", "")
        assert not warning.startswith(("error", "warning")), warning
        nodes += result.info.get("nodes", 0)
        board.push(result.move)
    outcome = board.outcome(claim_draw=True)
    print(f"{board.ply()} plies, {outcome.termination.name if outcome else 'ended by length'}, {nodes} nodes")


async def main(engine_path, chip):
    virtual = subprocess.Popen([engine_path, "sim", "board", "--fast", "--chip", chip], stdout=subprocess.PIPE, text=True)
    try:
        path = virtual.stdout.readline().strip()
        assert path, "the virtual board did not start"
        devices = subprocess.run([engine_path, "devices", path, "--json"], capture_output=True, text=True, check=True)
        boards = [board for board in json.loads(devices.stdout)["boards"] if board["port"] == path]
        assert boards and boards[0]["threads"] > 0, devices.stdout
        transport, engine = await chess.engine.popen_uci([engine_path, "uci"])
        await play_game(engine, boards[0]["accelerator"])
        await engine.quit()
        assert transport.get_returncode() == 0, transport.get_returncode()
    finally:
        virtual.terminate()
        virtual.wait(timeout=30)


chip = sys.argv[2] if len(sys.argv) > 2 else "1"
asyncio.run(asyncio.wait_for(main(sys.argv[1], chip), PATIENCE))

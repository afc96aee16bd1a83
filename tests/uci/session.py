"""A UCI session and a complete game, driven by python-chess.

python-chess raises an error for every illegal move, malformed line or early exit, so that reaching the end is the test.
"""

import asyncio
import sys

import chess
import chess.engine

# Far longer than anything here takes: only a hang reaches it.
PATIENCE = 300
MOST_PLIES = 300


async def check_session(engine):
    """Analysis with several lines, a stop, chosen moves and a mate."""
    assert engine.id["name"].startswith("Bluebelle"), engine.id
    for name in ("Hash", "Threads", "SyzygyPath", "Accelerator", "Move Overhead", "UCI_Elo"):
        assert name in engine.options, name
    await engine.configure({"Hash": 8, "UCI_ShowWDL": True})

    board = chess.Board()
    infos = await engine.analyse(board, chess.engine.Limit(depth=7), multipv=3)
    assert len({info["pv"][0] for info in infos}) == 3
    assert all("wdl" in info and info["depth"] == 7 for info in infos)

    with await engine.analysis(board) as analysis:
        async for info in analysis:
            if info.get("depth", 0) >= 5:
                break
        analysis.stop()
        best = await analysis.wait()
        assert best.move in board.legal_moves

    only = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    result = await engine.play(board, chess.engine.Limit(depth=4), root_moves=only)
    assert result.move in only

    mate = chess.Board("6k1/5ppp/8/8/8/8/2r2PPP/1R4K1 w - - 0 1")
    info = await engine.analyse(mate, chess.engine.Limit(depth=6))
    assert info["score"].relative == chess.engine.Mate(2), info
    await engine.ping()


async def play_game(engine):
    """A game by the clock against itself, to the end by the rules; pondering is on."""
    board = chess.Board()
    clocks = [3.0, 3.0]
    for ply in range(MOST_PLIES):
        if board.is_game_over(claim_draw=True):
            break
        limit = chess.engine.Limit(white_clock=clocks[0], black_clock=clocks[1], white_inc=0.01, black_inc=0.01)
        loop = asyncio.get_running_loop()
        started = loop.time()
        result = await engine.play(board, limit, game="one", ponder=ply % 2 == 0)
        clocks[ply % 2] = max(0.05, clocks[ply % 2] - (loop.time() - started) + 0.01)
        assert result.move in board.legal_moves, (board.fen(), result)
        board.push(result.move)
    outcome = board.outcome(claim_draw=True)
    print(f"{board.ply()} plies, {outcome.termination.name if outcome else 'ended by length'}")


async def main(command):
    transport, engine = await chess.engine.popen_uci(command)
    await check_session(engine)
    await play_game(engine)
    await engine.quit()
    assert transport.get_returncode() == 0, transport.get_returncode()


asyncio.run(asyncio.wait_for(main(sys.argv[1].split()), PATIENCE))

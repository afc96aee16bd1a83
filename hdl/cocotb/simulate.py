"""Builds the echo for Icarus and runs the tests in rings.py on it."""

import os
import sys
from pathlib import Path

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

work = Path(os.environ["WORK"])
runner = get_runner("icarus")
runner.build(
    sources=[work / "ring_echo.v"],
    hdl_toplevel="top",
    build_dir=work / "build",
    build_args=["-g2012"],
    timescale=("1ns", "1ps"),
    always=True,
)
results = runner.test(
    hdl_toplevel="top",
    test_module="rings",
    build_dir=work / "build",
    test_dir=work,
    results_xml=str(work / "results.xml"),
)
tests, failed = get_results(Path(results))
print(f"{tests} tests of the bus, {failed} failed")
sys.exit(tests == 0 or failed > 0)

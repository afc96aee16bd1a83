//! Boards: it will hold pins, clocks, synthesis, place and route, bitstreams and flashing.

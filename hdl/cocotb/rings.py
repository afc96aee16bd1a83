"""cocotbext-axi as a host: the window as memory, and frames through the rings while others use the bus."""

import itertools
import logging
import os
import random
import struct
import zlib

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster

FRAMES = int(os.environ.get("FRAMES", "10000"))
DOWN, UP, SIZE = 0x2000, 0x4000, 0x800
DOWN_HEAD, UP_TAIL, DOWN_TAIL, UP_HEAD = 0x20, 0x24, 0x40, 0x44
WRAP = 1 << 32


def pauses(seed, share):
    """A cycle of pause in about `share` of all cycles."""
    rng = random.Random(seed)
    return itertools.cycle([rng.random() < share for _ in range(997)])


async def start(dut, share):
    """A master on the bus that pauses on each of its five channels."""
    cocotb.start_soon(Clock(dut.clock, 10, unit="ns").start())
    dut.s_axi_aresetn.value = 0
    bus = AxiLiteBus.from_prefix(dut, "s_axi")
    master = AxiLiteMaster(bus, dut.clock, dut.s_axi_aresetn, reset_active_level=False)
    # A line for every transfer takes longer than the transfer.
    for part in (master.write_if, master.read_if):
        part.log.setLevel(logging.WARNING)
    channels = [
        master.write_if.aw_channel,
        master.write_if.w_channel,
        master.write_if.b_channel,
        master.read_if.ar_channel,
        master.read_if.r_channel,
    ]
    if share:
        for seed, channel in enumerate(channels):
            channel.set_pause_generator(pauses(seed, share))
    await ClockCycles(dut.clock, 5)
    dut.s_axi_aresetn.value = 1
    await RisingEdge(dut.clock)
    return master


@cocotb.test()
async def the_header_is_as_specified(dut):
    master = await start(dut, 0)
    header = struct.unpack("<7I", (await master.read(0, 28)).data)
    assert header == (int.from_bytes(b"BlBe", "little"), 1, DOWN, SIZE, UP, SIZE, 107), header
    assert (await master.read(0x1C, 4)).data == bytes(4)
    assert (await master.read(0x6000, 64)).data == bytes(64)


@cocotb.test()
async def the_down_ring_is_memory(dut):
    """Random writes of any bytes and random reads agree with a bytearray, and what is the chip's stays as it is."""
    master = await start(dut, 0.3)
    rng = random.Random(1)
    model = bytearray(SIZE * 4)
    # Memory that nobody has written has no contents here, so these are the places that are used.
    places = [(0, 256), (SIZE * 2, 256), (SIZE * 4 - 256, 256)]
    for at, length in places:
        await master.write(DOWN + at, bytes(length))
    for _ in range(1500):
        place, size = rng.choice(places)
        at = place + rng.randrange(size)
        length = min(rng.choice([1, 2, 3, 4, 5, 8, 13, 32]), place + size - at)
        if rng.random() < 0.5:
            data = rng.randbytes(length)
            await master.write(DOWN + at, data)
            model[at : at + length] = data
        else:
            found = (await master.read(DOWN + at, length)).data
            assert found == model[at : at + length], (at, length)
    for address in [0x00, 0x04, 0x08, 0x18, DOWN_HEAD, UP_TAIL, 0x100, 0x6000]:
        before = (await master.read(address, 4)).data
        await master.write(address, rng.randbytes(4))
        assert (await master.read(address, 4)).data == before, hex(address)
    for at, length in places:
        assert (await master.read(DOWN + at, length)).data == bytes(model[at : at + length])


def frame(number, rng):
    """A frame with its number in it."""
    payload = struct.pack("<I", number) + rng.randbytes(2 * rng.choice([0, 0, 0, 1, 1, 2, 5, 20]))
    if number % 1000 == 500:
        payload += rng.randbytes(1024 - len(payload))
    body = struct.pack("<BBH", number % 251, 1, len(payload)) + payload
    body += struct.pack("<I", zlib.crc32(body))
    return body + bytes(-len(body) % 4)


async def index(master, address):
    return int.from_bytes((await master.read(address, 4)).data, "little")


async def copy_in(master, ring, at, data):
    """Writes words into a ring, round its end."""
    at %= SIZE
    first = min(len(data), (SIZE - at) * 4)
    await master.write(ring + at * 4, data[:first])
    if data[first:]:
        await master.write(ring, data[first:])


async def copy_out(master, ring, at, words):
    at %= SIZE
    first = min(words, SIZE - at)
    data = (await master.read(ring + at * 4, first * 4)).data
    if words > first:
        data += (await master.read(ring, (words - first) * 4)).data
    return data


@cocotb.test()
async def no_frame_is_lost_or_repeated(dut):
    """Frames go down and come up while a third party reads all over the window."""
    master = await start(dut, 0.1)
    rng = random.Random(2)
    frames = [frame(number, rng) for number in range(FRAMES)]
    done, written = False, 0

    async def sender():
        nonlocal written
        tail, head, sent = 0, 0, 0
        while sent < FRAMES:
            batch = b"".join(frames[sent : sent + rng.randint(1, 40)])[: SIZE * 4]
            # Whole frames only.
            count, size = 0, 0
            while sent + count < FRAMES and size + len(frames[sent + count]) <= len(batch):
                size += len(frames[sent + count])
                count += 1
            while SIZE - (tail - head) % WRAP < size // 4:
                head = await index(master, DOWN_HEAD)
            await copy_in(master, DOWN, tail, batch[:size])
            tail = (tail + size // 4) % WRAP
            await master.write(DOWN_TAIL, struct.pack("<I", tail))
            sent += count
            written += size // 4

    async def receiver():
        head, received, rest = 0, 0, b""
        while received < FRAMES:
            tail = await index(master, UP_TAIL)
            words = (tail - head) % WRAP
            assert words <= SIZE, words
            if words == 0:
                continue
            rest += await copy_out(master, UP, head, words)
            head = tail
            await master.write(UP_HEAD, struct.pack("<I", head))
            while rest:
                expected = frames[received]
                assert rest[: len(expected)] == expected, f"frame {received} of {FRAMES}"
                rest = rest[len(expected) :]
                received += 1
        assert rest == b""

    async def onlooker():
        looks = random.Random(3)
        while not done:
            ring = [DOWN + 4 * looks.randrange(SIZE)] if written >= SIZE else []
            address = looks.choice([0, DOWN_HEAD, DOWN_TAIL, UP_HEAD, 0x7000] + 3 * ring)
            await master.read(address, 4)
            await ClockCycles(dut.clock, looks.randint(20, 60))

    sending = cocotb.start_soon(sender())
    looking = cocotb.start_soon(onlooker())
    await receiver()
    await sending
    done = True
    await looking
    await ClockCycles(dut.clock, 300)
    assert await index(master, UP_TAIL) == await index(master, UP_HEAD), "more frames than were sent"
    assert int(dut.dropped.value) == 0
    dut._log.info("%d frames down and up", FRAMES)

// Runs the Verilated chip for the host at the other end of two pipes, one request at a time. Numbers are little-endian.
//
//   request   u32 length · u32 frames · u64 cycles and, in bit 63, whether to record waveforms · the bytes for the chip
//   answer    u32 length · u32 untaken · u64 cycle · the bytes from the chip
//
// The clock runs until the chip has taken all bytes and sent `frames` delimiters (zeros), but for no more than `cycles`
// cycles. `untaken` bytes stay here for the next request; `cycle` counts from the start. The end of the input ends it all.
//
//   chip [FILE.vcd]
//
// With BAUD_STEP defined, the chip is behind a serial line of so many bits in 65536 cycles, 8 data bits, no parity, one stop bit.
//
// With AXI defined, the chip is behind AXI4-Lite, and the bytes for it are transfers of 8 bytes each: an address, whose bit 31 is set
// for a write, and the word to write. A read answers with its word, 4 bytes, and counts as a frame.

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <vector>

#include "Vchip.h"
#include "verilated.h"
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif

static constexpr size_t HEAD = 16;

static uint64_t get(const uint8_t* bytes, int count) {
    uint64_t value = 0;
    while (count-- > 0) value = value << 8 | bytes[count];
    return value;
}

static void put(uint8_t* bytes, int count, uint64_t value) {
    for (int i = 0; i < count; i++) bytes[i] = value >> (8 * i);
}

#ifdef BAUD_STEP
static bool next_bit(uint32_t& phase) {
    phase += BAUD_STEP;
    const bool next = phase >= 65536;
    if (next) phase -= 65536;
    return next;
}

// Bytes to the chip, a bit after the other.
struct Sender {
    uint32_t phase = 0, shift = 0;
    int left = 0;

    void begin(uint8_t byte) {
        shift = 0x200 | byte << 1;
        left = 10;
        phase = 0;
    }
    bool level() const { return left == 0 || (shift & 1); }
    // After a cycle: whether the byte has been sent.
    bool step() {
        if (left == 0 || !next_bit(phase)) return false;
        shift >>= 1;
        return --left == 0;
    }
};

// Bytes from the chip, each bit looked at in its middle.
struct Receiver {
    uint32_t phase = 0, shift = 0;
    int left = 0;

    // After a cycle: whether there is a byte.
    bool step(bool level) {
        if (left == 0) {
            if (level) return false;
            left = 10;
            phase = 65536 / 2;
        }
        if (!next_bit(phase)) return false;
        shift = shift >> 1 | level << 9;
        return --left == 0;
    }
    uint8_t byte() const { return shift >> 1; }
};
#endif

#ifdef AXI
// One transfer after the other.
struct Master {
    bool busy = false, write = false, address_said = false, data_said = false;
    uint32_t address = 0, data = 0;

    void begin(const std::deque<uint8_t>& transfer) {
        uint8_t bytes[8];
        std::copy_n(transfer.begin(), 8, bytes);
        address = get(bytes, 4) & 0x7fffffff;
        data = get(bytes + 4, 4);
        write = bytes[3] & 0x80;
        busy = true;
        address_said = data_said = false;
    }
    void drive(Vchip& chip) const {
        chip.s_axi_awaddr = chip.s_axi_araddr = address;
        chip.s_axi_awvalid = busy && write && !address_said;
        chip.s_axi_wdata = data;
        chip.s_axi_wstrb = 15;
        chip.s_axi_wvalid = busy && write && !data_said;
        chip.s_axi_arvalid = busy && !write && !address_said;
        chip.s_axi_bready = chip.s_axi_rready = 1;
    }
    // Before the edge: whether the transfer ends with it.
    bool step(const Vchip& chip) {
        if (!busy) return false;
        if (write) {
            address_said |= chip.s_axi_awvalid && chip.s_axi_awready;
            data_said |= chip.s_axi_wvalid && chip.s_axi_wready;
        } else {
            address_said |= chip.s_axi_arvalid && chip.s_axi_arready;
        }
        const bool done = write ? chip.s_axi_bvalid : chip.s_axi_rvalid;
        if (done) busy = false;
        return done;
    }
};
#endif

int main(int argc, char** argv) {
    // A Ctrl-C is for the host, which then closes the pipe.
    std::signal(SIGINT, SIG_IGN);

    const auto context = std::make_unique<VerilatedContext>();
#if VM_TRACE
    context->traceEverOn(true);
#endif
    const auto chip = std::make_unique<Vchip>(context.get());
#if VM_TRACE
    VerilatedVcdC trace;
    chip->trace(&trace, 99);
    trace.open(argc > 1 ? argv[1] : "chip.vcd");
#endif

    bool recording = false;
    const auto eval = [&](bool level) {
        chip->clock = level;
        chip->eval();
#if VM_TRACE
        if (recording) trace.dump(context->time());
        context->timeInc(1);
#endif
    };

    std::deque<uint8_t> rx;
    std::vector<uint8_t> in, out;
    uint64_t cycle = 0;
    uint8_t head[HEAD];
#ifdef BAUD_STEP
    Sender sender;
    Receiver receiver;
#elif defined(AXI)
    Master master;
    chip->s_axi_aresetn = 1;
#else
    chip->tx_ready = 1;
#endif
    while (std::fread(head, 1, HEAD, stdin) == HEAD) {
        const auto length = get(head, 4), frames = get(head + 4, 4), cycles = get(head + 8, 8) << 1 >> 1;
        recording = head[15] & 0x80;
        in.resize(length);
        if (std::fread(in.data(), 1, length, stdin) != length) break;
        rx.insert(rx.end(), in.begin(), in.end());

        out.assign(HEAD, 0);
        uint64_t sent = 0;
        for (const auto end = cycle + cycles; cycle != end && !(rx.empty() && sent >= frames); cycle++) {
#ifdef AXI
            if (!master.busy && rx.size() >= 8) master.begin(rx);
            master.drive(*chip);
            eval(false);
            if (master.step(*chip)) {
                rx.erase(rx.begin(), rx.begin() + 8);
                if (!master.write) {
                    const auto at = out.size();
                    out.resize(at + 4);
                    put(out.data() + at, 4, chip->s_axi_rdata);
                    sent++;
                }
            }
            eval(true);
#else
#ifdef BAUD_STEP
            if (sender.left == 0 && !rx.empty()) sender.begin(rx.front());
            chip->rx = sender.level();
            eval(false);
            const bool taken = sender.step(), came = receiver.step(chip->tx);
            const uint8_t byte = receiver.byte();
#else
            chip->rx_valid = !rx.empty();
            chip->rx_data = rx.empty() ? 0 : rx.front();
            eval(false);
            const bool taken = chip->rx_valid && chip->rx_ready, came = chip->tx_valid;
            const uint8_t byte = chip->tx_data;
#endif
            if (came) {
                out.push_back(byte);
                sent += byte == 0;
            }
            eval(true);
            if (taken) rx.pop_front();
#endif
        }

        put(out.data(), 4, out.size() - HEAD);
        put(out.data() + 4, 4, rx.size());
        put(out.data() + 8, 8, cycle);
        if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size() || std::fflush(stdout) != 0) break;
    }
    chip->final();
#if VM_TRACE
    trace.close();
#endif
}

// Runs the jobs of a file through one core: a job is the number of its words, then the words. Prints a line a result, and on
// standard error the speed.
#include "Vtop.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

int main(int count, char **arguments) {
    if (count != 3) return 2;
    Vtop core;
    FILE *weights = fopen(arguments[1], "r");
    FILE *jobs = fopen(arguments[2], "r");
    if (!weights || !jobs) return 2;

    unsigned word;
    for (unsigned index = 0; fscanf(weights, "%u", &word) == 1; index++) {
        core.clock = 0;
        core.weight_write = 1;
        core.weight_index = index;
        core.weight_data = word;
        core.eval();
        core.clock = 1;
        core.eval();
    }
    core.weight_write = 0;

    std::vector<unsigned> words;
    unsigned waiting = 0, length;
    while (fscanf(jobs, "%u", &length) == 1) {
        waiting++;
        while (length-- && fscanf(jobs, "%u", &word) == 1) words.push_back(word);
    }

    uint64_t cycles = 0, quiet = 0, busy = 0, nodes = 0;
    size_t next = 0;
    auto start = std::chrono::steady_clock::now();
    while (waiting > 0) {
        core.clock = 0;
        core.job_valid = next < words.size();
        core.job_word = next < words.size() ? words[next] : 0;
        core.result_ready = 1;
        core.eval();
        bool taken = core.job_valid && core.job_ready;
        busy += core.busy;
        quiet++;
        if (core.result_valid) {
            printf("%u %u %d %u %u %u\n", core.result_id, core.result_ending, int16_t(core.result_score),
                   core.result_best, core.result_nodes, core.result_slots);
            nodes += core.result_nodes;
            waiting--;
            quiet = 0;
        }
        core.clock = 1;
        core.eval();
        cycles++;
        next += taken;
        if (quiet > 10000000) {
            fprintf(stderr, "the core hangs with %u jobs\n", waiting);
            return 1;
        }
    }
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fprintf(stderr, "%.0f cycles/s, %.0f nodes/s, busy %.2f\n", cycles / seconds, nodes / seconds, double(busy) / cycles);
}

// What kernels use of CUDA, on the processor: g++ compiles their source after this.
//
// A block's threads are fibers that take turns. They run until they wait for each other, so
// everything between is atomic. The blocks of a grid run one after the other.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ucontext.h>
#include <vector>

struct Dimensions {
    unsigned x, y, z;
};

static Dimensions blockIdx, blockDim, gridDim;
static thread_local Dimensions threadIdx;

#define __device__ static inline
#define __global__
#define __forceinline__ inline

using std::max;
using std::min;

namespace emulator {

// Why a fiber waits: for its warp or for its block.
enum Waiting { RUNNING, WARP, BLOCK, ENDED };

struct Fiber {
    ucontext_t context;
    Waiting state;
    // What it brought to the others, and what it gets from them.
    unsigned long long value, mask;
    unsigned source;
};

static std::vector<Fiber> fibers;
static std::vector<std::vector<char>> stacks;
static ucontext_t scheduler;
static unsigned current;
static void (*body)(void **);
static void **arguments;
// The values of a warp, as they were when all had arrived.
static unsigned long long gathered[32];

static void fail(const char *why) {
    std::fprintf(stderr, "emulated GPU: %s\n", why);
    std::abort();
}

static void wait(Waiting why) {
    if (fibers.empty()) fail("threads wait for each other in a kernel that was taken for a plain one");
    fibers[current].state = why;
    swapcontext(&fibers[current].context, &scheduler);
}

// Waits for all other threads of the warp, which bring values too.
static void meet(unsigned long long value) {
    fibers[current].value = value;
    wait(WARP);
}

static void enter() {
    body(arguments);
    fibers[current].state = ENDED;
    swapcontext(&fibers[current].context, &scheduler);
}

static void resume(unsigned thread) {
    current = thread;
    threadIdx.x = thread;
    fibers[thread].state = RUNNING;
    swapcontext(&scheduler, &fibers[thread].context);
}

static bool all(unsigned begin, unsigned end, Waiting state) {
    bool any = false;
    for (unsigned i = begin; i < end; i++) {
        if (fibers[i].state == ENDED) continue;
        if (fibers[i].state != state) return false;
        any = true;
    }
    return any;
}

static void run_warp(unsigned begin, unsigned end) {
    for (;;) {
        if (!all(begin, end, WARP)) return;
        for (unsigned i = begin; i < end; i++) {
            gathered[i - begin] = fibers[i].state == WARP ? fibers[i].value : 0;
        }
        // Each reads what was gathered before it goes on to the next meeting.
        unsigned long long values[32];
        std::memcpy(values, gathered, sizeof values);
        for (unsigned i = begin; i < end; i++) {
            std::memcpy(gathered, values, sizeof values);
            if (fibers[i].state == WARP) resume(i);
        }
    }
}

static void run_block(unsigned threads) {
    const size_t STACK = 64 << 10;
    fibers.assign(threads, Fiber());
    while (stacks.size() < threads) stacks.emplace_back(STACK);
    for (unsigned i = 0; i < threads; i++) {
        getcontext(&fibers[i].context);
        fibers[i].context.uc_stack.ss_sp = stacks[i].data();
        fibers[i].context.uc_stack.ss_size = STACK;
        fibers[i].context.uc_link = nullptr;
        makecontext(&fibers[i].context, enter, 0);
        fibers[i].state = RUNNING;
    }
    for (unsigned i = 0; i < threads; i++) resume(i);
    for (;;) {
        for (unsigned i = 0; i < threads; i += 32) run_warp(i, min(i + 32, threads));
        if (!all(0, threads, BLOCK)) break;
        for (unsigned i = 0; i < threads; i++) {
            if (fibers[i].state == BLOCK) resume(i);
        }
    }
    for (const Fiber &fiber : fibers) {
        if (fiber.state != ENDED) fail("threads wait for others that never come");
    }
    fibers.clear();
}

static void run(void (*kernel)(void **), bool meets, Dimensions grid, Dimensions block,
                void **parameters) {
    if (grid.y != 1 || grid.z != 1 || block.y != 1 || block.z != 1) fail("only one dimension");
    body = kernel;
    arguments = parameters;
    gridDim = grid;
    blockDim = block;
    for (blockIdx.x = 0; blockIdx.x < grid.x; blockIdx.x++) {
        if (meets) {
            run_block(block.x);
            continue;
        }
        for (threadIdx.x = 0; threadIdx.x < block.x; threadIdx.x++) kernel(parameters);
    }
}

} // namespace emulator

static inline unsigned lane_of_warp() { return threadIdx.x & 31; }

static inline void __syncthreads() { emulator::wait(emulator::BLOCK); }

static inline void __syncwarp() { emulator::meet(0); }

static inline unsigned __ballot_sync(unsigned, int value) {
    emulator::meet(value != 0);
    unsigned set = 0;
    for (unsigned i = 0; i < 32; i++) set |= (unsigned)(emulator::gathered[i] & 1) << i;
    return set;
}

static inline int __any_sync(unsigned mask, int value) { return __ballot_sync(mask, value) != 0; }

template <class T> static inline T __shfl_sync(unsigned, T value, unsigned source) {
    unsigned long long bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    emulator::meet(bits);
    std::memcpy(&value, &emulator::gathered[source & 31], sizeof value);
    return value;
}

template <class T> static inline T __shfl_xor_sync(unsigned mask, T value, unsigned distance) {
    return __shfl_sync(mask, value, lane_of_warp() ^ distance);
}

template <class T> static inline T atomicAdd(T *at, T value) {
    T before = *at;
    *at = before + value;
    return before;
}

template <class T> static inline T atomicExch(T *at, T value) {
    T before = *at;
    *at = value;
    return before;
}

template <class T> static inline T atomicCAS(T *at, T expected, T value) {
    T before = *at;
    if (before == expected) *at = value;
    return before;
}

static inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
static inline int __popcll(unsigned long long bits) { return __builtin_popcountll(bits); }
static inline int __clz(unsigned bits) { return bits ? __builtin_clz(bits) : 32; }

static inline double __longlong_as_double(long long bits) {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float __int_as_float(int bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// Expectimax in many positions at once, breadth first.
//
// A level holds all states that are searched as deep: the positions asked about (roots) join at
// their depth. Going down, a level's states slide; equal afterstates become one (a hash table
// finds them), are valued by the network, and those within the pruning margin get new states, one
// for each spawn, in the level below. Going up, an afterstate takes the mean of its states, and a
// state the best of its afterstates.
//
// Values are those of the search on the processor (crates/expectimax) to the last bit: sums are
// exact, since values are rounded to whole units, and nothing is fused (--fmad=false). So it does
// not matter in which order threads find boards.
//
// A kernel that finds a buffer too short sets `overflow`, and all that follow do nothing.

typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned long long u64;

#define FULL 0xffffffffu
#define NONE 0xffffffffu
// A child that is no slot of the hash table but the number of an afterstate.
#define UNHASHED 0x80000000u
// An afterstate that is about to get its states.
#define CLAIMED 0xfffffffeu
#define MOST_PROBES 64
#define UNITS_PER_POINT 1048576.0
#define LOW_BITS 0x1111111111111111ull

// Where everything is, and what does not change between searches.
struct Search {
    const u64 *rows;
    const short *weights;
    u64 *keys;
    u32 *numbers;
    u64 *boards;
    double *values;
    u32 *children;
    u32 *points;
    u64 *afterstates;
    double *leaves;
    double *means;
    u32 *first;
    u64 most_keys, most_states, most_afterstates;
    double quantum, base, lost, margin, twos, fours;
};

// A level of states searched equally deep, and its afterstates, which go on to the beginning of
// the next level's.
struct Level {
    u64 begin, end, afterstates, mask;
};

// Used parts of the buffers.
struct Used {
    u64 states, afterstates, overflow;
};

__device__ double minus_infinity() {
    return -__longlong_as_double(0x7ff0000000000000ll);
}

__device__ double rounded(double value) {
    return rint(value * UNITS_PER_POINT) * (1.0 / UNITS_PER_POINT);
}

__device__ u64 swap(u64 bits, u32 distance, u64 mask) {
    u64 differ = (bits ^ bits >> distance) & mask;
    return bits ^ differ ^ differ << distance;
}

__device__ u64 transposed(u64 b) {
    return swap(swap(b, 12, 0x0000f0f00000f0f0ull), 24, 0x00000000ff00ff00ull);
}

__device__ u64 mirrored(u64 b) {
    return swap(swap(b, 4, 0x0f0f0f0f0f0f0f0full), 8, 0x00ff00ff00ff00ffull);
}

__device__ u64 flipped(u64 b) {
    b = swap(b, 16, 0x0000ffff0000ffffull);
    return b << 32 | b >> 32;
}

// The smallest of a board's images.
__device__ u64 smallest_image(u64 b) {
    u64 least = b, turned = transposed(b);
    for (u32 i = 0; i < 2; i++) {
        u64 image = i ? turned : b, other = mirrored(image);
        least = min(min(least, image), min(other, min(flipped(image), flipped(other))));
    }
    return least;
}

__device__ u64 empty_cells(u64 b) {
    return ~(b | b >> 1 | b >> 2 | b >> 3) & LOW_BITS;
}

// As Board::halved(13): tiles above the largest missing exponent are halved, until none is above
// 8192.
__device__ u64 halved(u64 b) {
    while (b >> 1 & b >> 2 & b >> 3 & LOW_BITS) {
        u32 present = 0;
        for (u32 i = 0; i < 64; i += 4) present |= 1u << (b >> i & 15);
        u32 largest = 31 - __clz(present);
        u32 missing = ~present & ((1u << largest) - 2);
        if (missing == 0) break;
        missing = 31 - __clz(missing);
        const u64 low = 0x0f0f0f0f0f0f0f0full, ones = 0x0101010101010101ull;
        u64 add = ones * (127 - missing);
        u64 even = ((b & low) + add) >> 7 & ones, odd = ((b >> 4 & low) + add) >> 7 & ones;
        b -= even + (odd << 4);
    }
    return b;
}

// The sum of the weights of an image, in quanta.
__device__ int image_sum(const short *weights, u64 b) {
    u32 at0 = (u32)(b >> 40);
    u32 at1 = (u32)(b >> 24 & 0xffffff) | 1u << 24;
    u32 at2 = (u32)(b >> 52 << 12 | (b >> 36 & 0xfff)) | 2u << 24;
    u32 at3 = (u32)((b >> 36 & 0xfff) << 12 | (b >> 20 & 0xfff)) | 3u << 24;
    return weights[at0] + weights[at1] + weights[at2] + weights[at3];
}

// The network's value of an afterstate: NTupleNetwork::value.
__device__ double network_value(const Search &search, u64 board) {
    const short *weights = search.weights;
    // Boards with a 16384 have weights of their own.
    if (board >> 1 & board >> 2 & board >> 3 & LOW_BITS) {
        weights += STAGE_WEIGHTS;
        board = halved(board);
    }
    u64 other = mirrored(board), turned = transposed(board), turned_other = mirrored(turned);
    int sum = image_sum(weights, board) + image_sum(weights, other) +
              image_sum(weights, flipped(board)) + image_sum(weights, flipped(other)) +
              image_sum(weights, turned) + image_sum(weights, turned_other) +
              image_sum(weights, flipped(turned)) + image_sum(weights, flipped(turned_other));
    return rounded((double)sum * search.quantum + search.base);
}

// All four slides of a board, in the order of Move::ALL, and their points to the sides and up and
// down. A row of the table has its slides to the left and to the right, and its points.
__device__ void slides(const u64 *rows, u64 board, u64 after[4], u32 points[2]) {
    for (u32 axis = 0; axis < 2; axis++) {
        u64 lines = axis ? transposed(board) : board, left = 0, right = 0;
        points[axis] = 0;
        for (u32 i = 0; i < 64; i += 16) {
            u64 row = rows[lines >> i & 0xffff];
            left |= (row & 0xffff) << i;
            right |= (row >> 16 & 0xffff) << i;
            points[axis] += (u32)(row >> 32);
        }
        after[2 * axis] = axis ? transposed(left) : left;
        after[2 * axis + 1] = axis ? transposed(right) : right;
    }
}

// The slot of a board in the hash table, NONE if it found none. `added` if it was not there.
__device__ u32 slot_of(const Search &search, u64 mask, u64 board, bool &added) {
    u64 at = board * 0x9e3779b97f4a7c15ull;
    at ^= at >> 32;
    for (u32 probe = 0; probe < MOST_PROBES; probe++, at++) {
        u32 slot = (u32)(at & mask);
        u64 there = *(volatile u64 *)&search.keys[slot];
        if (there == board) return slot;
        if (there != 0) continue;
        there = atomicCAS(&search.keys[slot], 0ull, board);
        added = there == 0;
        if (added || there == board) return slot;
    }
    return NONE;
}

// Begins a level: the roots of this depth join the states that were made for it. One block.
extern "C" __global__ void open_level(const Search *place, Level *levels, Used *used,
                                      const u64 *roots, u64 *places, u32 depth, u32 first_root,
                                      u32 last_root, u32 top) {
    if (used->overflow) return;
    u64 begin = used->states, number = last_root - first_root;
    bool fits = begin + number <= place->most_states;
    for (u32 i = threadIdx.x; fits && i < number; i += blockDim.x) {
        place->boards[begin + i] = roots[first_root + i];
        places[first_root + i] = begin + i;
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
    Level level;
    level.begin = top ? 0 : levels[depth + 1].end;
    level.end = begin + number;
    level.afterstates = used->afterstates;
    // Two to four slots for a state, which has about as many different afterstates as one.
    u64 slots = 1024;
    while (slots < 2 * (level.end - level.begin) && slots < place->most_keys) slots *= 2;
    level.mask = slots - 1;
    levels[depth] = level;
    used->states = level.end;
    if (!fits) used->overflow = 1;
}

// Empties the hash table.
extern "C" __global__ void clear_slots(const Search *place, const Level *levels, const Used *used,
                                       u32 depth) {
    if (used->overflow) return;
    u64 *keys = place->keys, mask = levels[depth].mask;
    u64 step = (u64)gridDim.x * blockDim.x;
    for (u64 at = (u64)blockIdx.x * blockDim.x + threadIdx.x; at <= mask; at += step) keys[at] = 0;
}

// Slides the states of a level. Their children are slots of the hash table for now.
extern "C" __global__ void slide(const Search *place, const Level *levels, Used *used,
                                 u32 depth) {
    // Others may set it meanwhile: a warp goes on or ends as one.
    if (__any_sync(FULL, used->overflow != 0)) return;
    const Search search = *place;
    const Level level = levels[depth];
    u32 lane = threadIdx.x & 31;
    u64 step = (u64)gridDim.x * blockDim.x;
    // All threads of a warp go round as often.
    for (u64 base = level.begin + (u64)blockIdx.x * blockDim.x; base < level.end; base += step) {
        u64 at = base + threadIdx.x, after[4];
        u32 points[2];
        bool real = at < level.end;
        u64 board = real ? search.boards[at] : 0;
        slides(search.rows, board, after, points);
        for (u32 m = 0; m < 4; m++) {
            bool legal = after[m] != board, added = false;
            u32 child = NONE;
            // Images have the same value. Looking for one pays off at higher levels.
            u64 key = legal && depth > 2 ? smallest_image(after[m]) : after[m];
            if (legal) {
                child = slot_of(search, level.mask, key, added);
                added |= child == NONE;
            }
            u32 adding = __ballot_sync(FULL, added);
            u64 number = 0;
            if (lane == 0 && adding) number = atomicAdd(&used->afterstates, (u64)__popc(adding));
            number = __shfl_sync(FULL, number, 0) + __popc(adding & ((1u << lane) - 1));
            if (added && number < search.most_afterstates) {
                search.afterstates[number] = key;
                search.first[number] = NONE;
                if (child == NONE) child = UNHASHED | (u32)number;
                else search.numbers[child] = (u32)number;
            } else if (added) {
                used->overflow = 1;
            }
            if (real) search.children[4 * at + m] = child;
        }
        if (real) {
            search.points[2 * at] = points[0];
            search.points[2 * at + 1] = points[1];
        }
    }
}

// Values the afterstates of the newest level by the network.
extern "C" __global__ void value_leaves(const Search *place, const Level *levels,
                                        const Used *used, u32 depth) {
    if (used->overflow) return;
    const Search search = *place;
    u64 step = (u64)gridDim.x * blockDim.x, end = used->afterstates;
    u64 at = levels[depth].afterstates + (u64)blockIdx.x * blockDim.x + threadIdx.x;
    for (; at < end; at += step) search.leaves[at] = network_value(search, search.afterstates[at]);
}

// The number of a child's afterstate.
__device__ u32 number_of(const Search &search, u32 child) {
    return child & UNHASHED ? child & ~UNHASHED : search.numbers[child];
}

// Keeps the children of a level's states that are within the pruning margin, now by their
// numbers, and makes the states of each kept afterstate.
extern "C" __global__ void spawn(const Search *place, const Level *levels, Used *used,
                                 u32 depth) {
    if (used->overflow) return;
    const Search search = *place;
    const Level level = levels[depth];
    u32 tiles = (search.twos > 0.0) + (search.fours > 0.0);
    u64 step = (u64)gridDim.x * blockDim.x;
    u64 at = level.begin + (u64)blockIdx.x * blockDim.x + threadIdx.x;
    for (; at < level.end; at += step) {
        u32 *children = &search.children[4 * at], number[4];
        double value[4], most = minus_infinity();
        for (u32 m = 0; m < 4; m++) {
            number[m] = NONE;
            if (children[m] == NONE) continue;
            number[m] = number_of(search, children[m]);
            value[m] = (double)search.points[2 * at + m / 2] + search.leaves[number[m]];
            most = fmax(most, value[m]);
        }
        for (u32 m = 0; m < 4; m++) {
            if (number[m] != NONE && !(most - value[m] <= search.margin)) number[m] = NONE;
            children[m] = number[m];
            // The first that needs its states makes them.
            if (number[m] == NONE ||
                atomicCAS(&search.first[number[m]], NONE, CLAIMED) != NONE) continue;
            u64 afterstate = search.afterstates[number[m]], empty = empty_cells(afterstate);
            u64 states = (u64)__popcll(empty) * tiles;
            u64 next = atomicAdd(&used->states, states);
            if (next + states > search.most_states) {
                used->overflow = 1;
                continue;
            }
            search.first[number[m]] = (u32)next;
            for (; empty; empty &= empty - 1) {
                u64 cell = empty & (0 - empty);
                if (search.twos > 0.0) search.boards[next++] = afterstate | cell;
                if (search.fours > 0.0) search.boards[next++] = afterstate | cell * 2;
            }
        }
    }
}

// The means of a level's afterstates over their states.
extern "C" __global__ void take_means(const Search *place, const Level *levels, const Used *used,
                                      u32 depth) {
    if (used->overflow) return;
    const Search search = *place;
    u64 step = (u64)gridDim.x * blockDim.x, end = levels[depth - 1].afterstates;
    u64 at = levels[depth].afterstates + (u64)blockIdx.x * blockDim.x + threadIdx.x;
    for (; at < end; at += step) {
        u32 state = search.first[at];
        if (state == NONE) continue;
        u32 cells = __popcll(empty_cells(search.afterstates[at]));
        double twos = 0.0, fours = 0.0;
        for (u32 i = 0; i < cells; i++) {
            if (search.twos > 0.0) twos += search.values[state++];
            if (search.fours > 0.0) fours += search.values[state++];
        }
        double total = search.twos * twos + search.fours * fours;
        search.means[at] = rounded(total * (1.0 / (double)cells));
    }
}

// The value of a slide of a state; minus infinity if it was not searched.
__device__ double slide_value(const Search &search, u64 state, u32 m, u32 depth) {
    u32 child = search.children[4 * state + m];
    if (child == NONE) return minus_infinity();
    double points = (double)search.points[2 * state + m / 2];
    return points + (depth > 1 ? search.means[child] : search.leaves[number_of(search, child)]);
}

// The values of a level's states: those of their best slides.
extern "C" __global__ void take_best(const Search *place, const Level *levels, const Used *used,
                                     u32 depth) {
    if (used->overflow) return;
    const Search search = *place;
    const Level level = levels[depth];
    u64 step = (u64)gridDim.x * blockDim.x;
    u64 at = level.begin + (u64)blockIdx.x * blockDim.x + threadIdx.x;
    for (; at < level.end; at += step) {
        double best = minus_infinity();
        for (u32 m = 0; m < 4; m++) best = fmax(best, slide_value(search, at, m, depth));
        search.values[at] = best == minus_infinity() ? search.lost : best;
    }
}

// The values of the slides of the roots.
extern "C" __global__ void answer(const Search *place, const Used *used, const u64 *places,
                                  const u32 *depths, double *answers, u32 number) {
    if (used->overflow) return;
    u32 root = blockIdx.x * blockDim.x + threadIdx.x;
    if (root >= number) return;
    for (u32 m = 0; m < 4; m++) {
        answers[4 * root + m] = slide_value(*place, places[root], m, depths[root]);
    }
}

// The backward pass: values of boards, as backward.rs computes them.
//
// A set has one canonical board of each class, and the value of a board is found by its rank. Sets
// are stored in lines of 32 bytes, the unit in which memory is read: the number of boards before
// the line, then 224 bits. So a rank takes one read. The arithmetic is that of the processor, in
// its order: 64-bit values are the same bit by bit, 32-bit values round each sum once more.
//
// Compiled with WIDTH (bits of a value: 32 or 64) and CHANCE (1: win probabilities, 0: numbers with
// tags for sure wins and losses).

typedef long long i64;

#define LINE 7u
// Ranks begin anew after this many lines, so that they fit 32 bits.
#define STRETCH 4096u
#define NOWHERE 0xffffffffffffffffull
// Copies of a sum, so that blocks of threads stay out of each other's way.
#define TALLIES 64u

#if WIDTH == 64
typedef u64 Value;
__device__ double number_of(Value bits) { return __longlong_as_double((i64)bits); }
__device__ Value bits_of(double x) { return (Value)__double_as_longlong(x); }
__device__ double least() { return 2.2250738585072014e-308; }
#else
typedef u32 Value;
__device__ double number_of(Value bits) { return (double)__uint_as_float(bits); }
__device__ Value bits_of(double x) { return __float_as_uint((float)x); }
__device__ double least() { return 1.17549435082228750797e-38; }
#endif

// Positive numbers stay positive when rounded.
__device__ Value positive(double x) { return x > 0.0 ? bits_of(x < least() ? least() : x) : 0; }

// How values follow from moves and means: as `Rule` in kernels.rs.
struct Rule {
    double two, four, discount;
    // The value of a win, what a move adds, and whether its score is added.
    double won, step;
    u64 scores;
};

#if CHANCE
#define LOST ((Value)0)
#define CERTAIN (~(Value)0)
struct Sum { double p, q; };
__device__ Sum nothing() { Sum s = {0.0, 0.0}; return s; }
__device__ void add(Sum &sum, Value w) {
    double small = number_of(w < (Value)~w ? w : (Value)~w), large = 1.0 - small;
    bool low = w <= bits_of(0.5);
    sum.p += low ? small : large;
    sum.q += low ? large : small;
}
__device__ Value capped(double x) { return positive(x > 0.5 ? 0.5 : x); }
__device__ Value mean(const Rule &rule, Sum twos, Sum fours, double cells) {
    double p = (rule.two * twos.p + rule.four * fours.p) / cells;
    double q = (rule.two * twos.q + rule.four * fours.q) / cells;
    return p <= q ? capped(p) : (Value)~capped(q);
}
__device__ Value won(const Rule &rule) { return CERTAIN; }
__device__ Value of_move(const Rule &rule, Value after, double score) { return after; }
struct Best { Value best; };
__device__ Best worst() { Best b = {LOST}; return b; }
__device__ void better(Best &b, Value move) { if (move > b.best) b.best = move; }
__device__ Value value_of(const Best &b) { return b.best; }
__device__ bool is_sure_win(Value w) { return w == CERTAIN; }
__device__ bool is_sure_loss(Value w) { return w == LOST; }
#else
#define TAG ((Value)3)
#define SURE_WIN ((Value)2)
#define SURE_LOSS ((Value)1)
#define LOST SURE_LOSS
struct Sum { double number; Value tags; };
__device__ Sum nothing() { Sum s = {0.0, TAG}; return s; }
__device__ double plain(Value w) { return number_of(w & ~TAG); }
__device__ Value tagged(double x, Value tags) { return (positive(x) & ~TAG) | tags; }
__device__ void add(Sum &sum, Value w) {
    sum.number += plain(w);
    sum.tags &= w;
}
__device__ Value mean(const Rule &rule, Sum twos, Sum fours, double cells) {
    double number = (rule.two * twos.number + rule.four * fours.number) / cells;
    return tagged(number, twos.tags & fours.tags);
}
__device__ Value won(const Rule &rule) { return tagged(rule.won, SURE_WIN); }
__device__ Value of_move(const Rule &rule, Value after, double score) {
    double number = plain(after);
    number = rule.discount < 1.0 ? rule.discount * number : (rule.step + score) + number;
    return tagged(number, after & TAG);
}
struct Best { double best; Value any, all; };
__device__ Best worst() { Best b = {0.0, 0, SURE_LOSS}; return b; }
__device__ void better(Best &b, Value move) {
    double number = plain(move);
    if (number > b.best) b.best = number;
    b.any |= move & SURE_WIN;
    b.all &= move;
}
__device__ Value value_of(const Best &b) { return tagged(b.best, b.any | b.all); }
__device__ bool is_sure_win(Value w) { return w & SURE_WIN; }
__device__ bool is_sure_loss(Value w) { return w & SURE_LOSS; }
#endif

// Boards of a layer by rank, and their values: as `GpuSet` in ranked.rs.
struct Set {
    const uint4 *lines;
    // Boards before each stretch.
    const u64 *before;
    const Block *blocks;
    const Value *values;
    u64 first, number;
};

// The rank of the board at a position, or NOWHERE.
__device__ u64 rank_at(const Set &set, u64 position) {
    u64 word = position >> 5;
    u64 line = word / LINE;
    u32 slot = (u32)(word - line * LINE), bit = (u32)position & 31;
    uint4 x = __ldg(set.lines + 2 * line), y = __ldg(set.lines + 2 * line + 1);
    u32 words[7] = {x.y, x.z, x.w, y.x, y.y, y.z, y.w};
    u32 rank = x.x, own = 0;
#pragma unroll
    for (u32 i = 0; i < 7; i++) {
        rank += i < slot ? __popc(words[i]) : 0;
        own = i == slot ? words[i] : own;
    }
    if (!(own >> bit & 1)) return NOWHERE;
    return __ldg(set.before + line / STRETCH) + rank + __popc(own & ((1u << bit) - 1));
}

__device__ u64 mirrored(const Tables &t, u64 b) {
    b = (b & 0x0f0f0f0f0f0f0f0full) << 4 | (b >> 4 & 0x0f0f0f0f0f0f0f0full);
    b = (b & 0x00ff00ff00ff00ffull) << 8 | (b >> 8 & 0x00ff00ff00ff00ffull);
    return b << t.gap;
}

__device__ u64 flipped(const Tables &t, u64 b) {
    b = b << 32 | b >> 32;
    b = (b & 0x0000ffff0000ffffull) << 16 | (b >> 16 & 0x0000ffff0000ffffull);
    return b << (16 * (4 - t.top_rows - t.bottom_rows));
}

__device__ u64 reading(const Tables &t, u64 board) { return max(board, mirrored(t, board)); }

// The image of a board under the symmetry with a number, see `Symmetry::ALL`.
__device__ u64 image_of(const Tables &t, u64 board, u32 symmetry) {
    if (symmetry & 4) board = transposed(board);
    if (symmetry & 1) board = mirrored(t, board);
    return symmetry & 2 ? flipped(t, board) : board;
}

// The sum of the tiles in the first half of the rows, walls counted as 32768.
__device__ u32 first_half(const Tables &t, u64 board) {
    u32 rows = t.top_rows + t.bottom_rows, sum = 0;
    for (u32 at = 16 * (4 - (rows + 1) / 2); at < 64; at += 4) {
        u32 exponent = (u32)(board >> at) & 15;
        if (exponent) sum += 1u << exponent;
    }
    return sum;
}

// The canonical image of a board of a game that is not folded: the one that reads largest; if the
// game has all symmetries of its shape, of those with the largest sum in the first half.
__device__ u64 canonical_unfolded(const Tables &t, u64 board) {
    if (t.symmetries == 1) return board;
    bool weigh = t.symmetries == (t.square ? 0xff : 0x0f);
    u64 best = 0;
    u32 most = 0;
    for (u32 i = 0; i < 8; i++) {
        if (!(t.symmetries >> i & 1)) continue;
        u64 image = image_of(t, board, i);
        u32 sum = weigh ? first_half(t, image) : 0;
        if (sum > most || (sum == most && image > best)) {
            best = image;
            most = sum;
        }
    }
    return best;
}

// The canonical image: the one with the largest sum in its first half of rows, then the one with
// the largest reading.
__device__ u64 canonical(const Tables &t, u64 board) {
    if (!t.folded) return canonical_unfolded(t, board);
    u32 r0 = (u32)(board >> 48), r1 = (u32)(board >> 32) & 0xffff;
    u32 r2 = (u32)(board >> 16) & 0xffff, r3 = (u32)board & 0xffff;
    u64 sums = t.sides[r0 >> t.gap] + t.sides[r1 >> t.gap] + t.sides[r2 >> t.gap] + t.sides[r3 >> t.gap];
    u32 a = units(info(t, 0, r0)), b = units(info(t, 0, r1));
    u32 c = units(info(t, 0, r2)), d = units(info(t, 0, r3));
    u32 rows = t.top_rows + t.bottom_rows;
    u32 top = rows > 2 ? a + b : a, bottom = rows == 4 ? c + d : rows == 3 ? b + c : rows == 2 ? b : a;
    u32 left = t.square ? (u32)(sums >> 32) : 0, right = t.square ? (u32)sums : 0;
    u32 most = max(max(top, bottom), max(left, right));
    u64 best = 0;
    if (top == most) best = reading(t, board);
    if (bottom == most) best = max(best, reading(t, flipped(t, board)));
    if (t.square) {
        u64 turned = transposed(board);
        if (left == most) best = max(best, reading(t, turned));
        if (right == most) best = max(best, reading(t, flipped(t, turned)));
    }
    return best;
}

// The position of a canonical board.
__device__ u64 position_of(const Tables &t, const Set &set, u64 board) {
    u64 a = role_info(t, 0, board), b = role_info(t, 1, board);
    u64 c = role_info(t, 2, board), d = role_info(t, 3, board);
    u64 lead = t.bottom_rows == 2 ? d : c, other = t.bottom_rows == 2 ? c : d;
    u32 top_units = units(a) + units(b), bottom_units = units(c) + units(d);
    u32 bit = t.bottom_before[bottom_units * t.bottom_width + number_of_weight(lead)] +
              rank_of(lead, false) * count_of(other) + rank_of(other, false);
    const Block &block = set.blocks[top_units - (u32)set.first];
    return 64 * (block.offset + (u64)top_rank(t, a, b, false) * block.stride) + bit;
}

// The value of a board. Boards outside the set are lost.
__device__ Value value_at(const Tables &t, const Set &set, u64 board) {
    u64 rank = rank_at(set, position_of(t, set, canonical(t, board)));
    return rank == NOWHERE ? LOST : __ldg(set.values + rank);
}

__device__ u32 *slot_of(u32 *lines, u64 word) {
    u64 line = word / LINE;
    return lines + 8 * line + 1 + (word - line * LINE);
}

// Copies the canonical boards of a layer to lines.
extern "C" __global__ void keep(const Tables *tables, const u64 *words, const Block *blocks,
                                u32 number, u32 *lines) {
    const Tables &t = *tables;
    const Block &block = *block_with(blocks, number, blockIdx.x);
    SHARED;
    __shared__ u32 kept[8][32];
    u32 row = blockIdx.x - block.first_row, top = t.top_list[block.top_start + row];
    u64 from = 2 * (block.offset + (u64)row * block.stride);
    const u32 *bottoms = t.bottom_list + block.bottom_start;
    u32 words32 = 2 * block.stride, lane = threadIdx.x & 31;
    u32 *own = kept[threadIdx.x >> 5];
    if (!t.folded && t.symmetries == 1) {
        // Every board is the only one of its class.
        for (u32 w = threadIdx.x; w < words32; w += blockDim.x) {
            *slot_of(lines, from + w) = ((const u32 *)words)[from + w];
        }
        return;
    }
    for (u32 w = threadIdx.x & ~31u; w < words32; w += blockDim.x) {
        u32 word = w + lane < words32 ? ((const u32 *)words)[from + w + lane] : 0;
        own[lane] = 0;
        __syncwarp();
        each_bit_of_warp(word, 0, QUEUE, [&](u32 bit) {
            u64 board = board_of(t, top, bottoms[32 * w + bit]);
            if (canonical(t, board) == board) atomicOr(&own[bit >> 5], 1u << (bit & 31));
        });
        if (w + lane < words32) *slot_of(lines, from + w + lane) = own[lane];
        __syncwarp();
    }
}

// Writes the number of boards before each line of a stretch, and the number of boards of the
// stretch. One block of 256 threads per stretch.
extern "C" __global__ void rank(u32 *lines, u64 number, u64 *stretches) {
    __shared__ u32 sums[256];
    u64 first = (u64)blockIdx.x * STRETCH + 16 * threadIdx.x;
    u32 counts[16], sum = 0;
    for (u32 i = 0; i < 16; i++) {
        u32 count = 0;
        if (first + i < number) {
            const u32 *line = lines + 8 * (first + i);
            for (u32 j = 1; j <= LINE; j++) count += __popc(line[j]);
        }
        counts[i] = count;
        sum += count;
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (u32 step = 1; step < 256; step *= 2) {
        u32 before = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
        __syncthreads();
        sums[threadIdx.x] += before;
        __syncthreads();
    }
    u32 before = sums[threadIdx.x] - sum;
    for (u32 i = 0; i < 16 && first + i < number; i++) {
        lines[8 * (first + i)] = before;
        before += counts[i];
    }
    if (threadIdx.x == 255) stretches[blockIdx.x] = sums[255];
}

// Lists the positions of the boards of lines, by rank. One thread per line.
extern "C" __global__ void positions(const uint4 *lines, u64 number, const u64 *before, u64 *list) {
    u64 line = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (line >= number) return;
    uint4 x = lines[2 * line], y = lines[2 * line + 1];
    u32 words[7] = {x.y, x.z, x.w, y.x, y.y, y.z, y.w};
    u64 *to = list + before[line / STRETCH] + x.x;
    for (u32 i = 0; i < LINE; i++) {
        for (u32 word = words[i]; word; word &= word - 1) {
            *to++ = 32 * (line * LINE + i) + __ffs(word) - 1;
        }
    }
}

// Calls `visit` with every board of one row of a set and with its rank.
template <class Visit>
__device__ void each_board(const Tables &t, const Set &set, u16 *queue, Visit visit) {
    const Block &block = *block_with(set.blocks, (u32)set.number, blockIdx.x);
    u32 row = blockIdx.x - block.first_row, top = t.top_list[block.top_start + row];
    u64 from = 2 * (block.offset + (u64)row * block.stride);
    const u32 *bottoms = t.bottom_list + block.bottom_start;
    u32 words32 = 2 * block.stride, lane = threadIdx.x & 31;
    for (u32 w = threadIdx.x & ~31u; w < words32; w += blockDim.x) {
        u32 word = w + lane < words32 ? *slot_of((u32 *)set.lines, from + w + lane) : 0;
        each_bit_of_warp(word, 32 * w, queue, [&](u32 bit) {
            visit(board_of(t, top, bottoms[bit]), rank_at(set, 32 * from + bit));
        });
    }
}

// Values of afterstates, from the states one and two steps above. A set without blocks has no live
// state.
extern "C" __global__ void afterstate_values(const Tables *tables, const Rule *rules, const Set *sets,
                                             Value *values) {
    const Tables &t = *tables;
    const Rule &rule = *rules;
    SHARED;
    each_board(t, sets[0], QUEUE, [&](u64 board, u64 rank) {
        u64 empty = t.cells & ~filled(board);
        double chances[2] = {rule.two, rule.four};
        Sum sums[2] = {nothing(), nothing()};
        for (u32 kind = 0; kind < 2; kind++) {
            if (chances[kind] == 0.0) continue;
            const Set &above = sets[1 + kind];
            for (u64 rest = empty; rest; rest &= rest - 1) {
                u64 child = board | (rest & (0 - rest)) << kind;
                add(sums[kind], above.number ? value_at(t, above, child) : LOST);
            }
        }
        values[rank] = mean(rule, sums[0], sums[1], (double)__popcll(empty));
    });
}

// The score of a board's tiles if all of them grew from 2s.
__device__ double points(u64 board) {
    u32 sum = 0;
    for (; board; board >>= 4) {
        u32 exponent = (u32)board & 15;
        if (exponent > 1) sum += (exponent - 1) << exponent;
    }
    return (double)sum;
}

// Values of states, from their afterstates. Counts those without a slide, which are lost.
extern "C" __global__ void state_values(const Tables *tables, const Rule *rules, const Set *sets,
                                        Value *values, u64 *lost) {
    const Tables &t = *tables;
    const Rule &rule = *rules;
    SHARED;
    u32 stuck = 0;
    each_board(t, sets[0], QUEUE, [&](u64 board, u64 rank) {
        Best best = worst();
        u64 turned = transposed(board);
        u32 slides = 0;
        for (u32 way = 0; way < 4; way++) {
            u64 moved = slide(t, board, turned, way);
            if (moved == board || !is_allowed(t, moved)) continue;
            slides++;
            Value after = is_won(t, moved) ? won(rule)
                        : sets[1].number ? value_at(t, sets[1], moved) : LOST;
            double score = rule.scores ? points(moved) - points(board) : 0.0;
            better(best, of_move(rule, after, score));
        }
        values[rank] = value_of(best);
        stuck += slides == 0;
    });
    for (u32 step = 16; step; step /= 2) stuck += __shfl_xor_sync(0xffffffffu, stuck, step);
    if ((threadIdx.x & 31) == 0 && stuck) atomicAdd(lost + (blockIdx.x & (TALLIES - 1)), (u64)stuck);
}

// Looks up the values at positions, and whether a board is there.
extern "C" __global__ void lookup(const Set *set, const u64 *positions, u32 number, Value *found,
                                  u32 *there) {
    u32 at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= number) return;
    u64 rank = positions[at] == NOWHERE ? NOWHERE : rank_at(*set, positions[at]);
    there[at] = rank != NOWHERE;
    found[at] = rank == NOWHERE ? LOST : set->values[rank];
}

// Counts the bits of a layer.
extern "C" __global__ void count_bits(const u64 *words, u64 number, u64 *tally) {
    u64 bits = 0, step = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < number; i += step) {
        bits += __popcll(words[i]);
    }
    for (u32 step = 16; step; step /= 2) bits += __shfl_xor_sync(0xffffffffu, bits, step);
    if ((threadIdx.x & 31) == 0 && bits) atomicAdd(tally, bits);
}

// Counts the values that are sure wins, and those that are sure losses.
extern "C" __global__ void tally_sure(const Value *values, u64 number, u64 *tally) {
    u64 wins = 0, losses = 0, step = (u64)gridDim.x * blockDim.x;
    for (u64 i = (u64)blockIdx.x * blockDim.x + threadIdx.x; i < number; i += step) {
        wins += is_sure_win(values[i]);
        losses += is_sure_loss(values[i]);
    }
    for (u32 step = 16; step; step /= 2) {
        wins += __shfl_xor_sync(0xffffffffu, wins, step);
        losses += __shfl_xor_sync(0xffffffffu, losses, step);
    }
    if ((threadIdx.x & 31) == 0) {
        atomicAdd(&tally[0], wins);
        atomicAdd(&tally[1], losses);
    }
}

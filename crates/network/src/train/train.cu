// The two kernels of training. Eight threads share a game, one for each image of its board.
// The arithmetic is that of cpu.rs to the last bit: sums in the same order, no fused
// multiply-add (--fmad=false), errors as integers, whose order does not matter.

typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned long long u64;

#define LOOKUPS 32.0f
#define LARGEST_ERROR 524288.0f
#define COUNT_BITS 24
#define LOW_BITS 0x1111111111111111ull

struct Game {
    u64 board, before, chosen, rng;
    u32 moves, score, reward, unused;
};

struct EpisodeStats {
    u64 games, score, moves, largest[16];
};

__device__ u64 swap(u64 bits, u32 distance, u64 mask) {
    u64 differ = (bits ^ bits >> distance) & mask;
    return bits ^ differ ^ differ << distance;
}

__device__ u64 transposed(u64 b) {
    return swap(swap(b, 12, 0x0000f0f00000f0f0ull), 24, 0x00000000ff00ff00ull);
}

// Image number `lane`, in the order of Board::frame_images.
__device__ u64 image(u64 b, u32 lane) {
    if (lane & 4) b = transposed(b);
    if (lane & 1) b = swap(swap(b, 4, 0x0f0f0f0f0f0f0f0full), 8, 0x00ff00ff00ff00ffull);
    if (lane & 2) {
        b = swap(b, 16, 0x0000ffff0000ffffull);
        b = b << 32 | b >> 32;
    }
    return b;
}

// Boards with a 16384 have weights of their own once the second stage is added.
__device__ u32 stage(u64 bits, u32 staged) {
    return staged && (bits >> 1 & bits >> 2 & bits >> 3 & LOW_BITS) ? 1u << 26 : 0u;
}

// As `halved` in stages.rs: tiles above the largest missing exponent are halved, until none is
// above 8192.
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

__device__ void indices(u64 bits, u32 first, u32 at[4]) {
    at[0] = (u32)(bits >> 40) | first;
    at[1] = (u32)(bits >> 24 & 0xffffff) | 1u << 24 | first;
    at[2] = (u32)(bits >> 52 << 12 | (bits >> 36 & 0xfff)) | 2u << 24 | first;
    at[3] = (u32)((bits >> 36 & 0xfff) << 12 | (bits >> 20 & 0xfff)) | 3u << 24 | first;
}

// The sum of an image's weights.
__device__ float image_sum(const float *weights, u64 board, u32 lane, u32 staged) {
    u32 at[4], first = stage(board, staged);
    indices(image(first ? halved(board) : board, lane), first, at);
    float sum = 0.0f;
    for (u32 i = 0; i < 4; i++) sum += weights[at[i]];
    return sum;
}

// Adds up the images' sums in pairs; all eight threads get the output for the board.
__device__ float total(float sum) {
    for (u32 pair = 1; pair < 8; pair *= 2) sum += __shfl_xor_sync(0xffffffffu, sum, pair);
    return sum;
}

// An error as it is added up: an integer, above a count of one.
__device__ u64 counted(float error) {
    float held = fminf(fmaxf(error, -LARGEST_ERROR), LARGEST_ERROR);
    return (u64)(((long long)rintf(held) << COUNT_BITS) + 1);
}

__device__ u64 slide_rows(const u16 *table, u64 b) {
    return (u64)table[b >> 48] << 48 | (u64)table[b >> 32 & 0xffff] << 32 |
           (u64)table[b >> 16 & 0xffff] << 16 | (u64)table[b & 0xffff];
}

__device__ u32 score_of(const u32 *scores, u64 b) {
    return scores[b >> 48] + scores[b >> 32 & 0xffff] + scores[b >> 16 & 0xffff] +
           scores[b & 0xffff];
}

extern "C" __global__ void choose(Game *games, u32 number, const float *weights, u64 *errors,
                                  const u16 *left, const u16 *right, const u32 *scores,
                                  u32 staged) {
    u32 thread = blockIdx.x * blockDim.x + threadIdx.x;
    u32 lane = thread & 7, at = thread >> 3;
    bool real = at < number;
    u64 board = real ? games[at].board : 0, before = real ? games[at].before : 0;
    u64 turned = transposed(board), chosen = 0;
    u32 reward = 0;
    float most = -__int_as_float(0x7f800000), value = 0.0f;
    for (u32 m = 0; m < 4; m++) {
        u64 lines = m < 2 ? board : turned;
        u64 afterstate = slide_rows(m & 1 ? right : left, lines);
        if (m >= 2) afterstate = transposed(afterstate);
        bool legal = afterstate != board;
        float output = total(legal ? image_sum(weights, afterstate, lane, staged) : 0.0f);
        if (legal) {
            u32 score = score_of(scores, lines);
            float all = (float)score + output;
            if (all > most) {
                most = value = all;
                chosen = afterstate;
                reward = score;
            }
        }
    }
    float own = total(before ? image_sum(weights, before, lane, staged) : 0.0f);
    if (before) {
        u64 error = counted(value - own);
        u32 index[4], first = stage(before, staged);
        indices(image(first ? halved(before) : before, lane), first, index);
        for (u32 i = 0; i < 4; i++) atomicAdd(&errors[index[i]], error);
    }
    if (real && lane == 0) {
        games[at].chosen = chosen;
        games[at].reward = reward;
    }
}

__device__ u64 mix(u64 z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

__device__ u32 below(u64 &rng, u32 bound) {
    rng += 0x9e3779b97f4a7c15ull;
    return (u32)((mix(rng) >> 32) * bound >> 32);
}

__device__ u64 spawn(u64 &rng, u64 bits) {
    u64 empty = ~(bits | bits >> 1 | bits >> 2 | bits >> 3) & LOW_BITS;
    u32 skip = below(rng, __popcll(empty));
    for (u32 i = 0; i < skip; i++) empty &= empty - 1;
    u64 exponent = 1 + (below(rng, 10) == 0);
    return bits | (empty & (0 - empty)) * exponent;
}

__device__ void advance(Game &game, EpisodeStats *stats) {
    if (game.chosen) {
        game.score += game.reward;
        game.moves += 1;
        game.before = game.chosen;
        game.board = spawn(game.rng, game.chosen);
        return;
    }
    u32 largest = 0;
    for (u32 i = 0; i < 64; i += 4) largest = max(largest, (u32)(game.board >> i & 15));
    atomicAdd(&stats->games, 1ull);
    atomicAdd(&stats->score, (u64)game.score);
    atomicAdd(&stats->moves, (u64)game.moves);
    atomicAdd(&stats->largest[largest], 1ull);
    u64 one = spawn(game.rng, 0);
    game.board = spawn(game.rng, one);
    game.before = 0;
    game.moves = game.score = 0;
}

extern "C" __global__ void update(Game *games, u32 number, float *weights, float2 *coherence,
                                  u64 *errors, EpisodeStats *stats, u32 staged,
                                  float fixed) {
    u32 thread = blockIdx.x * blockDim.x + threadIdx.x;
    u32 lane = thread & 7, at = thread >> 3;
    bool real = at < number;
    u64 before = real ? games[at].before : 0;
    if (before) {
        u32 index[4], first = stage(before, staged);
        indices(image(first ? halved(before) : before, lane), first, index);
        for (u32 i = 0; i < 4; i++) {
            // The first thread takes the errors of all games of this step.
            u64 counted = atomicExch(&errors[index[i]], 0ull);
            if (counted == 0) continue;
            float count = (float)(u32)(counted & ((1u << COUNT_BITS) - 1));
            float sum = (float)((long long)counted >> COUNT_BITS);
            float2 past = coherence[index[i]];
            float rate = past.y > 0.0f ? fabsf(past.x) / past.y : 1.0f;
            if (fixed > 0.0f) rate = fixed;
            weights[index[i]] += fminf(rate * count, 1.0f) * (sum / count / LOOKUPS);
            past.x += sum;
            past.y += fabsf(sum) * sqrtf(count);
            coherence[index[i]] = past;
        }
    }
    // All eight threads have read the game.
    __syncwarp();
    if (real && lane == 0) {
        Game game = games[at];
        advance(game, stats);
        games[at] = game;
    }
}

// The numbers of classes of a layer, by Burnside's lemma: as census.rs has them.

// Adds up a number over the warp, and adds the sum to an entry of the tally.
__device__ void add_to_tally(u64 *tally, u32 place, u64 number) {
    for (u32 step = 16; step; step /= 2) number += __shfl_xor_sync(0xffffffffu, number, step);
    // Blocks of threads are spread over 64 copies of the tally, to stay out of each other's way.
    if ((threadIdx.x & 31) == 0 && number) {
        atomicAdd(&tally[32 * (blockIdx.x & 63) + place], number);
    }
}

// Counts all boards of a layer, folded or not, and the lost ones. One warp per row.
extern "C" __global__ void tally_rows(const Tables *tables, const u64 *words, const Block *blocks,
                                      u32 number, u32 rows, u32 detail, u32 lost,
                                      u64 *tally) {
    const Tables &t = *tables;
    u32 at = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (at >= rows) return;
    const Block &block = *block_with(blocks, number, at);
    u32 row = at - block.first_row, stride = block.stride;
    const u64 *bits = words + block.offset + (u64)row * stride;
    u32 top = t.top_list[block.top_start + row];
    u64 mirror = !t.folded || is_palindrome(info(t, 0, top >> 16)) ? 1 : 2;
    u64 all_cells = filled(board_of(t, top, 0));
    u32 own = detail ? largest_of(tiles_of(t, board_of(t, top, 0))) : (u32)t.largest;
    u64 below = 0;
    for (u32 e = own; e <= t.largest; e++) {
        const u64 *mask = t.up_to[e] + block.bottom_word;
        u64 sum = 0;
        for (u32 w = lane; w < stride; w += 32) {
            // Without detail the largest tile does not matter, and all boards count.
            u64 word = detail ? bits[w] & mask[w] : bits[w];
            u32 twice = block.untied >= 64 * (w + 1) ? 64 : block.untied > 64 * w ? block.untied - 64 * w : 0;
            sum += __popcll(word);
            sum += __popcll(twice == 64 ? word : word & ((1ull << twice) - 1));
        }
        add_to_tally(tally, e, mirror * (sum - below));
        below = sum;
    }
    // A lost board has a full top without equal neighbours, unless slides are forbidden.
    if (!lost) return;
    if (!t.mask_count && t.most >= 15 && (t.cells & ~all_cells & ~board_of(t, 0, 0xffffffffu))) return;
    __shared__ u16 queues[8][1024];
    const u32 *states = (const u32 *)bits, *stuck = (const u32 *)(t.stuck + block.bottom_word);
    const u32 *bottoms = t.bottom_list + block.bottom_start;
    u64 losses = 0;
    for (u32 w = 0; w < 2 * stride; w += 32) {
        u32 word = w + lane < 2 * stride ? states[w + lane] & stuck[w + lane] : 0;
        if (!__any_sync(0xffffffffu, word)) continue;
        each_bit_of_warp(word, 32 * w, queues[threadIdx.x >> 5], [&](u32 bit) {
            u64 board = board_of(t, top, bottoms[bit]);
            if (!is_lost(t, board)) return;
            u64 images = mirror * (bit < block.untied ? 2 : 1);
            if (!detail) {
                losses += images;
                return;
            }
            u32 place = 16 + largest_of(tiles_of(t, board));
            atomicAdd(&tally[32 * (blockIdx.x & 63) + place], images);
        });
    }
    add_to_tally(tally, 16 + (u32)t.largest, losses);
}

// Counts the boards that a symmetry leaves unchanged: each is the union of a board of one list
// and a board of the other, whose sums add up to the layer's. One warp per board of the first list.
extern "C" __global__ void tally_unchanged(const Tables *tables, const u64 *words, const Block *blocks,
                                           u32 first, u32 number, u32 layer_units, const u64 *one,
                                           const u32 *one_units, u32 ones, const u64 *other,
                                           const u32 *first_other, u32 most, u64 weight, u32 detail,
                                           u64 *tally) {
    const Tables &t = *tables;
    u32 at = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (at >= ones || one_units[at] > layer_units || layer_units - one_units[at] > most) return;
    u32 rest = layer_units - one_units[at];
    Layer layer = layer_of(words, blocks, first, number);
    for (u32 i = first_other[rest] + lane; i < first_other[rest + 1]; i += 32) {
        u64 board = one[at] | other[i];
        bool found = false;
        if (t.walls && (__popcll(walls_of(board)) != 4 * t.walls || !keeps_mask(t, board) ||
                        is_won(t, board))) {
            continue;
        }
        places(t, board, [&](u32 top_units, u32 row, u32 bit) {
            const Block *block = block_of(layer, top_units);
            if (block && row < block->rows) {
                const u64 *bits = words + block->offset + (u64)row * block->stride;
                found = bits[bit / 64] >> (bit & 63) & 1;
            }
        });
        if (found) {
            u64 *copy = tally + 32 * (blockIdx.x & 63);
            u32 place = detail ? largest_of(tiles_of(t, board)) : (u32)t.largest;
            atomicAdd(&copy[place], weight);
            if (is_lost(t, board)) atomicAdd(&copy[16 + place], weight);
        }
    }
}

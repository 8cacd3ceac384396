// The steps from layer to layer. Tables and layout of bits are those of the processor's steps
// (spawn.rs and slide.rs of tilebase-count), and so is every set that comes out.
//
// A block of threads makes one row of a layer: it gathers whole rows, 64 boards per word, and
// moves single bits within its row in shared memory. Only boards that are mirrored in the
// diagonal, slid up or down, or turned over are scattered all over the layer.

// Makes states from the afterstates one and two units below, except boards that are turned over.
extern "C" __global__ void spawn(const Tables *tables, u64 *words, const Block *blocks, u32 number,
                                 const u64 *twos, const Block *twos_blocks, u32 twos_first,
                                 u32 twos_number, const u64 *fours, const Block *fours_blocks,
                                 u32 fours_first, u32 fours_number) {
    SHARED;
    u32 *out = OUT;
    __shared__ const u64 *from[16];
    __shared__ u32 length[16], gathered[2];
    const Tables &t = *tables;
    const Block &block = *block_with(blocks, number, blockIdx.x);
    u32 row = blockIdx.x - block.first_row, stride = block.stride;
    u32 top = t.top_list[block.top_start + row];
    Layer below[2] = {layer_of(twos, twos_blocks, twos_first, twos_number),
                      layer_of(fours, fours_blocks, fours_first, fours_number)};
    if (threadIdx.x < 2) gathered[threadIdx.x] = 0;
    for (u32 w = threadIdx.x; w < 2 * stride; w += blockDim.x) out[w] = 0;
    __syncthreads();
    // Rows whose top lacks one tile. Plain ones are listed from the front, those to be mirrored
    // from the back.
    if (threadIdx.x < 16) {
        u32 kind = threadIdx.x >> 3, at = 4 * (threadIdx.x & 7), tile = 1 << kind;
        if (((top >> at) & 15) == kind + 1 && block.top_units >= tile) {
            u32 less = top & ~(15u << at);
            u64 a = info(t, 0, less >> 16), b = info(t, 1, less);
            u32 rank = top_rank(t, a, b, is_less(a));
            const Block *source = block_of(below[kind], block.top_units - tile);
            if (source && rank < source->rows) {
                bool mirrored = is_less(a);
                u32 n = atomicAdd(&gathered[mirrored], 1);
                u32 slot = mirrored ? 15 - n : n;
                from[slot] = below[kind].words + source->offset + (u64)rank * source->stride;
                length[slot] = min(stride, source->stride);
            }
        }
    }
    __syncthreads();
    const u32 *mirror = t.mirror + block.bottom_start;
    for (u32 w = threadIdx.x; w < stride; w += blockDim.x) {
        u64 plain = 0, turned = 0;
        for (u32 i = 0; i < gathered[0]; i++) if (w < length[i]) plain |= from[i][w];
        for (u32 i = 15; i > 15 - gathered[1]; i--) if (w < length[i]) turned |= from[i][w];
        if ((u32)plain) atomicOr(&out[2 * w], (u32)plain);
        if (plain >> 32) atomicOr(&out[2 * w + 1], (u32)(plain >> 32));
        each_bit(turned, 64 * w, [&](u32 bit) { set_bit(out, mirror[bit]); });
    }
    // Tiles that spawn in the bottom move bits within the row.
    for (u32 kind = 0; kind < 2; kind++) {
        const Block *source = block_of(below[kind], block.top_units);
        if (!source || row >= source->rows) continue;
        const u64 *bits = below[kind].words + source->offset + (u64)row * source->stride;
        const u32 *first = t.first_drop[kind] + source->bottom_start;
        const u32 *drops = t.drops[kind];
        u32 words32 = 2 * source->stride, lane = threadIdx.x & 31;
        for (u32 w = threadIdx.x & ~31u; w < words32; w += blockDim.x) {
            u32 word = w + lane < words32 ? ((const u32 *)bits)[w + lane] : 0;
            each_bit_of_warp(word, 32 * w, QUEUE, [&](u32 bit) {
                u32 end = first[bit + 1];
                for (u32 i = first[bit]; i < end; i++) {
                    u32 to = drops[i];
                    // Bits beyond are boards that are turned over.
                    if (to < block.bits) set_bit(out, to);
                }
            });
        }
    }
    __syncthreads();
    u64 *to = words + block.offset + (u64)row * stride;
    for (u32 w = threadIdx.x; w < stride; w += blockDim.x) {
        to[w] = (u64)out[2 * w + 1] << 32 | out[2 * w];
    }
}

// Adds the states whose last rows become as heavy as the first or heavier. Starts at the row
// `from_row` of the layer below.
extern "C" __global__ void turn_over(const Tables *tables, u64 *words, const Block *blocks,
                                     u32 first, u32 number, const u64 *below, const Block *below_blocks,
                                     u32 below_number, u32 from_row, u32 kind) {
    const Tables &t = *tables;
    const Block &block = *block_with(below_blocks, below_number, from_row + blockIdx.x);
    Layer states = layer_of(words, blocks, first, number);
    u32 row = from_row + blockIdx.x - block.first_row;
    u32 from = block.close_from[kind], end = block.close_end[kind];
    if (from >= end) return;
    u32 top = t.top_list[block.top_start + row];
    const u64 *bits = below + block.offset + (u64)row * block.stride;
    for (u32 w = from / 64 + threadIdx.x; w < (end + 63) / 64; w += blockDim.x) {
        each_bit(bits[w], 64 * w, [&](u32 bit) {
            if (bit < from || bit >= end) return;
            u64 board = board_of(t, top, t.bottom_list[block.bottom_start + bit]);
            u64 empty = t.cells & t.weighed & ~filled(board);
            for (; empty; empty &= empty - 1) {
                place(t, states, board | (empty & (0 - empty)) << kind);
            }
        });
    }
}

// Sets the bits at some positions.
extern "C" __global__ void mark(u64 *words, const u64 *positions, u32 number) {
    u32 at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < number) set_bit((u32 *)words + 2 * (positions[at] / 64), positions[at] & 63);
}

// Makes the afterstates of slides to the left and right, which stay within a block. Writes them
// a second time if `twice` is given.
extern "C" __global__ void slide_rows(const Tables *tables, const u64 *states, u64 *after,
                                      u64 *twice, const Block *blocks, u32 number) {
    SHARED;
    u32 *out = OUT;
    const Tables &t = *tables;
    const Block &block = *block_with(blocks, number, blockIdx.x);
    u32 row = blockIdx.x - block.first_row, stride = block.stride;
    const u32 *first = t.first_source + 4 * (block.top_start + row);
    u64 start = block.offset + (u64)row * stride;
    u64 *to = after + start;
    if (first[0] == first[4]) {
        for (u32 w = threadIdx.x; w < stride; w += blockDim.x) {
            to[w] = 0;
            if (twice) twice[start + w] = 0;
        }
        return;
    }
    for (u32 w = threadIdx.x; w < 2 * stride; w += blockDim.x) out[w] = 0;
    __syncthreads();
    const u32 *group = (const u32 *)(states + block.offset);
    u32 lane = threadIdx.x & 31;
    for (u32 turn = 0; turn < 4; turn++) {
        u32 begin = first[turn], end = first[turn + 1];
        if (begin == end) continue;
        const u32 *turned = t.turned[turn] + block.bottom_start;
        const u32 *unmoved = (const u32 *)(t.unmoved[turn >> 1] + block.bottom_word);
        for (u32 w = threadIdx.x & ~31u; w < 2 * stride; w += blockDim.x) {
            u32 joined = 0;
            if (w + lane < 2 * stride) {
                u32 kept = ~unmoved[w + lane];
                for (u32 i = begin; i < end; i++) {
                    u32 source = t.sources[i];
                    u32 bits = group[(u64)(source >> 1) * (2 * stride) + w + lane];
                    // If the top does not move, the bottom must: otherwise nothing does.
                    joined |= source & 1 ? bits & kept : bits;
                }
            }
            each_bit_of_warp(joined, 32 * w, QUEUE, [&](u32 bit) {
                u32 place = turned[bit];
                if (place != NONE) set_bit(out, place);
            });
        }
    }
    __syncthreads();
    u32 top = t.top_list[block.top_start + row];
    for (u32 w = threadIdx.x; w < stride; w += blockDim.x) {
        u64 word = (u64)out[2 * w + 1] << 32 | out[2 * w];
        if (t.check_masks) {
            u64 kept = 0;
            for (u32 i = 0; i < t.mask_count; i++) {
                bool covered = (top & t.mask_tops[i]) == t.mask_tops[i];
                if (covered) kept |= t.mask_bottoms[i][block.bottom_word + w];
            }
            word &= kept;
        }
        to[w] = word;
        if (twice) twice[start + w] = word;
    }
}

// Adds the afterstates of slides up and down: on squares the mirror images of those to the left
// and right, on other shapes made from the states. Boards of other blocks than the given ones are
// skipped.
extern "C" __global__ void slide_across(const Tables *tables, const u64 *from, const Block *blocks,
                                        u32 number, u64 *after, const Block *after_blocks,
                                        u32 after_first, u32 after_number, u32 square) {
    const Tables &t = *tables;
    const Block &block = *block_with(blocks, number, blockIdx.x);
    Layer to = layer_of(after, after_blocks, after_first, after_number);
    u32 row = blockIdx.x - block.first_row;
    u32 top = t.top_list[block.top_start + row];
    const u32 *bits = (const u32 *)(from + block.offset + (u64)row * block.stride);
    const u32 *bottoms = t.bottom_list + block.bottom_start;
    u32 words32 = 2 * block.stride, lane = threadIdx.x & 31;
    SHARED;
    for (u32 w = threadIdx.x & ~31u; w < words32; w += blockDim.x) {
        u32 word = w + lane < words32 ? bits[w + lane] : 0;
        each_bit_of_warp(word, 32 * w, QUEUE, [&](u32 bit) {
            u64 board = board_of(t, top, bottoms[bit]);
            if (square) {
                place(t, to, transposed(board));
                return;
            }
            u64 turned = transposed(board);
            for (u32 way = 2; way < 4; way++) {
                u64 moved = slide(t, board, turned, way);
                if (moved != board && is_allowed(t, moved) && !is_won(t, moved)) place(t, to, moved);
            }
        });
    }
}

// What all kernels on layers begin with: the tables of a game, the layout of a layer's bits, and
// the place of a board in it. All of it mirrors space.rs, layer.rs and row.rs of tilebase-index.

typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#define NONE 0xffffffffu

// As `Tables` in tables.rs.
struct Tables {
    // The rows of each role: two of the top, two of the bottom.
    const u64 *row_info[4];
    const u32 *top_list, *top_before, *sources, *first_source;
    const u32 *bottom_list, *bottom_before, *mirror;
    const u32 *turned[4], *drops[2], *first_drop[2];
    const u64 *unmoved[2], *stuck;
    const u16 *column_slide[2], *row_slide[2];
    const u64 *up_to[16], *sides;
    // For each mask the bottoms that cover their part of it.
    const u64 *mask_bottoms[16];
    u64 gap, top_width, bottom_width, top_rows, bottom_rows, largest, square;
    // Lowest bits of cells: all, those with a right neighbour, those with a lower neighbour, and
    // those that are weighed against the top.
    u64 cells, with_right, with_lower, weighed;
    // Whether one board of several images is kept, and whether the rows of a board lie in the
    // order of their roles. Otherwise, where the row of each role begins, and its bits.
    u64 folded, natural, role_shift[4], role_bits[4];
    // The symmetries of the game, a bit for each.
    u64 symmetries;
    // Walls: their number; the masks, as boards, and the walls of a top for each; whether masks
    // must be checked row by row; the largest exponent that a slide may make; the exponent that
    // wins on the cells of the goal.
    u64 walls, mask_count, masks[16], mask_tops[16], check_masks, most, target, goal;
};

// As `GpuBlock` in layer.rs.
struct Block {
    u64 offset;
    u32 top_units, bottom_units, rows, stride, bits, untied;
    u32 first_row, top_start, bottom_start, bottom_word;
    u32 close_from[2], close_end[2];
};

// A layer's words and blocks. A missing layer has no blocks.
struct Layer {
    u64 *words;
    const Block *blocks;
    u32 first, number;
};

__device__ Layer layer_of(const u64 *words, const Block *blocks, u32 first, u32 number) {
    Layer layer = {(u64 *)words, blocks, first, number};
    return layer;
}

__device__ const Block *block_of(const Layer &layer, u32 top_units) {
    u32 at = top_units - layer.first;
    return at < layer.number ? layer.blocks + at : 0;
}

// The block of a row of the whole layer: the last block that begins at the row or before it. All
// threads of a warp search together, 32 blocks at a time.
__device__ const Block *block_with(const Block *blocks, u32 number, u32 row) {
    u32 lane = threadIdx.x & 31, low = 0, high = number;
    while (high - low > 1) {
        u32 step = (high - low + 31) / 32, at = low + lane * step;
        bool before = at < high && blocks[at].first_row <= row;
        low += (__popc(__ballot_sync(0xffffffffu, before)) - 1) * step;
        high = min(high, low + step);
    }
    return blocks + low;
}

// Facts about a row of cells: as `RowInfo` in row.rs.
__device__ u64 info(const Tables &t, u32 role, u32 row) {
    return t.row_info[role][(row & 0xffff) >> t.gap];
}
__device__ u32 units(u64 i) { return (u32)i & 0x3ffff; }
__device__ u32 rank_of(u64 i, bool mirrored) { return (u32)(i >> (mirrored ? 26 : 18)) & 0xff; }
__device__ u32 folded_rank(u64 i) { return (u32)(i >> 34) & 0xff; }
__device__ u32 count_of(u64 i) { return (u32)(i >> 42) & 0xff; }
__device__ bool is_less(u64 i) { return i >> 50 & 1; }
__device__ bool is_palindrome(u64 i) { return i >> 51 & 1; }
__device__ u32 number_of_weight(u64 i) { return (u32)(i >> 52); }

__device__ u32 top_rank(const Tables &t, u64 a, u64 b, bool mirrored) {
    return t.top_before[(units(a) + units(b)) * t.top_width + number_of_weight(a)] +
           folded_rank(a) * count_of(b) + rank_of(b, mirrored);
}

__device__ u64 board_of(const Tables &t, u32 top, u32 bottom) {
    if (t.natural) return (u64)top << 32 | (u64)bottom << (32 - 16 * t.top_rows);
    return (u64)(top >> 16) << t.role_shift[0] | (u64)(top & 0xffff) << t.role_shift[1] |
           (u64)(bottom >> 16) << t.role_shift[2] | (u64)(bottom & 0xffff) << t.role_shift[3];
}

// What is known of the row of a board that has a role.
__device__ u64 role_info(const Tables &t, u32 role, u64 board) {
    return info(t, role, (u32)(board >> t.role_shift[role]) & (u32)t.role_bits[role]);
}

// Calls `visit` with the place of a board given by its rows, or of its mirror image, or both.
template <class Visit>
__device__ void mirrors(const Tables &t, u64 a, u64 b, u64 c, u64 d, Visit visit) {
    u64 lead = t.bottom_rows == 2 ? d : c, other = t.bottom_rows == 2 ? c : d;
    u32 top = units(a) + units(b), bottom = units(c) + units(d);
    u32 before = t.bottom_before[bottom * t.bottom_width + number_of_weight(lead)];
    bool mirrored = is_less(a);
    for (u32 images = is_palindrome(a) ? 2 : 1; images > 0; images--) {
        u32 bit = before + rank_of(lead, mirrored) * count_of(other) + rank_of(other, mirrored);
        visit(top, top_rank(t, a, b, mirrored), bit);
        mirrored = true;
    }
}

// Calls `visit` with the place of every folded image of a board under mirrors and flips.
template <class Visit>
__device__ void places(const Tables &t, u64 board, Visit visit) {
    if (!t.folded) {
        u64 a = role_info(t, 0, board), b = role_info(t, 1, board);
        u64 c = role_info(t, 2, board), d = role_info(t, 3, board);
        // Rows that are not listed have no board.
        if (count_of(a) && count_of(b) && count_of(c) && count_of(d)) mirrors(t, a, b, c, d, visit);
        return;
    }
    u64 a = info(t, 0, (u32)(board >> 48)), b = info(t, 0, (u32)(board >> 32));
    u64 c = info(t, 0, (u32)(board >> 16)), d = info(t, 0, (u32)board), empty = t.row_info[0][0];
    u32 upper, lower;
    if (t.top_rows == 2) {
        upper = units(a) + units(b);
        lower = units(c) + units(d);
        if (lower > upper) {
            u64 x = a; a = d; d = x;
            x = b; b = c; c = x;
        }
        mirrors(t, a, b, c, d, visit);
        if (upper == lower) mirrors(t, d, c, b, a, visit);
    } else if (t.bottom_rows == 2) {
        upper = units(a);
        lower = units(c);
        if (lower > upper) { u64 x = a; a = c; c = x; }
        mirrors(t, a, empty, b, c, visit);
        if (upper == lower) mirrors(t, c, empty, b, a, visit);
    } else if (t.bottom_rows == 1) {
        upper = units(a);
        lower = units(b);
        if (lower > upper) { u64 x = a; a = b; b = x; }
        mirrors(t, a, empty, b, empty, visit);
        if (upper == lower) mirrors(t, b, empty, a, empty, visit);
    } else {
        mirrors(t, a, empty, empty, empty, visit);
    }
}

// Adds all folded images of a board to a layer.
__device__ void place(const Tables &t, const Layer &to, u64 board) {
    places(t, board, [&](u32 top_units, u32 row, u32 bit) {
        const Block *block = block_of(to, top_units);
        if (!block) return;
        u32 *word = (u32 *)(to.words + block->offset + (u64)row * block->stride) + (bit >> 5);
        u32 mark = 1u << (bit & 31);
        // Most boards are there already, and a read is cheaper than an atomic operation.
        if (!(*word & mark)) atomicOr(word, mark);
    });
}

__device__ u64 swap(u64 bits, u32 distance, u64 mask) {
    u64 differ = (bits ^ bits >> distance) & mask;
    return bits ^ differ ^ differ << distance;
}

__device__ u64 transposed(u64 b) {
    return swap(swap(b, 12, 0x0000f0f00000f0f0ull), 24, 0x00000000ff00ff00ull);
}

// The lowest bits of the cells that are not empty.
__device__ u64 filled(u64 b) {
    b |= b >> 2;
    return (b | b >> 1) & 0x1111111111111111ull;
}

// All bits of the cells that hold walls.
__device__ u64 walls_of(u64 b) {
    return (b & b >> 1 & b >> 2 & b >> 3 & 0x1111111111111111ull) * 15;
}

// The tiles of a board that are not walls.
__device__ u64 tiles_of(const Tables &t, u64 b) { return t.walls ? b & ~walls_of(b) : b; }

__device__ u32 largest_of(u64 board) {
    u32 largest = 0;
    for (; board; board >>= 4) largest = max(largest, (u32)board & 15);
    return largest;
}

// Whether a cell has an exponent of at least `least`, from 1 to 15. Cells are spread to bytes, so
// that all are compared at once.
__device__ bool reaches(u64 board, u32 least) {
    const u64 low = 0x0f0f0f0f0f0f0f0full;
    u64 add = 0x0101010101010101ull * (16 - least);
    return (((board & low) + add) | ((board >> 4 & low) + add)) & 0x1010101010101010ull;
}

// Slides all rows of a board with a table of slid rows.
__device__ u64 slide_row(const u16 *table, u64 b) {
    return (u64)table[b >> 48] << 48 | (u64)table[b >> 32 & 0xffff] << 32 |
           (u64)table[b >> 16 & 0xffff] << 16 | (u64)table[b & 0xffff];
}

// The board after a slide, in the order left, right, up, down, whether it is allowed or not. Takes
// the transposed board too, which two of the slides begin with.
__device__ u64 slide(const Tables &t, u64 board, u64 turned, u32 way) {
    return way < 2 ? slide_row(t.row_slide[way], board)
                   : transposed(slide_row(t.column_slide[way & 1], turned));
}

// Whether walls cover a mask, or there is none.
__device__ bool keeps_mask(const Tables &t, u64 board) {
    bool keeps = t.mask_count == 0;
    for (u32 i = 0; i < t.mask_count; i++) keeps |= (board & t.masks[i]) == t.masks[i];
    return keeps;
}

// Whether a slide that changes a board may lead to this one.
__device__ bool is_allowed(const Tables &t, u64 after) {
    return keeps_mask(t, after) && (t.most >= 15 || !reaches(tiles_of(t, after), t.most + 1));
}

__device__ bool is_won(const Tables &t, u64 board) {
    if (!t.walls) return t.largest < 15 && reaches(board, t.largest + 1);
    return t.target && reaches(tiles_of(t, board) & t.goal, t.target);
}

__device__ bool is_lost(const Tables &t, u64 board) {
    if (t.mask_count || t.most < 15) {
        u64 turned = transposed(board);
        for (u32 way = 0; way < 4; way++) {
            u64 after = slide(t, board, turned, way);
            if (after != board && is_allowed(t, after)) return false;
        }
        return true;
    }
    if (t.cells & ~filled(board)) return false;
    // Cells that differ from their right or lower neighbour.
    u64 beside = filled(board ^ board << 4), below = filled(board ^ board << 16);
    // Walls do not merge with each other.
    u64 apart = t.walls ? walls_of(board) : 0;
    return !(t.with_right & ~beside & ~apart) && !(t.with_lower & ~below & ~apart);
}

template <class Visit>
__device__ void each_bit(u64 word, u32 first, Visit visit) {
    while (word) {
        visit(first + __ffsll(word) - 1);
        word &= word - 1;
    }
}

// Calls `visit` with the numbers of the set bits of 32 words, one word per thread. The first bit
// of the first word has the number `first`. Some words have many bits, others few: the bits are
// queued and dealt out evenly, so that no thread waits for the busiest. All threads of the warp
// take part.
template <class Visit>
__device__ void each_bit_of_warp(u32 word, u32 first, u16 *queue, Visit visit) {
    u32 lane = threadIdx.x & 31, count = __popc(word), end = count;
    for (u32 step = 1; step < 32; step *= 2) {
        u32 before = __shfl_up_sync(0xffffffffu, end, step);
        if (lane >= step) end += before;
    }
    u32 total = __shfl_sync(0xffffffffu, end, 31);
    for (u32 at = end - count; word; word &= word - 1) {
        queue[at++] = (u16)(32 * lane + __ffs(word) - 1);
    }
    __syncwarp();
    for (u32 i = lane; i < total; i += 32) visit(first + queue[i]);
    __syncwarp();
}

// The memory that the threads of a block share, as `block_per_row` in launch.rs asks for it: for
// each warp a queue for the bits of 32 words, then the row that the block makes.
#define SHARED extern __shared__ u32 shared[]
#define QUEUE ((u16 *)(shared + 512 * (threadIdx.x >> 5)))
#define OUT (shared + 512 * (blockDim.x >> 5))

__device__ void set_bit(u32 *row, u32 bit) { atomicOr(&row[bit >> 5], 1u << (bit & 31)); }


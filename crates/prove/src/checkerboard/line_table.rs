//! Rows and columns of 2s and 4s, two bits a cell.

/// Lines up to this long slide by a table.
const TABLED: u8 = 8;

/// Marks lines in the table whose slide would make an 8: no line has such cells.
const EIGHT: u16 = u16::MAX;

/// The slides of all lines of one length.
#[derive(Debug)]
pub struct LineTable {
    length: u32,
    /// For each line its slide towards cell 0; empty where lines are too long.
    table: Vec<u16>,
}

impl LineTable {
    /// The slides of lines of this length, at most 32.
    pub fn new(length: u8) -> LineTable {
        let tabled = if length <= TABLED {
            1 << (2 * length)
        } else {
            0
        };
        LineTable {
            length: length.into(),
            table: (0..tabled)
                .map(|line: u64| slide(line).map_or(EIGHT, |after| after as u16))
                .collect(),
        }
    }

    /// A line slid towards cell 0, or towards its other end; `None` if that makes an 8.
    #[inline]
    pub fn slide(&self, line: u64, to_end: bool) -> Option<u64> {
        if to_end {
            let after = self.to_start(self.reversed(line))?;
            Some(self.reversed(after))
        } else {
            self.to_start(line)
        }
    }

    #[inline]
    fn to_start(&self, line: u64) -> Option<u64> {
        match self.table.get(line as usize) {
            Some(&EIGHT) => None,
            Some(&after) => Some(after.into()),
            None => slide(line),
        }
    }

    /// The line read from its other end.
    #[inline]
    pub fn reversed(&self, line: u64) -> u64 {
        // All bits reversed, then the two of each cell put back in order.
        let bits = line.reverse_bits() >> (64 - 2 * self.length);
        (bits & 0x5555_5555_5555_5555) << 1 | (bits >> 1 & 0x5555_5555_5555_5555)
    }
}

/// A line slid towards cell 0; `None` if that makes an 8.
fn slide(line: u64) -> Option<u64> {
    let (mut after, mut end) = (0, 0);
    // The last tile, if it may still merge.
    let mut last = 0;
    let mut rest = line;
    while rest != 0 {
        let tile = rest & 3;
        rest >>= 2;
        if tile == 0 {
            continue;
        }
        if tile != last {
            after |= tile << end;
            end += 2;
            last = tile;
        } else if tile == 1 {
            // 1 becomes 2 in place.
            after += 1 << (end - 2);
            last = 0;
        } else {
            return None;
        }
    }
    Some(after)
}

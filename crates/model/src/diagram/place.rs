//! The heights of items: near their neighbours, never too near each other.

use super::graph::Graph;

/// Rounds of moving every column towards its neighbours.
const ROUNDS: usize = 40;

impl Graph {
    /// Moves items towards the means of their neighbours, in the order that they have.
    pub(super) fn settle(&mut self) {
        for round in 0..ROUNDS {
            let columns = self.columns.len();
            for step in 0..columns {
                let column = if round % 2 == 0 {
                    step
                } else {
                    columns - 1 - step
                };
                self.settle_column(column);
            }
        }
    }

    fn settle_column(&mut self, column: usize) {
        let order = self.columns[column].clone();
        let mut needed = Vec::with_capacity(order.len());
        let mut room = 0.0;
        for (i, &item) in order.iter().enumerate() {
            if i > 0 {
                room += self.separation(order[i - 1], item);
            }
            needed.push(room);
        }
        let wanted = order.iter().zip(&needed).map(|(&item, room)| {
            let means = self.neighbours(item);
            let known: Vec<f64> = means.into_iter().flatten().collect();
            let y = match known.len() {
                0 => self.items[item].y,
                n => known.iter().sum::<f64>() / n as f64,
            };
            y - room
        });
        let placed = rising(wanted.collect());
        for ((&item, y), room) in order.iter().zip(placed).zip(needed) {
            self.items[item].y = y + room;
        }
    }
}

/// The numbers nearest to the given ones (in the sum of squares) that never fall.
fn rising(wanted: Vec<f64>) -> Vec<f64> {
    // Runs of one value: their mean and their length.
    let mut runs: Vec<(f64, usize)> = Vec::new();
    for value in wanted {
        let mut run = (value, 1);
        while let Some(&(mean, length)) = runs.last() {
            if mean <= run.0 {
                break;
            }
            runs.pop();
            let sum = mean * length as f64 + run.0 * run.1 as f64;
            run = (sum / (length + run.1) as f64, length + run.1);
        }
        runs.push(run);
    }
    let values = runs.into_iter();
    values
        .flat_map(|(mean, length)| std::iter::repeat_n(mean, length))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rising_numbers_are_the_nearest() {
        assert_eq!(rising(vec![1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
        assert_eq!(rising(vec![3.0, 1.0]), [2.0, 2.0]);
        assert_eq!(
            rising(vec![0.0, 5.0, 1.0, 3.0, 9.0]),
            [0.0, 3.0, 3.0, 3.0, 9.0]
        );
        assert!(rising(Vec::new()).is_empty());
    }
}

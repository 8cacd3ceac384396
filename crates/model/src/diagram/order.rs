//! The order of items in their columns: few crossings.

use super::graph::{Graph, Group};

/// Sweeps to the right and to the left.
const SWEEPS: usize = 24;

impl Graph {
    /// Orders every column by the means of its neighbours, to and fro, and keeps the best.
    pub(super) fn arrange(&mut self) {
        (0..self.columns.len()).for_each(|column| self.sort(column, &|y, _| y));
        let mut fewest = usize::MAX;
        let mut best = None;
        for sweep in 0..SWEEPS {
            if sweep % 2 == 0 {
                (1..self.columns.len()).for_each(|column| {
                    self.sort(column, &|y, [from, _]: [Option<f64>; 2]| from.unwrap_or(y));
                });
            } else {
                (0..self.columns.len()).rev().for_each(|column| {
                    self.sort(column, &|y, [_, to]: [Option<f64>; 2]| to.unwrap_or(y));
                });
            }
            self.sort_actions();
            let crossings = self.crossings();
            if crossings < fewest {
                fewest = crossings;
                let slots = self.items.iter().map(|item| item.slots.clone());
                best = Some((self.columns.clone(), slots.collect::<Vec<_>>()));
            }
        }
        if let Some((columns, slots)) = best {
            self.columns = columns;
            for (item, slots) in self.items.iter_mut().zip(slots) {
                item.slots = slots;
            }
            (0..self.columns.len()).for_each(|column| self.stack(column));
        }
    }

    /// The mean heights of an item's neighbours to the left and to the right.
    pub(super) fn neighbours(&self, item: usize) -> [Option<f64>; 2] {
        let mean = |ys: Vec<f64>| match ys.len() {
            0 => None,
            n => Some(ys.iter().sum::<f64>() / n as f64),
        };
        let from = |&link: &usize| self.source_y(self.links[link]);
        let to = |&link: &usize| self.items[self.links[link].to].y;
        [
            mean(self.incoming[item].iter().map(from).collect()),
            mean(self.outgoing[item].iter().map(to).collect()),
        ]
    }

    /// Sorts a column by what is wanted of an item's height and its neighbours'. Groups keep
    /// their order among themselves, gates go between them.
    fn sort(&mut self, column: usize, wanted: &dyn Fn(f64, [Option<f64>; 2]) -> f64) {
        let mut keys: Vec<(f64, Group, f64, usize)> = self.columns[column]
            .iter()
            .map(|&item| {
                let y = wanted(self.items[item].y, self.neighbours(item));
                (y, self.items[item].group, y, item)
            })
            .collect();
        if self.boxed {
            share_keys(&mut keys);
        }
        keys.sort_by(|a, b| {
            let first = a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
            first.then(a.2.total_cmp(&b.2))
        });
        self.columns[column] = keys.into_iter().map(|key| key.3).collect();
        self.stack(column);
    }

    /// Stacks a column's items around height 0.
    fn stack(&mut self, column: usize) {
        let order = self.columns[column].clone();
        let mut y = 0.0;
        let mut above: Option<usize> = None;
        for &item in &order {
            y += above.map_or(0.0, |above| self.separation(above, item));
            self.items[item].y = y;
            above = Some(item);
        }
        for &item in &order {
            self.items[item].y -= y / 2.0;
        }
    }

    /// Sorts the actions of each state by where they lead: to the win above, to the loss
    /// below.
    fn sort_actions(&mut self) {
        let far = self
            .items
            .iter()
            .fold(0.0, |far, item| item.y.abs().max(far));
        for item in 0..self.endings.len() {
            let actions = self.items[item].slots.len();
            let mut means = vec![(0.0, 0usize); actions];
            for &link in &self.outgoing[item] {
                if let Some(action) = self.links[link].action {
                    means[action].0 += self.items[self.links[link].to].y;
                    means[action].1 += 1;
                }
            }
            for (mean, [win, lose]) in means.iter_mut().zip(&self.endings[item]) {
                for (end, y) in [(win, -far), (lose, far)] {
                    if *end {
                        mean.0 += y;
                        mean.1 += 1;
                    }
                }
            }
            let mean = |&(sum, n): &(f64, usize)| sum / n.max(1) as f64;
            let mut order: Vec<usize> = (0..actions).collect();
            order.sort_by(|&a, &b| mean(&means[a]).total_cmp(&mean(&means[b])));
            for (slot, action) in order.into_iter().enumerate() {
                self.items[item].slots[action] = slot;
            }
        }
    }

    /// The number of crossings of links.
    fn crossings(&self) -> usize {
        let mut between: Vec<Vec<(f64, f64)>> = vec![Vec::new(); self.columns.len()];
        for &link in &self.links {
            let ends = (self.source_y(link), self.items[link.to].y);
            between[self.items[link.from].column].push(ends);
        }
        between.into_iter().map(inversions).sum()
    }
}

/// Gives all items of a group the mean key of the group, and groups keys in their order.
fn share_keys(keys: &mut [(f64, Group, f64, usize)]) {
    keys.sort_by_key(|&(_, group, ..)| group);
    let mut last = f64::NEG_INFINITY;
    for group in keys.chunk_by_mut(|a, b| a.1 == b.1 && a.1 != Group::Gate) {
        if group[0].1 == Group::Gate {
            continue;
        }
        let mean = group.iter().map(|key| key.2).sum::<f64>() / group.len() as f64;
        last = mean.max(last);
        group.iter_mut().for_each(|key| key.0 = last);
    }
}

/// How many pairs are in another order on the right than on the left.
fn inversions(mut links: Vec<(f64, f64)>) -> usize {
    links.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut seen: Vec<f64> = Vec::with_capacity(links.len());
    let mut count = 0;
    for (_, right) in links {
        let at = seen.partition_point(|&other| other <= right);
        count += seen.len() - at;
        seen.insert(at, right);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_are_pairs_out_of_order() {
        assert_eq!(inversions(vec![(0.0, 0.0), (1.0, 1.0)]), 0);
        assert_eq!(inversions(vec![(0.0, 1.0), (1.0, 0.0)]), 1);
        assert_eq!(inversions(vec![(0.0, 2.0), (1.0, 1.0), (2.0, 0.0)]), 3);
        // Links that share an end do not cross.
        assert_eq!(inversions(vec![(0.0, 1.0), (0.0, 0.0), (1.0, 1.0)]), 0);
    }
}

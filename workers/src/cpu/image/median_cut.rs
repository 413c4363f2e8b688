//! Pillow's median cut, which chooses the palette of a picture. Exact.
//!
//! Colors are weighted by their pixels. The box with the most pixels is cut at the median of its longest side, weighted
//! 77 : 150 : 29; a color level is never split. A box becomes the mean of its pixels.

use std::collections::HashMap;

/// Pillow halves the levels until at most this many colors are left.
const MAX_COLORS: usize = 65536;
/// Weight of a level per channel.
const WEIGHTS: [u32; 3] = [77, 150, 29];

pub(super) type Color = [u8; 3];

/// A color (possibly with fewer levels), its pixels, and the sums of their full levels.
#[derive(Clone)]
struct Entry {
    color: Color,
    count: u64,
    sums: [u64; 3],
}

/// A node in the tree of cuts: colors, or two smaller boxes.
struct Cut {
    entries: Vec<Entry>,
    count: u64,
    children: Option<(usize, usize)>,
}

/// A palette of at most `colors` colors for the pixels, in Pillow's order.
pub(super) fn palette(pixels: &[Color], colors: usize) -> Vec<Color> {
    let entries = count_colors(pixels);
    if entries.is_empty() {
        return Vec::new();
    }
    let mut tree = vec![Cut::new(entries)];
    let mut heap = Heap::default();
    heap.add(&tree, 0);
    for _ in 1..colors {
        let Some(widest) = next_to_cut(&mut heap, &tree) else {
            break;
        };
        let Some(cut) = tree.get_mut(widest) else {
            break;
        };
        let (left, right) = split(std::mem::take(&mut cut.entries));
        let children = (tree.len(), tree.len() + 1);
        if let Some(cut) = tree.get_mut(widest) {
            cut.children = Some(children);
        }
        tree.push(Cut::new(left));
        tree.push(Cut::new(right));
        heap.add(&tree, children.0);
        heap.add(&tree, children.1);
    }
    let mut palette = Vec::new();
    collect(&tree, 0, &mut palette);
    palette
}

/// Counts the colors, with as many levels as keep them below [`MAX_COLORS`].
fn count_colors(pixels: &[Color]) -> Vec<Entry> {
    let mut shift = 0;
    loop {
        if let Some(found) = try_count(pixels, shift) {
            return found;
        }
        shift += 1;
    }
}

fn try_count(pixels: &[Color], shift: u32) -> Option<Vec<Entry>> {
    let mut found: HashMap<Color, Entry> = HashMap::new();
    for pixel in pixels {
        let color = pixel.map(|level| level >> shift);
        let entry = found.entry(color).or_insert(Entry { color, count: 0, sums: [0; 3] });
        entry.count += 1;
        for (sum, level) in entry.sums.iter_mut().zip(pixel) {
            *sum += u64::from(*level);
        }
        if found.len() > MAX_COLORS {
            return None;
        }
    }
    Some(found.into_values().collect())
}

impl Cut {
    fn new(entries: Vec<Entry>) -> Self {
        let count = entries.iter().map(|entry| entry.count).sum();
        Self { entries, count, children: None }
    }
}

fn next_to_cut(heap: &mut Heap, tree: &[Cut]) -> Option<usize> {
    loop {
        let candidate = heap.remove(tree)?;
        if tree.get(candidate).is_some_and(|cut| cut.entries.len() > 1) {
            return Some(candidate);
        }
    }
}

fn split(mut entries: Vec<Entry>) -> (Vec<Entry>, Vec<Entry>) {
    let length = |axis: usize| {
        let levels = || entries.iter().map(|entry| entry.color[axis]);
        u32::from(levels().max().unwrap_or(0) - levels().min().unwrap_or(0)) * WEIGHTS[axis]
    };
    let mut axis = 0;
    for other in 1..3 {
        if length(other) > length(axis) {
            axis = other;
        }
    }
    entries.sort_unstable_by_key(|entry| std::cmp::Reverse(entry.color[axis]));
    let count: u64 = entries.iter().map(|entry| entry.count).sum();
    let mut left = 0;
    let mut at = 0;
    for entry in &entries {
        left += entry.count;
        at += 1;
        if left * 2 > count {
            break;
        }
    }
    let level = |at: usize| entries.get(at).map(|entry: &Entry| entry.color[axis]);
    while at < entries.len() && level(at) == level(at - 1) {
        at += 1;
    }
    if at == entries.len() {
        // Everything went left: the darkest level goes right.
        at = entries.partition_point(|entry| Some(entry.color[axis]) > level(entries.len() - 1));
    }
    let right = entries.split_off(at);
    (entries, right)
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a mean of bytes is a byte"
)]
fn collect(tree: &[Cut], index: usize, palette: &mut Vec<Color>) {
    let Some(cut) = tree.get(index) else { return };
    if let Some((left, right)) = cut.children {
        collect(tree, left, palette);
        collect(tree, right, palette);
        return;
    }
    if cut.entries.is_empty() {
        return;
    }
    let mean = |axis: usize| {
        let sum: u64 = cut.entries.iter().map(|entry| entry.sums[axis]).sum();
        (0.5 + sum as f64 / cut.count as f64) as u8
    };
    palette.push([mean(0), mean(1), mean(2)]);
}

/// A heap of boxes by pixel count. Boxes with equal counts come out in Pillow's order, unlike with std's heap.
#[derive(Default)]
struct Heap(Vec<usize>);

impl Heap {
    fn add(&mut self, tree: &[Cut], index: usize) {
        self.0.push(index);
        let mut at = self.0.len();
        while at > 1 && Self::count(tree, index) > Self::count(tree, self.0[at / 2 - 1]) {
            self.0[at - 1] = self.0[at / 2 - 1];
            at /= 2;
        }
        self.0[at - 1] = index;
    }

    fn remove(&mut self, tree: &[Cut]) -> Option<usize> {
        let top = *self.0.first()?;
        let last = self.0.pop()?;
        let len = self.0.len();
        if len == 0 {
            return Some(top);
        }
        let mut at = 1;
        while at * 2 <= len {
            let mut child = at * 2;
            if child < len && Self::count(tree, self.0[child - 1]) < Self::count(tree, self.0[child]) {
                child += 1;
            }
            if Self::count(tree, last) > Self::count(tree, self.0[child - 1]) {
                break;
            }
            self.0[at - 1] = self.0[child - 1];
            at = child;
        }
        self.0[at - 1] = last;
        Some(top)
    }

    fn count(tree: &[Cut], index: usize) -> u64 {
        tree.get(index).map_or(0, |cut| cut.count)
    }
}

//! Connected regions of a small mask: specks are not a subject, and pinholes are not background.

/// Changes regions of up to `smallest` pixels to the value around them: first specks of the subject, then pinholes.
/// Regions with a pixel in `keep` stay.
pub(super) fn clean(subject: &mut [bool], width: usize, smallest: usize, holes: usize, keep: &[bool]) {
    for (value, limit) in [(true, smallest), (false, holes)] {
        let mut seen = vec![false; subject.len()];
        for start in 0..subject.len() {
            if subject.get(start) != Some(&value) || seen.get(start) == Some(&true) {
                continue;
            }
            let region = region(subject, width, start, &mut seen);
            let kept = value && region.iter().any(|at| keep.get(*at) == Some(&true));
            // A part of the background at the border continues outside.
            let open = !value && region.iter().any(|at| is_border(*at, width, subject.len()));
            if region.len() <= limit && !kept && !open {
                for at in region {
                    if let Some(pixel) = subject.get_mut(at) {
                        *pixel = !value;
                    }
                }
            }
        }
    }
}

fn is_border(at: usize, width: usize, len: usize) -> bool {
    at < width || at + width >= len || at.is_multiple_of(width) || (at + 1).is_multiple_of(width)
}

/// The four-connected region of a pixel.
fn region(mask: &[bool], width: usize, start: usize, seen: &mut [bool]) -> Vec<usize> {
    let mut region = vec![start];
    if let Some(seen) = seen.get_mut(start) {
        *seen = true;
    }
    let mut next = 0;
    while let Some(at) = region.get(next).copied() {
        next += 1;
        let sides = [
            (at % width > 0).then(|| at - 1),
            (at % width + 1 < width).then_some(at + 1),
            at.checked_sub(width),
            Some(at + width),
        ];
        for side in sides.into_iter().flatten() {
            if mask.get(side) == mask.get(start)
                && let Some(seen) = seen.get_mut(side).filter(|seen| !**seen)
            {
                *seen = true;
                region.push(side);
            }
        }
    }
    region
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(rows: &[&str], keep: usize) -> String {
        let mut mask: Vec<bool> = rows.concat().chars().map(|c| c == '#').collect();
        let width = rows[0].len();
        let keep: Vec<bool> = (0..mask.len()).map(|at| at == keep).collect();
        clean(&mut mask, width, 2, 1, &keep);
        mask.iter().map(|pixel| if *pixel { '#' } else { '.' }).collect()
    }

    #[test]
    fn specks_and_pinholes_go_unless_kept_or_open() {
        let rows = ["#......", "..####.", "..#.##.", "..####.", "......#"];
        assert_eq!(cleaned(&rows, 99), [".......", "..####.", "..####.", "..####.", "......."].concat());
        assert_eq!(cleaned(&rows, 0), ["#......", "..####.", "..####.", "..####.", "......."].concat());
        assert_eq!(cleaned(&[".###", "####"], 99), ".#######", "the corner is open to the outside");
    }
}

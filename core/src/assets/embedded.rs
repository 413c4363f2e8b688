//! What was taken out of a file that a worker made: prompt and graph, which its owner may want back.
//!
//! It is kept apart from the file, under the file's name, as a splice: how much of the clean file stands before and
//! after, and the bytes in between. For a PNG that is little more than the texts in it.

use serde::{Deserialize, Serialize};

use super::ContentHash;

/// Where the texts are that a worker wrote into a file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Embedded {
    /// Still in the file, or nobody knows: it is shown to its owner alone.
    #[default]
    Inside,
    /// There is nothing in it.
    Nothing,
    /// Kept apart, under this name.
    Apart(ContentHash),
}

impl Embedded {
    /// As two columns: whether the file is clean, and the name of what is kept apart.
    #[must_use]
    pub fn columns(&self) -> (bool, Option<&str>) {
        match self {
            Self::Inside => (false, None),
            Self::Nothing => (true, None),
            Self::Apart(name) => (true, Some(name.as_str())),
        }
    }
}

const MARK: &[u8; 4] = b"VGS1";
const HEAD_BYTES: usize = 20;

/// The splice that makes `whole` of `clean`; `None` where they are the same.
pub(super) fn split(whole: &[u8], clean: &[u8]) -> Option<Vec<u8>> {
    if whole == clean {
        return None;
    }
    let before = whole.iter().zip(clean).take_while(|(one, other)| one == other).count();
    let rest = clean.len().min(whole.len()) - before;
    let after = whole.iter().rev().zip(clean.iter().rev()).take(rest).take_while(|(one, other)| one == other).count();
    let between = whole.get(before..whole.len() - after)?;
    let mut splice = Vec::with_capacity(HEAD_BYTES + between.len());
    splice.extend_from_slice(MARK);
    splice.extend_from_slice(&(before as u64).to_le_bytes());
    splice.extend_from_slice(&(after as u64).to_le_bytes());
    splice.extend_from_slice(between);
    Some(splice)
}

/// The file as it came; `None` where the splice is not of this file.
pub(super) fn join(clean: &[u8], splice: &[u8]) -> Option<Vec<u8>> {
    let rest = splice.strip_prefix(MARK)?;
    let number = |from: usize| Some(u64::from_le_bytes(rest.get(from..from + 8)?.try_into().ok()?));
    let (before, after) = (usize::try_from(number(0)?).ok()?, usize::try_from(number(8)?).ok()?);
    let end = clean.get(clean.len().checked_sub(after)?..)?;
    Some([clean.get(..before)?, rest.get(16..)?, end].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_taken_out_can_be_put_back() {
        for (whole, clean) in [
            (&b"head-text-pixels"[..], &b"headpixels"[..]),
            (b"aaaa", b"aa"),
            (b"aa", b"aaaa"),
            (b"abcabc", b"abc"),
            (b"x", b""),
            (b"one", b"another"),
        ] {
            let splice = split(whole, clean).expect("a difference");
            assert_eq!(join(clean, &splice).expect("the whole"), whole);
        }
        let splice = split(&[&[7; 900][..], b"text", &[9; 900]].concat(), &[[7; 900], [9; 900]].concat());
        assert_eq!(splice.expect("a difference").len(), HEAD_BYTES + 4, "pixels are not kept twice");
        assert_eq!(split(b"same", b"same"), None);
    }

    #[test]
    fn a_splice_of_another_file_gives_nothing() {
        let splice = split(b"head-text-pixels", b"headpixels").expect("a difference");
        assert_eq!(join(b"he", &splice), None);
        assert_eq!(join(b"headpixels", b"VGS0"), None);
        assert_eq!(join(b"headpixels", &splice[..10]), None);
    }
}

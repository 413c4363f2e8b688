//! Bounds-checked access to the parts of a file.

/// Why a container is unreadable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::assets) enum Broken {
    /// The file is truncated.
    Cut,
    /// The structure is invalid.
    Malformed(&'static str),
}

pub(super) fn part(bytes: &[u8], from: usize, length: usize) -> Result<&[u8], Broken> {
    let end = from.checked_add(length).ok_or(Broken::Cut)?;
    bytes.get(from..end).ok_or(Broken::Cut)
}

pub(super) fn byte(bytes: &[u8], at: usize) -> Result<u8, Broken> {
    bytes.get(at).copied().ok_or(Broken::Cut)
}

pub(super) fn four(bytes: &[u8], at: usize) -> Result<[u8; 4], Broken> {
    part(bytes, at, 4)?.try_into().map_err(|_| Broken::Cut)
}

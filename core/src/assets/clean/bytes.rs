//! Parts of a file that must be there, and what is wrong where they are not.

/// Why a container cannot be read to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::assets) enum Broken {
    /// It stops before its end.
    Cut,
    /// It is not built as its kind is.
    Malformed(&'static str),
}

/// A part of a file, which must be there.
pub(super) fn part(bytes: &[u8], from: usize, length: usize) -> Result<&[u8], Broken> {
    let end = from.checked_add(length).ok_or(Broken::Cut)?;
    bytes.get(from..end).ok_or(Broken::Cut)
}

/// One byte of a file, which must be there.
pub(super) fn byte(bytes: &[u8], at: usize) -> Result<u8, Broken> {
    bytes.get(at).copied().ok_or(Broken::Cut)
}

/// Four bytes of a file, which must be there.
pub(super) fn four(bytes: &[u8], at: usize) -> Result<[u8; 4], Broken> {
    part(bytes, at, 4)?.try_into().map_err(|_| Broken::Cut)
}

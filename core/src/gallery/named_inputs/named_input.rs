use crate::assets::AssetKind;
use crate::ids::AssetId;

/// A file in a user's input folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedInput {
    /// With its subfolder: `clipspace/mask.png`.
    pub path: String,
    pub asset: AssetId,
    pub kind: AssetKind,
}

/// What happens where another file has the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameClash {
    /// The new file gets another name: `boat (1).png`.
    Rename,
    /// The name is the new file's from now on.
    Replace,
}

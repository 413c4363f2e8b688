//! Places of files as clients name them: a folder, a subfolder and a name.

use uuid::Uuid;
use verdigraph_core::assets::{ContentHash, FileKey};

/// Before a hash in Comfy Cloud's calls.
pub const HASH: &str = "sha256:";

/// The folders of a ComfyUI server. Temporary files are kept like outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerFolder {
    Input,
    Output,
}

/// Where a file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePlace {
    pub folder: ServerFolder,
    pub subfolder: String,
    pub name: String,
}

/// Why there is no such place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceFault {
    /// No name, a name that leaves the folder, or an unknown folder.
    Invalid,
    /// The subfolder leaves the folder.
    Outside,
}

impl ServerFolder {
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "input" => Some(Self::Input),
            "output" | "temp" => Some(Self::Output),
            _ => None,
        }
    }
}

impl FilePlace {
    /// The place of a request. An annotation at the end of the name wins over the folder, as in ComfyUI.
    pub fn parse(name: &str, subfolder: &str, folder: &str) -> Result<Self, PlaceFault> {
        let (name, annotated) = annotation(name);
        let has_nul = name.contains('\0') || subfolder.contains('\0');
        if name.is_empty() || name.starts_with('/') || name.contains("..") || has_nul {
            return Err(PlaceFault::Invalid);
        }
        let folder = annotated.or_else(|| ServerFolder::from_name(folder)).ok_or(PlaceFault::Invalid)?;
        if subfolder.starts_with('/') || subfolder.split(['/', '\\']).any(|part| part == "..") {
            return Err(PlaceFault::Outside);
        }
        // Folders in the name count where no subfolder is given: values of inputs have them there.
        let (inside, name) = name.rsplit_once('/').unwrap_or(("", name));
        let subfolder = if subfolder.is_empty() { inside } else { subfolder };
        let parts: Vec<&str> = subfolder.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        if name.is_empty() {
            return Err(PlaceFault::Invalid);
        }
        Ok(Self { folder, subfolder: parts.join("/"), name: name.to_owned() })
    }

    /// The place that an input's value names: `clipspace/mask.png [input]`.
    #[must_use]
    pub fn of_value(value: &str) -> Option<Self> {
        Self::parse(&value.replace('\\', "/"), "", "input").ok()
    }

    /// The path inside the folder.
    #[must_use]
    pub fn path(&self) -> String {
        if self.subfolder.is_empty() { self.name.clone() } else { format!("{}/{}", self.subfolder, self.name) }
    }

    /// The id of an output or upload in the subfolder, or in place of the name.
    #[must_use]
    pub fn id(&self) -> Option<Uuid> {
        let stem = self.name.split('.').next().unwrap_or_default();
        // With hyphens: other names may be hashes of as many digits.
        let id = |text: &str| Uuid::parse_str(text).ok().filter(|_| text.len() == 36);
        id(&self.subfolder).or_else(|| id(stem))
    }

    /// The content that the name names: its hash with an extension, or as Comfy Cloud writes hashes.
    #[must_use]
    pub fn content(&self) -> Option<ContentHash> {
        match self.name.strip_prefix(HASH) {
            Some(hash) => hash.parse().ok(),
            None => self.name.parse().ok().map(|key: FileKey| key.content),
        }
    }

    /// Whether the name is an id or a hash.
    #[must_use]
    pub fn is_by_id(&self) -> bool {
        self.id().is_some() || self.content().is_some()
    }
}

/// The name before an annotation, and its folder.
fn annotation(name: &str) -> (&str, Option<ServerFolder>) {
    let inside = name.strip_suffix(']').and_then(|name| name.rsplit_once(" ["));
    match inside.and_then(|(name, folder)| Some((name, ServerFolder::from_name(folder)?))) {
        Some((name, folder)) => (name, Some(folder)),
        None => (name, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(folder: ServerFolder, subfolder: &str, name: &str) -> FilePlace {
        FilePlace { folder, subfolder: subfolder.to_owned(), name: name.to_owned() }
    }

    #[test]
    fn places_are_read_as_comfyui_does() {
        for (given, expected) in [
            (("a.png", "", "output"), Ok(place(ServerFolder::Output, "", "a.png"))),
            (("a.png", "", "temp"), Ok(place(ServerFolder::Output, "", "a.png"))),
            (("a.png [input]", "", "output"), Ok(place(ServerFolder::Input, "", "a.png"))),
            (("a.png", "clipspace/", "input"), Ok(place(ServerFolder::Input, "clipspace", "a.png"))),
            (("clipspace/a.png", "", "input"), Ok(place(ServerFolder::Input, "clipspace", "a.png"))),
            (("a.png", "./a//b", "input"), Ok(place(ServerFolder::Input, "a/b", "a.png"))),
            (("./a.png", "", "input"), Ok(place(ServerFolder::Input, "", "a.png"))),
            (("", "", "output"), Err(PlaceFault::Invalid)),
            (("/etc/passwd", "", "output"), Err(PlaceFault::Invalid)),
            (("../a.png", "", "output"), Err(PlaceFault::Invalid)),
            (("a/", "", "output"), Err(PlaceFault::Invalid)),
            (("a.png", "", "models"), Err(PlaceFault::Invalid)),
            (("a\0.png", "", "input"), Err(PlaceFault::Invalid)),
            (("a.png", "x\0y", "input"), Err(PlaceFault::Invalid)),
            (("a.png", "../..", "output"), Err(PlaceFault::Outside)),
            (("a.png", "/etc", "output"), Err(PlaceFault::Outside)),
        ] {
            let (name, subfolder, folder) = given;
            assert_eq!(FilePlace::parse(name, subfolder, folder), expected, "{given:?}");
        }
    }

    #[test]
    fn values_of_inputs_name_places() {
        let of = |value| FilePlace::of_value(value).expect("a place");
        assert_eq!(of("a.png"), place(ServerFolder::Input, "", "a.png"));
        assert_eq!(of("clipspace\\a.png [input]"), place(ServerFolder::Input, "clipspace", "a.png"));
        let id = "01970000-0000-7000-8000-000000000001";
        let output = of(&format!("{id}/a.png [output]"));
        assert_eq!((output.folder, output.id().map(|id| id.to_string()).as_deref()), (ServerFolder::Output, Some(id)));
        assert_eq!(FilePlace::of_value("../a.png"), None);
    }

    #[test]
    fn ids_and_hashes_are_told_from_names() {
        let named = |name: &str| place(ServerFolder::Input, "", name);
        assert!(named("01970000-0000-7000-8000-000000000001.png").is_by_id());
        for hash in [format!("{}.png", "a1".repeat(32)), format!("{HASH}{}", "a1".repeat(32))] {
            assert_eq!(named(&hash).content().map(|content| content.0), Some("a1".repeat(32)), "{hash}");
            assert!(named(&hash).is_by_id());
        }
        assert!(!named("boat.png").is_by_id() && !named("d41d8cd98f00b204e9800998ecf8427e.png").is_by_id());
    }
}

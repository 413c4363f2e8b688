//! File names, and confinement to the worker's folders.

use std::path::{Component, Path, PathBuf};

/// Maximum length of a file name in bytes.
const NAME_BYTES: usize = 255;

/// A path under `base`, or `None` if `inside` leaves it. Existing symbolic links are resolved.
pub(super) fn under(base: &Path, inside: &str) -> Option<PathBuf> {
    let mut path = base.to_path_buf();
    let mut depth = 0_usize;
    for part in Path::new(inside).components() {
        match part {
            Component::Normal(name) => {
                path.push(name);
                depth += 1;
            }
            Component::CurDir => {}
            Component::ParentDir => {
                depth = depth.checked_sub(1)?;
                path.pop();
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    if inside.contains('\0') {
        return None;
    }
    stays_inside(base, &path).then_some(path)
}

/// Whether the existing part of the path is inside the existing part of the folder.
fn stays_inside(base: &Path, path: &Path) -> bool {
    let existing = |path: &Path| path.ancestors().find_map(|part| part.canonicalize().ok());
    existing(base).zip(existing(path)).is_some_and(|(base, path)| path.starts_with(base))
}

/// Whether this is a plain file name: no folders, no invisible characters, not too long.
pub(super) fn is_plain_name(name: &str) -> bool {
    !name.is_empty()
        && name != "."
        && name != ".."
        && name.len() <= NAME_BYTES
        && !name.contains(['/', '\\'])
        && !name.chars().any(char::is_control)
}

/// Splits off the folder type at the end of a name: `a.png [input]`.
pub(super) fn annotated(name: &str) -> (&str, Option<&'static str>) {
    for kind in ["output", "input", "temp"] {
        let bare =
            name.strip_suffix(']').and_then(|rest| rest.strip_suffix(kind)).and_then(|rest| rest.strip_suffix('['));
        if let Some(bare) = bare {
            return (bare.strip_suffix(' ').unwrap_or(bare), Some(kind));
        }
    }
    (name, None)
}

/// `name (2).png` for `name.png` and 2.
pub(super) fn numbered(name: &str, number: usize) -> String {
    match name.rfind('.').filter(|dot| *dot > 0) {
        Some(dot) => {
            let (stem, extension) = name.split_at(dot);
            format!("{stem} ({number}){extension}")
        }
        None => format!("{name} ({number})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_never_leave_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().join("base");
        std::fs::create_dir_all(base.join("sub")).unwrap();
        std::fs::write(folder.path().join("secret"), "x").unwrap();
        for inside in ["", "sub", "sub/../sub/a.png", "new/deep", "./a"] {
            assert!(under(&base, inside).is_some(), "{inside}");
        }
        for outside in ["..", "../base2", "sub/../../x", "/etc/passwd", "a\0b"] {
            assert!(under(&base, outside).is_none(), "{outside:?}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(folder.path(), base.join("out")).unwrap();
            assert!(under(&base, "out/secret").is_none(), "a link must not lead out");
        }
    }

    #[test]
    fn folder_type_is_split_from_name() {
        assert_eq!(annotated("a.png [input]"), ("a.png", Some("input")));
        assert_eq!(annotated("s/a.png [temp]"), ("s/a.png", Some("temp")));
        assert_eq!(annotated("a.png [nope]"), ("a.png [nope]", None));
        assert_eq!(annotated("a.png"), ("a.png", None));
    }

    #[test]
    fn second_file_of_a_name_is_numbered() {
        assert_eq!(numbered("up.png", 1), "up (1).png");
        assert_eq!(numbered("a.b.png", 12), "a.b (12).png");
        assert_eq!(numbered("none", 2), "none (2)");
        assert_eq!(numbered(".hidden", 1), ".hidden (1)");
    }
}

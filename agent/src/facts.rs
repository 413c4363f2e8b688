//! Collects facts about the machine for the platform's operators.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::protocol::{Facts, Gpu, MAX_MODELS, Model};
use crate::server::Server;

/// Deeper model folders are ignored.
const DEPTH: usize = 6;

/// Collects all facts. Leaves out what cannot be determined.
pub async fn find(server: &Server, models: &[PathBuf]) -> Facts {
    let stats = server.stats().await.unwrap_or_default();
    let folders = models.to_vec();
    let models = tokio::task::spawn_blocking(move || list(&folders)).await.unwrap_or_default();
    let devices = stats.get("devices").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(|text| short(text).to_owned());
    Facts {
        agent_version: env!("CARGO_PKG_VERSION").to_owned(),
        os: os(),
        driver: driver(),
        comfyui_version: text(stats.pointer("/system/comfyui_version")),
        gpus: devices
            .iter()
            .take(32)
            .map(|device| Gpu {
                name: text(device.get("name")).unwrap_or_default(),
                vram_bytes: device.get("vram_total").and_then(Value::as_u64).unwrap_or_default(),
            })
            .collect(),
        models,
    }
}

fn short(text: &str) -> &str {
    text.char_indices().nth(200).map_or(text, |(at, _)| text.get(..at).unwrap_or_default())
}

/// The distribution's name and the kernel version.
fn os() -> Option<String> {
    let kernel = rustix::system::uname().release().to_string_lossy().into_owned();
    let text = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let name = name.map_or("Linux", |name| name.trim_matches('"'));
    Some(short(&format!("{name}, {kernel}")).to_owned())
}

/// The version of the NVIDIA or AMD driver.
fn driver() -> Option<String> {
    let nvidia = fs::read_to_string("/proc/driver/nvidia/version").ok().and_then(|text| {
        let line = text.lines().next()?.to_owned();
        line.split_whitespace()
            .find(|word| word.starts_with(|c: char| c.is_ascii_digit()))
            .map(|word| format!("NVIDIA {word}"))
    });
    nvidia.or_else(|| {
        let version = fs::read_to_string("/sys/module/amdgpu/version").ok()?;
        Some(short(&format!("amdgpu {}", version.trim())).to_owned())
    })
}

/// Model files with sizes, sorted by name.
fn list(folders: &[PathBuf]) -> Vec<Model> {
    let mut found = Vec::new();
    for folder in folders {
        walk(folder, "", 0, &mut found);
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found.dedup_by(|one, other| one.name == other.name);
    found
}

fn walk(folder: &Path, above: &str, depth: usize, found: &mut Vec<Model>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name().to_string_lossy().into_owned();
        // Models are often links to shared storage. Only name and size are sent.
        let Ok(facts) = fs::metadata(entry.path()) else { continue };
        let name = if above.is_empty() { name } else { format!("{above}/{name}") };
        if facts.is_dir() {
            if depth < DEPTH {
                walk(&entry.path(), &name, depth + 1, found);
            }
        } else if found.len() < MAX_MODELS && !name.ends_with("_here") && name.len() <= 300 {
            found.push(Model { name, size_bytes: facts.len() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_listed_with_sizes_without_placeholder_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str, bytes: usize| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, vec![0; bytes]).expect("written");
        };
        at("checkpoints/sd/base.safetensors", 7);
        at("loras/put_loras_here", 0);
        // A link cycle must not loop forever.
        std::os::unix::fs::symlink(folder.path(), folder.path().join("loras/circle")).expect("a link");
        let found = list(&[folder.path().to_path_buf()]);
        assert_eq!(found.first(), Some(&Model { name: "checkpoints/sd/base.safetensors".to_owned(), size_bytes: 7 }));
        assert!(found.len() < 10 && found.iter().all(|model| !model.name.ends_with("_here")));
    }
}

//! Checks that packaging files and the operator's pages are correct.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Time that a node needs to stop, in addition to its settings for requests.
const FAREWELL_SECONDS: i64 = 30;

/// Pages for operators that name settings.
const GUIDES: [&str; 2] = ["docs/operating.md", "docs/alerts.md"];

fn at(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn read(path: &str) -> String {
    std::fs::read_to_string(at(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

fn defaults() -> toml::Table {
    read("config/verdigraph.toml").parse().expect("settings")
}

/// The environment variables of all settings.
fn known() -> BTreeSet<String> {
    let mut known: BTreeSet<String> = ["VERDIGRAPH_CONFIG", "VERDIGRAPH_AGENT_TOKEN"].map(String::from).into();
    for (section, keys) in defaults() {
        let keys = keys.as_table().expect("a section").keys();
        known.extend(keys.map(|key| format!("VERDIGRAPH_{}_{}", section.to_uppercase(), key.to_uppercase())));
    }
    known
}

/// Names of variables in a text. Names that end in `_` or are placeholders are skipped.
fn named(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '<'));
    words.filter(|word| word.starts_with("VERDIGRAPH_") && !word.contains('<')).collect()
}

#[test]
fn variables_in_packaging_and_guide_are_settings() {
    let (known, mut texts) = (known(), GUIDES.map(at).to_vec());
    files(&at("packaging"), &mut texts);
    for path in texts {
        let text = std::fs::read_to_string(&path).expect("a text");
        let unknown: Vec<_> = named(&text).into_iter().filter(|name| !known.contains(*name)).collect();
        assert!(unknown.is_empty(), "{} sets what a node does not read: {unknown:?}", path.display());
    }
}

#[test]
fn settings_in_the_guide_exist() {
    let defaults = defaults();
    let unknown: Vec<_> = GUIDES
        .iter()
        .flat_map(|guide| read(guide).split('`').map(String::from).collect::<Vec<_>>())
        .filter_map(|word| {
            let (section, key) = word.split_once('.')?;
            let keys = defaults.get(section)?.as_table()?;
            let plain = key.chars().all(|c| c.is_ascii_lowercase() || c == '_');
            (plain && !keys.contains_key(key)).then(|| word.clone())
        })
        .collect();
    assert!(unknown.is_empty(), "unknown settings: {unknown:?}");
}

#[test]
fn alerts_and_guide_sections_match() {
    let rules = read("config/prometheus/alerts.yml");
    let alerts: BTreeSet<_> = rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    let guide = read("docs/alerts.md");
    let sections: BTreeSet<_> = guide.lines().filter_map(|line| line.strip_prefix("### Verdigraph")).collect();
    let expected: BTreeSet<_> = alerts.iter().filter_map(|alert| alert.strip_prefix("Verdigraph")).collect();
    assert_eq!(sections, expected, "every alert has a section in docs/alerts.md");
}

#[test]
fn stop_timeouts_are_longer_than_a_node_needs() {
    let defaults = defaults();
    let seconds = |key: &str| defaults["server"].get(key).and_then(toml::Value::as_integer).unwrap_or_default();
    let needed = seconds("drain_seconds") + seconds("shutdown_seconds") + FAREWELL_SECONDS;
    for (path, key) in [
        ("packaging/systemd/verdigraph@.service", "TimeoutStopSec="),
        ("packaging/compose/compose.yaml", "stop_grace_period: "),
        ("packaging/kubernetes/nodes.yaml", "terminationGracePeriodSeconds: "),
    ] {
        let text = read(path);
        let given = text.lines().find_map(|line| line.trim().strip_prefix(key)).expect("a time");
        let given: i64 = given.trim_end_matches('s').parse().expect("seconds");
        assert!(given >= needed, "{path} kills a node after {given} s, which may need {needed}");
    }
}

#[test]
fn probes_use_the_documented_paths() {
    for (path, calls) in [
        ("packaging/Containerfile", ["/api/live", "STOPSIGNAL SIGTERM", "USER 10001"]),
        ("packaging/haproxy.cfg", ["/api/ready", "http-check expect status 200", "disable-l7-retry if !METH_GET"]),
        ("packaging/kubernetes/nodes.yaml", ["path: /api/live", "path: /api/ready", "runAsNonRoot: true"]),
        ("packaging/systemd/verdigraph-agent.service", ["KillSignal=SIGTERM", "KillMode=mixed", "Restart=always"]),
        ("packaging/systemd/verdigraph@.service", ["KillSignal=SIGTERM", "KillMode=mixed", "Restart=always"]),
    ] {
        let text = read(path);
        for call in calls {
            assert!(text.contains(call), "{path}: {call}");
        }
    }
}

#[test]
fn image_excludes_data_and_secrets_and_copies_existing_files() {
    let ignored = read(".containerignore");
    assert_eq!(ignored, read("packaging/Containerfile.dockerignore"), "Docker and Podman read a file each");
    for secret in [".git", ".data", ".env", "packaging/compose/secrets", "target"] {
        assert!(ignored.lines().any(|line| line == secret), "{secret}");
    }
    let mut sources = Vec::new();
    for folder in ["core", "http", "workers", "pixels", "scripted", "load-tests", "config", "web/src", ".sqlx"] {
        files(&at(folder), &mut sources);
    }
    for pattern in ignored.lines().filter(|line| !line.starts_with('#')) {
        let (anywhere, name) = pattern.strip_prefix("**/").map_or((false, pattern), |name| (true, name));
        let left_out = sources.iter().find(|path| {
            let path = path.strip_prefix(at("")).expect("a source of ours");
            path.starts_with(name) || anywhere && path.components().any(|part| part.as_os_str() == name)
        });
        assert!(left_out.is_none(), "{pattern} leaves out {left_out:?}, which the program is made of");
    }
    let copied = read("packaging/Containerfile");
    let own = copied.lines().filter_map(|line| line.strip_prefix("COPY ")).filter(|line| !line.starts_with("--"));
    for path in own.flat_map(|line| line.split(' ').rev().skip(1)) {
        assert!(at(path).exists(), "the image copies {path}");
    }
}

#[test]
fn files_mounted_by_compose_exist() {
    let text = read("packaging/compose/compose.yaml");
    let brought: Vec<_> = text
        .split(['"', ' ', '['])
        .filter_map(|word| word.strip_suffix('\n').unwrap_or(word).split_once(':'))
        .map(|(from, _)| from)
        .filter(|from| from.starts_with("./") || from.starts_with("../"))
        .collect();
    assert!(brought.len() > 5, "{brought:?}");
    for path in brought {
        assert!(at("packaging/compose").join(path).exists(), "compose.yaml brings in {path}");
    }
}

#[test]
fn nodes_in_packaging_have_unique_names() {
    for (path, names) in [
        ("packaging/compose/compose.yaml", &["node1 }", "node2 }", "node3 }"][..]),
        ("packaging/kubernetes/nodes.yaml", &["fieldPath: metadata.name"][..]),
        ("packaging/systemd/verdigraph@.service", &["VERDIGRAPH_SERVER_NODE=%H:%i"][..]),
    ] {
        let text = read(path);
        assert_eq!(text.matches("VERDIGRAPH_SERVER_NODE").count(), names.len(), "{path}: once for each node");
        for name in names {
            assert!(text.contains(name), "{path}: {name}");
        }
    }
}

#[test]
fn agent_unit_uses_existing_options_and_no_token() {
    let unit = read("packaging/systemd/verdigraph-agent.service");
    let options = read("agent/src/options.rs");
    let command = unit.split_once("ExecStart=").expect("a command").1.split_once("StateDirectory=").expect("a state").0;
    let named: BTreeSet<&str> = command.split_whitespace().filter_map(|word| word.strip_prefix("--")).collect();
    assert!(named.contains("token-file") && named.contains("restart-command"), "{named:?}");
    for name in named {
        assert!(options.contains(&format!("pub {}:", name.replace('-', "_"))), "the agent has no --{name}");
    }
    assert!(!unit.contains("vga_"), "a command line is read by everybody on the machine");
    // The agent's grace period for ComfyUI, plus a margin.
    let patience = options.split_once("pub finish_seconds").expect("the option").0.rsplit_once("default_value_t = ");
    let finish: i64 = patience.and_then(|(_, rest)| rest.split_once(')')?.0.parse().ok()).expect("seconds");
    let stop: i64 = unit.lines().find_map(|line| line.strip_prefix("TimeoutStopSec=")?.parse().ok()).expect("seconds");
    assert!(stop >= finish + 20, "it is killed while ComfyUI may finish");
}

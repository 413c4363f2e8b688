//! Names of API fields.

use std::collections::HashSet;

use super::form::entries::safe;

/// The name, with the first free number if it is taken.
pub(in crate::mini_apps) fn unused(names: &mut HashSet<String>, name: String) -> String {
    let mut tried = name.clone();
    let mut number = 2;
    while !names.insert(field_name(&tried)) {
        tried = format!("{name} {number}");
        number += 1;
    }
    tried
}

/// `Negative prompt` → `negative_prompt`.
pub(in crate::mini_apps) fn field_name(name: &str) -> String {
    safe(name.trim_start_matches('_').to_lowercase().as_str())
}

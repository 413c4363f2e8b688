//! Prompts between their submit and their claim, which nearly always follows at once on the same node.

use std::sync::Arc;
use std::time::Duration;

use crate::cache::Cache;
use crate::graph::WrittenPrompt;

/// Larger prompts are read from their rows.
const MAX_BYTES: usize = 64 << 10;
/// The texts of all prompts.
const MAX_BYTES_IN_ALL: u64 = 4 << 20;
const USUAL_BYTES: u64 = 8 << 10;
/// A job that waits for longer reads the row.
const LIFETIME: Duration = Duration::from_secs(5);

/// Submitted prompts by their hash. The row of a prompt is the authority; an entry saves its read.
pub(in crate::jobs) struct SubmittedPrompts(Cache<String, Arc<WrittenPrompt>>);

impl Default for SubmittedPrompts {
    fn default() -> Self {
        Self(Cache::with_weight(MAX_BYTES_IN_ALL, USUAL_BYTES).with_lifetime(LIFETIME))
    }
}

impl SubmittedPrompts {
    /// Keeps a small prompt for its claim.
    pub fn keep(&self, hash: &str, prompt: WrittenPrompt) {
        let bytes = prompt.text.as_str().len();
        if bytes <= MAX_BYTES {
            self.0.insert_weighted(hash.to_owned(), Arc::new(prompt), u32::try_from(bytes).unwrap_or(u32::MAX));
        }
    }

    /// Takes the prompt of a claimed job. Another job with the same prompt reads the row.
    pub fn take(&self, hash: &str) -> Option<Arc<WrittenPrompt>> {
        let prompt = self.0.get(hash)?;
        self.0.remove(hash);
        Some(prompt)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use serde_json::value::to_raw_value;

    use super::*;

    fn prompt(text: &str) -> WrittenPrompt {
        let prompt = json!({ "1": { "class_type": "Show", "inputs": { "text": text } } });
        WrittenPrompt::read(&to_raw_value(&prompt).expect("JSON")).expect("a prompt")
    }

    #[test]
    fn small_prompt_is_taken_once_and_large_one_is_not_kept() {
        let prompts = SubmittedPrompts::default();
        let (small, large) = (prompt("a"), prompt(&"a".repeat(MAX_BYTES)));
        prompts.keep("small", small.clone());
        prompts.keep("large", large);
        assert_eq!(prompts.take("small").as_deref(), Some(&small));
        assert!(prompts.take("small").is_none(), "it stays in memory after its claim");
        assert!(prompts.take("large").is_none(), "it takes the place of many others");
    }
}

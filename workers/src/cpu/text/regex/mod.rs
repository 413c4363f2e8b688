//! Regular-expression nodes with the meaning of Python's `re`.
//!
//! A pattern is translated (`translate`) for a backtracking engine that counts its steps. A pattern that backtracks
//! without end fails with an execution error after a bounded time.

mod class;
mod error;
mod pattern;
mod syntax;
mod template;
mod translate;

use std::time::{Duration, Instant};

use super::super::node::{Context, Inputs, NodeError, Outcome};
use super::super::value::Value;
use super::Run;
use super::strings::{check_length, text};
use error::PatternError;
use pattern::{Match, Pattern};
use syntax::Flags;
use template::Template;

pub(super) const NODES: &[(&str, Run)] =
    &[("RegexMatch", matches), ("RegexExtract", extract), ("RegexReplace", replace)];

/// Time limit for all matches of one node.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Bytes to record a match, and the number of matches reserved at once.
const NOTE_BYTES: usize = 64;
const NOTED_AT_ONCE: usize = 1024;

/// An invalid pattern matches nothing, as in ComfyUI.
fn matches(inputs: &Inputs, _context: &Context<'_>) -> Result<Outcome, NodeError> {
    let string = inputs.text("string")?;
    let found = match compile(inputs) {
        Ok(pattern) => pattern.search(string, 0, false)?.is_some(),
        Err(PatternError::Invalid(_)) => false,
        Err(limit) => return Err(limit.into()),
    };
    Ok(Outcome::one(Value::Bool(found)))
}

/// An invalid pattern gives an empty text, as in ComfyUI.
fn extract(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let string = inputs.text("string")?;
    let group = usize::try_from(inputs.int("group_index")?).unwrap_or(usize::MAX);
    let pattern = match compile(inputs) {
        Ok(pattern) => pattern,
        Err(PatternError::Invalid(_)) => return text(""),
        Err(limit) => return Err(limit.into()),
    };
    let first = || pattern.search(string, 0, false);
    match inputs.text("mode")? {
        "First Match" => text(first()?.map_or("", |found| found.whole())),
        "First Group" => match first()? {
            Some(found) if group <= pattern.groups() => Ok(Outcome::one(
                // A group that did not match is None in Python and in the output.
                found
                    .group(group)
                    .map_or_else(|| Value::Json(serde_json::Value::Null.into()), |part| Value::Text(part.into())),
            )),
            _ => text(""),
        },
        "All Matches" => {
            // findall returns the first group if there are groups, and "" for one that did not match.
            let mut parts = Vec::new();
            each_match(&pattern, string, 0, context, |found| {
                parts.push(if pattern.groups() == 0 { found.whole() } else { found.group(1).unwrap_or("") });
                Ok(())
            })?;
            joined(&parts, context)
        }
        "All Groups" => {
            let mut parts = Vec::new();
            each_match(&pattern, string, 0, context, |found| {
                if pattern.groups() == 0 || group > pattern.groups() {
                    return Ok(());
                }
                let place = parts.len();
                parts.push(found.group(group).ok_or_else(|| NodeError::Raised {
                    kind: "TypeError",
                    message: format!("sequence item {place}: expected str instance, NoneType found"),
                })?);
                Ok(())
            })?;
            joined(&parts, context)
        }
        _ => text(""),
    }
}

fn replace(inputs: &Inputs, context: &Context<'_>) -> Result<Outcome, NodeError> {
    let string = inputs.text("string")?;
    let count = if inputs.get("count").is_some() { inputs.int("count")? } else { 0 };
    let pattern = compile(inputs)?;
    let template = Template::parse(inputs.text("replace")?, &pattern)?;
    let mut out = String::with_capacity(string.len());
    let mut done = 0;
    let mark = context.memory.reserved();
    each_match(&pattern, string, usize::try_from(count).unwrap_or(0), context, |found| {
        out.push_str(string.get(done..found.start()).unwrap_or(""));
        template.expand(&found, &mut out);
        done = found.end();
        context.memory.release_to(mark);
        check_length(out.len(), context)
    })?;
    out.push_str(string.get(done..).unwrap_or(""));
    check_length(out.len(), context)?;
    text(out)
}

fn joined(parts: &[&str], context: &Context<'_>) -> Result<Outcome, NodeError> {
    check_length(parts.iter().map(|part| part.len() + 1).sum(), context)?;
    text(parts.join("\n"))
}

fn compile(inputs: &Inputs) -> Result<Pattern, PatternError> {
    let flag = |name: &str, default: bool| if inputs.get(name).is_some() { inputs.bool(name) } else { Ok(default) };
    let wrong = |error: NodeError| match error {
        NodeError::Raised { message, .. } => PatternError::Limit(message),
        NodeError::Interrupted => PatternError::Limit("interrupted".to_owned()),
    };
    let flags = Flags {
        ignore_case: flag("case_insensitive", true).map_err(wrong)?,
        multiline: flag("multiline", false).map_err(wrong)?,
        dotall: flag("dotall", false).map_err(wrong)?,
        ..Flags::default()
    };
    Pattern::compile(inputs.text("regex_pattern").map_err(wrong)?, flags)
}

/// Iterates like `re.finditer`: after an empty match the next one at the same position must not be empty. At most
/// `count` matches; 0 means all.
fn each_match<'t>(
    pattern: &Pattern,
    string: &'t str,
    count: usize,
    context: &Context<'_>,
    mut visit: impl FnMut(Match<'t>) -> Result<(), NodeError>,
) -> Result<(), NodeError> {
    let started = Instant::now();
    let (mut from, mut must_advance, mut seen) = (0, false, 0);
    while from <= string.len() && (count == 0 || seen < count) {
        context.check()?;
        if seen % NOTED_AT_ONCE == 0 {
            context.reserve(NOTED_AT_ONCE * NOTE_BYTES)?;
        }
        if started.elapsed() > TIME_LIMIT {
            return Err(PatternError::Limit("the matches of this pattern take too long".to_owned()).into());
        }
        let Some(found) = pattern.search(string, from, must_advance)? else { break };
        (from, must_advance) = (found.end(), found.end() == found.start());
        seen += 1;
        visit(found)?;
    }
    Ok(())
}

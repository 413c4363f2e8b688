//! PostgreSQL alone: runs the prepared statements of a request with `pgbench`, over as many connections as the request
//! has.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;

use super::statements::Statement;
use crate::error::{Error, Result};
use crate::platform::Database;

/// Threads of `pgbench`: one per processor, so that it is never the bottleneck.
const THREADS: usize = 2;

/// How often per second all statements of a request were run.
pub async fn rate(
    database: &Database,
    statements: &[Statement],
    connections: usize,
    length: Duration,
    folder: &Path,
) -> Result<f64> {
    let script = folder.join("pgbench.sql");
    let (text, variables) = written(statements);
    std::fs::write(&script, text)?;
    let (options, password) = database.options()?;
    let mut command = Command::new("pgbench");
    command
        .args(["--no-vacuum", "--protocol=prepared"])
        .args(["--client", &connections.to_string(), "--jobs", &THREADS.min(connections).to_string()])
        .args(["--time", &length.as_secs().max(1).to_string()])
        .arg("--file")
        .arg(&script);
    for (name, value) in variables {
        command.arg("--define").arg(format!("{name}={value}"));
    }
    address(&mut command, &options);
    command.env("PGPASSWORD", password).stdin(Stdio::null());
    let output = tokio::task::spawn_blocking(move || command.output())
        .await
        .map_err(|error| Error::Other(error.to_string()))?
        .map_err(Error::doing("cannot run pgbench, which comes with PostgreSQL"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let tps = said.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
    match tps {
        Some(tps) if output.status.success() => Ok(tps),
        _ => Err(Error::Other(format!("pgbench failed: {}", String::from_utf8_lossy(&output.stderr).trim()))),
    }
}

fn address(command: &mut Command, options: &PgConnectOptions) {
    command.args(["--host", options.get_host(), "--port", &options.get_port().to_string()]);
    command.args(["--username", options.get_username()]);
    command.args(options.get_database());
}

/// A script of the statements, with one variable for each parameter.
fn written(statements: &[Statement]) -> (String, Vec<(String, String)>) {
    let (mut script, mut variables) = (String::new(), Vec::new());
    for (number, statement) in statements.iter().enumerate() {
        let name = |parameter: usize| format!("s{number}_p{parameter}");
        let mut rest = statement.text.trim().trim_end_matches(';');
        while let Some((before, after)) = rest.split_once('$') {
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            let (parameter, behind) = after.split_at(digits);
            script.push_str(before);
            match parameter.parse::<usize>().ok().map(|place| (place, statement.parameters.get(place.wrapping_sub(1))))
            {
                Some((place, Some(Some(_)))) => script.push_str(&format!(":{}", name(place))),
                Some((_, Some(None))) => script.push_str("NULL"),
                Some((_, None)) | None => {
                    script.push('$');
                    script.push_str(parameter);
                }
            }
            rest = behind;
        }
        script.push_str(rest);
        script.push_str(";\n");
        let values = (1..).zip(&statement.parameters);
        variables.extend(values.filter_map(|(place, value)| Some((name(place), value.clone()?))));
    }
    (script, variables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_become_variables_and_casts_are_kept() {
        let one = Statement {
            text: "SELECT $1::bool[], $10, '$' FROM t WHERE a = $2 LIMIT $3;".to_owned(),
            parameters: ["{t}", "5"].into_iter().map(|text| Some(text.to_owned())).chain([None]).collect(),
        };
        let (script, variables) = written(&[one]);
        assert_eq!(script, "SELECT :s0_p1::bool[], $10, '$' FROM t WHERE a = :s0_p2 LIMIT NULL;\n");
        assert_eq!(variables, [("s0_p1".to_owned(), "{t}".to_owned()), ("s0_p2".to_owned(), "5".to_owned())]);
    }
}

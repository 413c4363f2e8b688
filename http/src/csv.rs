//! CSV files (RFC 4180) that are safe to open in a spreadsheet.

use actix_web::HttpResponse;
use actix_web::http::header;
use actix_web::web::Bytes;
use futures_util::stream;
use verdigraph_core::Error;

use crate::attachment::attachment;
use crate::error::ApiError;

/// Lines read at a time.
pub const LINES: i64 = 500;

/// A file of this name, sent while it is read: a header, lines of `first`, and those that `next` reads after the last
/// item, [`LINES`] at a time.
///
/// An error ends the download early, so that a part of the file cannot look complete.
pub fn file<T: 'static, F>(
    name: &str,
    header: String,
    first: Vec<T>,
    line: fn(&T) -> String,
    next: impl Fn(&T) -> F + 'static,
) -> HttpResponse
where
    F: Future<Output = Result<Vec<T>, Error>> + 'static,
{
    let begin = Some((header, first));
    let pieces = stream::unfold((begin, next), move |(state, next)| async move {
        let (mut text, items) = state?;
        text.extend(items.iter().map(line));
        let read = match items.last() {
            Some(last) if i64::try_from(items.len()) == Ok(LINES) => match next(last).await {
                Ok(items) => Some((String::new(), items)).filter(|(_, items)| !items.is_empty()),
                Err(error) => return Some((Err(ApiError::from(error)), (None, next))),
            },
            _ => None,
        };
        Some((Ok(Bytes::from(text)), (read, next)))
    });
    HttpResponse::Ok()
        .content_type("text/csv; charset=utf-8")
        .insert_header((header::CONTENT_DISPOSITION, attachment(name)))
        .streaming(pieces)
}

/// A line of cells. A cell that a spreadsheet would take for a formula begins with an apostrophe.
#[must_use]
pub fn line<const N: usize>(cells: [&str; N]) -> String {
    cells.map(cell).join(",") + "\r\n"
}

fn cell(text: &str) -> String {
    let text = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\r', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn cells_are_quoted_and_never_formulas() {
        assert_eq!(line(["ABCD-1234", "", "ann@example.com"]), "ABCD-1234,,ann@example.com\r\n");
        assert_eq!(line(["a,b", "say \"x\"", "one\ntwo"]), "\"a,b\",\"say \"\"x\"\"\",\"one\ntwo\"\r\n");
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\tx"] {
            assert_eq!(line([text]), format!("'{text}\r\n"));
        }
        assert_eq!(line(["=a,b"]), "\"'=a,b\"\r\n");
    }
}

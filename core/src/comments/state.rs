//! What can be a comment. Pure.

use crate::{Error, Result, html};

/// The longest comment, in characters of its text.
pub const MAX_CHARS: usize = 580;
/// The largest comment, in bytes of HTML as sent: markup must not outweigh the text by far.
pub const MAX_HTML_BYTES: usize = 16 * 1024;
/// Pictures in one comment.
const MAX_IMAGES: usize = 4;

/// The HTML that is stored: cleaned, with some text or a picture, and not too much of either.
pub(super) fn checked_content(content: &str) -> Result<String> {
    if content.len() > MAX_HTML_BYTES {
        return Err(Error::invalid("content", format!("must not be larger than {MAX_HTML_BYTES} bytes")));
    }
    let clean = html::clean(&content.replace('\0', ""));
    let (text, images) = (html::text(&clean), clean.matches("<img ").count());
    if html::is_blank(&clean) {
        return Err(Error::invalid("content", "must not be empty"));
    }
    if text.chars().count() > MAX_CHARS {
        return Err(Error::invalid("content", format!("must have at most {MAX_CHARS} characters")));
    }
    if images > MAX_IMAGES {
        return Err(Error::invalid("content", format!("must have at most {MAX_IMAGES} pictures")));
    }
    Ok(clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_counted_and_not_the_markup() {
        let full = format!("<p><strong>{}</strong></p>", "가".repeat(MAX_CHARS));
        assert_eq!(checked_content(&full).expect("as long as allowed"), full);
        assert!(checked_content(&format!("<p>{}</p>", "a".repeat(MAX_CHARS + 1))).is_err());
        assert!(checked_content(&format!("<p>{}</p>", "<u></u>".repeat(3000))).is_err(), "markup without end");
    }

    #[test]
    fn something_must_be_left_after_cleaning() {
        for nothing in [
            "",
            "  ",
            "<p><br></p>",
            "<p>\u{200b}\u{200d}</p>",
            "<p>\u{2800}</p>",
            "<p>&#8203;</p>",
            "<script>alert(1)</script>",
            "<img src=\"https://elsewhere.example/x\">x<b></b>",
        ] {
            let content = checked_content(nothing);
            assert_eq!(content.is_ok(), nothing.contains(">x<"), "{nothing}: {content:?}");
        }
        let picture = "<p><img src=\"/media/raw/ab.png\"></p>";
        assert_eq!(checked_content(picture).expect("a picture says something"), picture);
        assert!(checked_content(&picture.repeat(5)).is_err(), "five pictures");
    }
}

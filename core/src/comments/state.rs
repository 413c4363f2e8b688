//! Rules for the content of comments. Pure.

use crate::{Code, Error, Result, html, names};

/// The longest comment, in characters of its text.
pub const MAX_CHARS: usize = 580;
/// The largest comment, in bytes of HTML as sent. It limits markup.
pub const MAX_HTML_BYTES: usize = 16 * 1024;
/// Pictures in one comment.
const MAX_IMAGES: usize = 4;

/// Returns the sanitized HTML to store. Refuses pictures without text, because the specification's editor sends nothing
/// while the text is empty.
pub(super) fn checked_content(content: &str) -> Result<String> {
    if content.len() > MAX_HTML_BYTES {
        return Err(Error::invalid("content", format!("must not be larger than {MAX_HTML_BYTES} bytes")));
    }
    let clean = html::clean(&content.replace('\0', ""));
    let (text, images) = (html::text(&clean), clean.matches("<img ").count());
    if names::is_blank(&text) {
        let reason = if images > 0 { "must say something beside its pictures" } else { "must not be empty" };
        return Err(Error::invalid("content", reason));
    }
    if text.chars().count() > MAX_CHARS {
        return Err(Error::invalid("content", format!("must have at most {MAX_CHARS} characters")));
    }
    if images > MAX_IMAGES {
        return Err(Error::invalid("content", format!("must have at most {MAX_IMAGES} pictures")));
    }
    Ok(clean)
}

/// The error for changes to a hidden comment.
pub(super) fn hidden() -> Error {
    Error::conflict(Code::CommentHidden, "a moderator has hidden this comment")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_does_not_count_as_characters() {
        let full = format!("<p><strong>{}</strong></p>", "가".repeat(MAX_CHARS));
        assert_eq!(checked_content(&full).expect("as long as allowed"), full);
        assert!(checked_content(&format!("<p>{}</p>", "a".repeat(MAX_CHARS + 1))).is_err());
        assert!(checked_content(&format!("<p>{}</p>", "<u></u>".repeat(3000))).is_err(), "markup without end");
    }

    #[test]
    fn content_without_text_after_sanitizing_is_refused() {
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
    }

    #[test]
    fn pictures_need_text_and_are_limited() {
        let picture = "<p><img src=\"/media/raw/ab.png\"></p>";
        assert!(checked_content(picture).is_err(), "a picture alone");
        assert!(checked_content(&format!("<p>&nbsp;</p>{picture}")).is_err(), "a picture and a space");
        let with_words = |pictures: usize| format!("<p>look</p>{}", picture.repeat(pictures));
        assert_eq!(checked_content(&with_words(MAX_IMAGES)).expect("words and pictures"), with_words(MAX_IMAGES));
        assert!(checked_content(&with_words(MAX_IMAGES + 1)).is_err(), "one picture too many");
    }
}

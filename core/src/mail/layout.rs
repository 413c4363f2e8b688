//! Renders a mail as plain text and as HTML.

use super::text::{ListItem, MailText};
use crate::language::Language;

pub(super) fn text(words: &MailText) -> String {
    let mut parts = vec![words.greeting.clone()];
    parts.extend(words.lines.iter().cloned());
    parts.extend(words.code.iter().cloned());
    parts.extend(words.items.iter().map(|ListItem { text, quote, url }| {
        let quote = quote.as_ref().map_or_else(String::new, |quote| format!("  > {quote}\n"));
        format!("- {text}\n{quote}  {url}")
    }));
    if let Some((label, url)) = &words.button {
        parts.push(format!("{label}:\n{url}"));
    }
    parts.extend(words.notes.iter().cloned());
    parts.extend(words.links.iter().map(|(label, url)| format!("{label}: {url}")));
    parts.push("Verdigraph".to_owned());
    parts.join("\n\n") + "\n"
}

/// HTML for mail programs: tables, inline styles, no external resources.
pub(super) fn html(words: &MailText, language: Language) -> String {
    let lines: String = words
        .lines
        .iter()
        .map(|line| {
            format!(r#"<p style="margin:0 0 16px;font-size:16px;line-height:1.6;color:#dddddd">{}</p>"#, escape(line))
        })
        .collect();
    let code = words.code.as_ref().map_or_else(String::new, |code| {
        format!(
            r#"<p style="margin:24px 0;font-size:34px;font-weight:700;letter-spacing:.2em;color:#ffffff">{}</p>"#,
            escape(code)
        )
    });
    let items: String = words.items.iter().map(item).collect();
    let button = words.button.as_ref().map_or_else(String::new, |(label, url)| {
        let (label, url) = (escape(label), escape(url));
        format!(
            r#"<p style="margin:24px 0"><a href="{url}" style="display:inline-block;padding:13px 24px;border-radius:8px;background:#5dffb1;color:#06150e;font-size:16px;font-weight:600;text-decoration:none">{label}</a></p><p style="margin:0 0 24px;font-size:12px;line-height:1.5;color:#9a9a9a;word-break:break-all">{url}</p>"#
        )
    });
    let notes: String = words
        .notes
        .iter()
        .map(|note| {
            format!(r#"<p style="margin:0 0 8px;font-size:13px;line-height:1.5;color:#ababab">{}</p>"#, escape(note))
        })
        .collect();
    let links: Vec<String> = words
        .links
        .iter()
        .map(|(label, url)| {
            format!(
                r#"<a href="{}" style="color:#ababab;text-decoration:underline">{}</a>"#,
                escape(url),
                escape(label)
            )
        })
        .collect();
    let links = match links.is_empty() {
        true => String::new(),
        false => format!(
            r#"<p style="margin:16px 0 0;font-size:13px;line-height:1.5;color:#ababab">{}</p>"#,
            links.join(" &middot; ")
        ),
    };
    let (tag, subject, greeting) = (language.tag(), escape(&words.subject), escape(&words.greeting));
    format!(
        r#"<!doctype html><html lang="{tag}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="dark"><title>{subject}</title></head><body style="margin:0;background:#111111;font-family:Inter,system-ui,'Apple SD Gothic Neo','Noto Sans KR',sans-serif"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#111111"><tr><td align="center" style="padding:32px 16px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#222222;border-radius:12px"><tr><td style="padding:32px"><p style="margin:0 0 24px;font-size:14px;font-weight:600;letter-spacing:.02em;color:#5dffb1">Verdigraph</p><h1 style="margin:0 0 20px;font-size:22px;line-height:1.3;color:#ffffff">{subject}</h1><p style="margin:0 0 16px;font-size:16px;line-height:1.6;color:#dddddd">{greeting}</p>{lines}{code}{items}{button}{notes}{links}</td></tr></table></td></tr></table></body></html>"#
    )
}

/// One list item; all of it is a link.
fn item(ListItem { text, quote, url }: &ListItem) -> String {
    let quote = quote.as_ref().map_or_else(String::new, |quote| {
        format!(
            r#"<span style="display:block;margin-top:4px;color:#ababab;font-size:14px;font-weight:400">{}</span>"#,
            escape(quote)
        )
    });
    let (text, url) = (escape(text), escape(url));
    format!(
        r#"<a href="{url}" style="display:block;margin:0 0 8px;padding:12px 14px;border:1px solid #333333;border-radius:8px;background:#1a1a1a;color:#f2f2f2;font-size:15px;font-weight:500;line-height:1.5;text-decoration:none">{text}{quote}</a>"#
    )
}

/// Escapes text for HTML content and attributes.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

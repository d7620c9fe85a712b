//! The page: one file with its style, its script and its data.

use std::{fmt::Write as _, sync::LazyLock};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::Document;

const STYLE: &str = include_str!("../page/style.css");

/// The parts of the script, in the order in which they use each other.
const SCRIPT: [&str; 14] = [
    include_str!("../page/dom.js"),
    include_str!("../page/format.js"),
    include_str!("../page/colors.js"),
    include_str!("../page/draw.js"),
    include_str!("../page/timeline.js"),
    include_str!("../page/calls.js"),
    include_str!("../page/details.js"),
    include_str!("../page/program.js"),
    include_str!("../page/output.js"),
    include_str!("../page/summary.js"),
    include_str!("../page/tree.js"),
    include_str!("../page/keys.js"),
    include_str!("../page/live.js"),
    include_str!("../page/main.js"),
];

static WHOLE_SCRIPT: LazyLock<String> =
    LazyLock::new(|| format!("\"use strict\";\n(() => {{\n{}}})();\n", SCRIPT.concat()));

/// The Content-Security-Policy of [`live_page`], for the server that sends it: its own script and style, connections to
/// that server, pictures of the data.
pub static LIVE_POLICY: LazyLock<String> = LazyLock::new(|| format!("{}; frame-ancestors 'none'", policy("'self'")));

fn policy(connections: &str) -> String {
    let digest = |text: &str| STANDARD.encode(Sha256::digest(text));
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; connect-src {connections}; \
         base-uri 'none'; form-action 'none'",
        digest(&WHOLE_SCRIPT),
        digest(STYLE)
    )
}

/// One HTML file that shows a document. It needs no network, and permits none.
#[must_use]
pub fn page(document: &Document) -> String {
    let data = serde_json::to_string(document).unwrap_or_else(|_| "{}".into());
    html(&data, "'none'")
}

/// A page without data, for a server: it asks for a token, lists the runs of `/v1/runs`, and shows what
/// `/v1/runs/{run}/document` returns, again and again while the run has not ended.
#[must_use]
pub fn live_page() -> String {
    html(&json!({ "live": true }).to_string(), "'self'")
}

fn html(data: &str, connections: &str) -> String {
    let mut page = String::with_capacity(data.len() + WHOLE_SCRIPT.len() + STYLE.len() + 4096);
    let policy = policy(connections);
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <title>Isolette</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <noscript>This page needs its own script.</noscript>\n\
         <script type=\"application/json\" id=\"document\">"
    );
    escape(data, &mut page);
    let _ = write!(page, "</script>\n<script>{}</script>\n</body>\n</html>\n", *WHOLE_SCRIPT);
    page
}

/// Escapes JSON so that no text in it ends the element that it is in, or begins a comment there.
fn escape(json: &str, page: &mut String) {
    for character in json.chars() {
        match character {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(page, "\\u{:04x}", u32::from(character));
            }
            character => page.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Call, Run};

    #[test]
    fn no_text_of_a_program_becomes_markup() {
        let hostile = "</script><img src=x onerror=alert(1)><!--\u{2028}&lt;";
        let call = Call { target: hostile.into(), outcome: hostile.into(), ..Call::default() };
        let run = Run { run: hostile.into(), code: Some(hostile.into()), calls: vec![call], ..Run::default() };
        let document = Document { runs: vec![run], ..Document::default() };
        let html = page(&document);
        assert_eq!(html.matches("</script>").count(), 2);
        assert!(!html.contains("<img") && !html.contains('\u{2028}'));
        let data = html.split("id=\"document\">").nth(1).unwrap().split("</script>").next().unwrap();
        assert_eq!(serde_json::from_str::<Document>(data).unwrap(), document);
    }

    /// The luminance of a colour `#rrggbb`, as the Web Content Accessibility Guidelines define it.
    fn luminance(color: &str) -> f64 {
        let part = |place: usize| {
            let part = f64::from(u8::from_str_radix(&color[place..place + 2], 16).expect("#rrggbb")) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    /// The colour of a name, in light and in dark.
    fn color(name: &str) -> [&'static str; 2] {
        let (_, rest) = STYLE.split_once(&format!("--{name}: light-dark(")).expect("a colour");
        rest.split(')').next().expect("its end").split_once(", ").map(|(light, dark)| [light, dark]).expect("two")
    }

    #[test]
    fn texts_can_be_read_in_dark_and_in_light() {
        for (texts, grounds) in [
            (&["text", "soft", "ok", "warn", "bad", "accent"][..], &["back", "panel", "raised", "mark"][..]),
            (&["text", "soft"], &["named"]),
            // Names of calls are written on their bars.
            (&["back"], &["tools", "http", "files", "capabilities"]),
        ] {
            for (text, ground) in texts.iter().flat_map(|text| grounds.iter().map(move |ground| (text, ground))) {
                for (one, other) in color(text).into_iter().zip(color(ground)) {
                    let (one, other) = (luminance(one), luminance(other));
                    let contrast = (one.max(other) + 0.05) / (one.min(other) + 0.05);
                    // The level AA.
                    assert!(contrast >= 4.5, "{text} on {ground}: {contrast:.2}");
                }
            }
        }
    }

    #[test]
    fn the_policy_permits_what_is_in_the_page() {
        let html = page(&Document::default());
        for (element, directive) in [("<style>", "style-src"), ("<script>", "script-src")] {
            let end = element.replace('<', "</");
            let text = html.split(element).nth(1).unwrap().split(&end).next().unwrap();
            let digest = STANDARD.encode(Sha256::digest(text));
            assert!(html.contains(&format!("{directive} 'sha256-{digest}';")), "{directive}");
        }
        assert!(LIVE_POLICY.contains("connect-src 'self'") && !LIVE_POLICY.contains("unsafe"));
    }

    #[test]
    fn only_its_own_script_runs_and_nothing_is_fetched() {
        let html = page(&Document::default());
        assert!(html.contains("default-src 'none'") && html.contains("connect-src 'none'"));
        assert!(!html.contains("http://") && !html.contains("https://"), "it names other servers");
        assert!(!WHOLE_SCRIPT.contains("innerHTML") && !WHOLE_SCRIPT.contains("eval("));
        assert!(!WHOLE_SCRIPT.contains("</") && !STYLE.contains("</"));
    }
}

//! Diagnostics as text, with the source line marked.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::sources::floor_char;
use super::{Diagnostic, Severity, Sources};
use crate::base::span::Span;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    #[default]
    Plain,
    Colour,
}

/// One diagnostic, without a line break at the end.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colour => Renderer::styled(),
    };
    let text = renderer.render(&[group(diagnostic, sources)]);
    match (&diagnostic.help, diagnostic.span) {
        // Without a place there is no margin for it to hang on.
        (Some(help), None) => format!("{text}\n = help: {}", help.replace('\n', "\n         ")),
        _ => text,
    }
}

/// All of them, each followed by an empty line.
pub fn render_all(diagnostics: &[Diagnostic], sources: &Sources, style: Style) -> String {
    diagnostics
        .iter()
        .map(|diagnostic| render(diagnostic, sources, style) + "\n\n")
        .collect()
}

fn group<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.code.to_string());
    let mut group = Group::with_title(title);
    if let Some(span) = diagnostic.span {
        group = group.element(snippet(span, diagnostic, sources));
        for file in other_files(span, diagnostic) {
            group = group.element(related_snippet(file, diagnostic, sources));
        }
    }
    if let (Some(help), Some(_)) = (&diagnostic.help, diagnostic.span) {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    group
}

/// The marked place with what is related to it in the same file.
fn snippet<'a>(
    span: Span,
    diagnostic: &'a Diagnostic,
    sources: &'a Sources,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let mut primary = AnnotationKind::Primary.span(visible(span, sources));
    if !diagnostic.label.is_empty() {
        primary = primary.label(diagnostic.label.as_str());
    }
    let same_file = diagnostic
        .related
        .iter()
        .filter(|(place, _)| place.file == span.file);
    Snippet::source(sources.text(span.file))
        .path(sources.path(span.file))
        .annotation(primary)
        .annotations(same_file.map(|(place, words)| context(*place, words, sources)))
}

fn other_files(span: Span, diagnostic: &Diagnostic) -> Vec<crate::base::span::FileId> {
    let mut files: Vec<_> = diagnostic
        .related
        .iter()
        .map(|(place, _)| place.file)
        .filter(|file| *file != span.file)
        .collect();
    files.sort_unstable();
    files.dedup();
    files
}

fn related_snippet<'a>(
    file: crate::base::span::FileId,
    diagnostic: &'a Diagnostic,
    sources: &'a Sources,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let places = diagnostic
        .related
        .iter()
        .filter(|(place, _)| place.file == file);
    Snippet::source(sources.text(file))
        .path(sources.path(file))
        .annotations(places.map(|(place, words)| context(*place, words, sources)))
}

fn context<'a>(
    place: Span,
    words: &'a str,
    sources: &Sources,
) -> annotate_snippets::Annotation<'a> {
    AnnotationKind::Context
        .span(visible(place, sources))
        .label(words)
}

/// The span cut to the text, to character boundaries and to its first line:
/// marking a whole block says less than marking its head.
fn visible(span: Span, sources: &Sources) -> std::ops::Range<usize> {
    let text = sources.text(span.file);
    let start = floor_char(text, span.start as usize);
    let mut end = floor_char(text, span.end as usize).max(start);
    if let Some(length) = text[start..end].find('\n') {
        end = start + length;
    }
    start..end
}

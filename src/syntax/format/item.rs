//! Items, from the top of the file to its end.

use super::INDENT;
use super::block;
use super::expr::{expr, text};
use super::member::{cases, values};
use super::page::{Line, LineKind, Page, width};
use crate::syntax::ast::{
    File, Hook, Ident, Item, ItemKind, Pool, PoolSource, Trial, Use, UseSource,
};

pub(super) fn file(page: &mut Page, file: &File) {
    for (at, item) in file.items.iter().enumerate() {
        page.comments(0, &item.trivia.leading, at == 0);
        let first = at == 0 && item.trivia.leading.is_empty();
        let line = Line {
            blank_before: item.trivia.breaks_before >= 2 && !first,
            ..Line::default()
        };
        self::item(page, item, line);
    }
    page.comments(0, &file.closing, file.items.is_empty());
}

fn item(page: &mut Page, item: &Item, line: Line) {
    let trailing = item.trivia.trailing.as_ref();
    let head = |text: String| Line {
        cells: vec![text],
        ..line.clone()
    };
    match &item.kind {
        ItemKind::Use(used) => page.push(head(self::used(used))),
        ItemKind::Experiment(experiment) => {
            let head = head(format!("experiment {}", text(&experiment.title)));
            return block::print(page, head, &experiment.settings, trailing);
        }
        ItemKind::Model(model) => {
            let head = head(format!("model {}", model.name));
            return block::print(page, head, &model.members, trailing);
        }
        ItemKind::Trial(trial) => {
            return block::print(page, head(trial_head(trial)), &trial.members, trailing);
        }
        ItemKind::Claim(claim) => {
            let head = head(format!("claim {}", text(&claim.title)));
            return block::print(page, head, &claim.comparisons, trailing);
        }
        ItemKind::Engine(engine) => {
            let head = head(format!(
                "engine {}{}",
                engine.kind,
                alias(engine.label.as_ref())
            ));
            if let Some(options) = &engine.options {
                return block::print(page, head, options, trailing);
            }
            page.push(head);
        }
        ItemKind::Preset(preset) => {
            let head = head(format!("preset {} = {}", preset.label, preset.kind));
            if let Some(options) = &preset.options {
                return block::print(page, head, options, trailing);
            }
            page.push(head);
        }
        ItemKind::Enum(item) => {
            let open = format!("enum {}(", item.name);
            page.push(head(filled(&open, &cases(&item.cases), ")")));
        }
        ItemKind::Pool(pool) => page.push(head(self::pool(pool))),
        ItemKind::Hook(hook) => page.push(head(self::hook(hook))),
        ItemKind::Param(param) => page.push(Line {
            cells: vec![
                format!("param {}", param.name),
                format!("= {}", expr(&param.value, 0)),
            ],
            kind: LineKind::Param,
            ..line
        }),
        ItemKind::Sweep(sweep) => page.push(Line {
            cells: vec![
                format!("sweep {}", sweep.name),
                format!("= {}", values(&sweep.values, 0)),
            ],
            kind: LineKind::Sweep,
            ..line
        }),
    }
    page.tail(trailing);
}

fn alias(label: Option<&Ident>) -> String {
    label
        .map(|label| format!(" as {label}"))
        .unwrap_or_default()
}

fn used(used: &Use) -> String {
    let source = match &used.source {
        UseSource::Module(path) => path.to_string(),
        UseSource::File(path) => text(path),
    };
    format!("use {source}{}", alias(used.alias.as_ref()))
}

fn trial_head(trial: &Trial) -> String {
    let engines: Vec<_> = trial.engines.iter().map(Ident::as_str).collect();
    let only = if engines.is_empty() {
        String::new()
    } else {
        format!(" for {}", engines.join(", "))
    };
    format!(
        "trial {}{}{only}",
        text(&trial.title),
        alias(trial.label.as_ref())
    )
}

/// The script stands as its author wrote it.
fn hook(hook: &Hook) -> String {
    let params: Vec<_> = hook.params.iter().map(Ident::as_str).collect();
    format!(
        "hook {}({}) {{{}}}",
        hook.name,
        params.join(", "),
        hook.body.text
    )
}

fn pool(pool: &Pool) -> String {
    match &pool.source {
        PoolSource::File(path) => format!("pool {} from {}", pool.name, text(path)),
        PoolSource::List(list) => {
            let items: Vec<_> = list.iter().map(|item| expr(item, 1)).collect();
            filled(&format!("pool {} = ", pool.name), &items, "")
        }
    }
}

/// Long lists are filled up to this many characters a line.
const FILL_WIDTH: usize = 100;

/// A list on one line, or filling as many as it takes.
fn filled(open: &str, items: &[String], close: &str) -> String {
    let single = format!("{open}{}{close}", items.join(", "));
    if width(&single) <= FILL_WIDTH && !single.contains('\n') {
        return single;
    }
    let pad = " ".repeat(INDENT);
    let mut out = open.trim_end().to_owned();
    let mut column = FILL_WIDTH;
    for (at, item) in items.iter().enumerate() {
        let comma = if at + 1 < items.len() { "," } else { "" };
        if column + 1 + width(item) + comma.len() > FILL_WIDTH {
            out += "\n";
            out += &pad;
            column = INDENT;
        } else {
            out += " ";
            column += 1;
        }
        out += item;
        out += comma;
        column += width(item) + comma.len();
    }
    if close.is_empty() {
        out
    } else {
        format!("{out}\n{close}")
    }
}

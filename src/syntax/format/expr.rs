//! Expressions, as written but for the spaces.

use super::INDENT;
use crate::syntax::ast::{
    Arg, Expr, ExprKind, InSet, Layout, LinkDraw, ObjectEntry, Path, Quantifier, Text, UnaryOp,
};

/// `indent` is that of the line the expression stands on, in steps: a json
/// object may go on below it.
pub(super) fn expr(expr: &Expr, indent: usize) -> String {
    let sub = |inside: &Expr| self::expr(inside, indent);
    match &expr.kind {
        ExprKind::Null => "null".to_owned(),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Number(number) => number.text.clone(),
        ExprKind::Date(date) => date.text.clone(),
        ExprKind::Text(quoted) => text(quoted),
        ExprKind::Path(path) => path.to_string(),
        ExprKind::Call { function, args } => {
            let args: Vec<_> = args.iter().map(|a| arg(a, indent)).collect();
            format!("{function}({})", args.join(", "))
        }
        ExprKind::Quantified {
            quantifier,
            over,
            predicate,
        } => {
            let word = match quantifier.node {
                Quantifier::Any => "any",
                Quantifier::All => "all",
                Quantifier::None => "none",
            };
            format!("{word} {over} ({})", sub(predicate))
        }
        ExprKind::Unary { op, operand } => match op.node {
            UnaryOp::Neg => format!("-{}", sub(operand)),
            UnaryOp::Not => format!("not {}", sub(operand)),
        },
        ExprKind::Binary {
            op,
            left,
            right,
            ignoring_case,
        } => {
            let symbol = op.node.symbol();
            format!(
                "{} {symbol} {}{}",
                sub(left),
                sub(right),
                ignoring(*ignoring_case)
            )
        }
        ExprKind::In {
            value,
            set,
            ignoring_case,
        } => {
            let set = match set {
                InSet::List(items) => format!("({})", exprs(items, indent)),
                InSet::Expr(set) => sub(set),
            };
            format!("{} in {set}{}", sub(value), ignoring(*ignoring_case))
        }
        ExprKind::IsNull { value, negated } => format!("{} is {}null", sub(value), not(*negated)),
        ExprKind::IsEmpty { value, negated } => format!("{} is {}empty", sub(value), not(*negated)),
        ExprKind::IsShape { value, shape } => format!("{} is {shape}", sub(value)),
        ExprKind::Range { from, to } => format!("{}..{}", sub(from), sub(to)),
        ExprKind::Paren(inside) => format!("({})", sub(inside)),
        ExprKind::List(items) => format!("[{}]", exprs(items, indent)),
        ExprKind::Object {
            entries,
            closing,
            layout,
        } => object(entries, closing, *layout, indent),
        ExprKind::NullWhen {
            condition,
            otherwise,
        } => format!("null when {} else {}", sub(condition), sub(otherwise)),
        ExprKind::NullShare { share, otherwise } => {
            format!("{} null else {}", share.text, sub(otherwise))
        }
        ExprKind::Link { draw, model } => {
            let draw = match draw {
                LinkDraw::One => "one".to_owned(),
                LinkDraw::Count(count) => sub(count),
                LinkDraw::Zipf(None) => "zipf".to_owned(),
                LinkDraw::Zipf(Some(skew)) => format!("zipf({})", sub(skew)),
            };
            format!("{draw} of {model}")
        }
        ExprKind::At { model, row } => format!("{model} at {}", sub(row)),
        ExprKind::Cell {
            metric,
            over,
            picks,
        } => {
            let mut out = sub(metric);
            if let Some(axis) = over {
                out += &format!(" over {axis}");
            }
            if !picks.is_empty() {
                out += &format!(" [{}]", exprs(picks, indent));
            }
            out
        }
    }
}

pub(super) fn exprs(items: &[Expr], indent: usize) -> String {
    let items: Vec<_> = items.iter().map(|item| expr(item, indent)).collect();
    items.join(", ")
}

pub(super) fn paths(paths: &[Path]) -> String {
    let paths: Vec<_> = paths.iter().map(Path::to_string).collect();
    paths.join(", ")
}

pub(super) fn text(text: &Text) -> String {
    format!("\"{}\"", text.raw)
}

fn ignoring(case: bool) -> &'static str {
    if case { " ignoring case" } else { "" }
}

fn not(negated: bool) -> &'static str {
    if negated { "not " } else { "" }
}

fn arg(arg: &Arg, indent: usize) -> String {
    let value = expr(&arg.value, indent);
    match &arg.name {
        Some(name) if name.name == "file" && matches!(arg.value.kind, ExprKind::Text(_)) => {
            format!("file {value}")
        }
        Some(name) => format!("{name}: {value}"),
        None => value,
    }
}

fn object(
    entries: &[ObjectEntry],
    closing: &[crate::syntax::ast::Comment],
    layout: Layout,
    indent: usize,
) -> String {
    let texts: Vec<_> = entries
        .iter()
        .map(|entry| format!("{}: {}", entry.name, expr(&entry.value, indent + 1)))
        .collect();
    let has_comment =
        |entry: &ObjectEntry| !entry.trivia.leading.is_empty() || entry.trivia.trailing.is_some();
    let one_line = layout == Layout::OneLine
        && closing.is_empty()
        && !entries.iter().any(has_comment)
        && !texts.iter().any(|text| text.contains('\n'));
    if entries.is_empty() && closing.is_empty() {
        return "{}".to_owned();
    }
    if one_line {
        return format!("{{ {} }}", texts.join("  "));
    }
    let pad = " ".repeat((indent + 1) * INDENT);
    let mut out = "{".to_owned();
    let mut open_line = false;
    for (entry, text) in entries.iter().zip(texts) {
        let trivia = &entry.trivia;
        if open_line && trivia.breaks_before == 0 && trivia.leading.is_empty() {
            out += "  ";
        } else {
            comment_lines(&mut out, &trivia.leading, &pad);
            if trivia.breaks_before >= 2 && out.len() > 1 {
                out.push('\n');
            }
            out += "\n";
            out += &pad;
        }
        out += &text;
        open_line = trivia.trailing.is_none();
        if let Some(comment) = &trivia.trailing {
            out += "  ";
            out += &comment.text;
        }
    }
    comment_lines(&mut out, closing, &pad);
    out.push('\n');
    out += &" ".repeat(indent * INDENT);
    out.push('}');
    out
}

fn comment_lines(out: &mut String, comments: &[crate::syntax::ast::Comment], pad: &str) {
    for comment in comments {
        if comment.blank_before && out.len() > 1 {
            out.push('\n');
        }
        out.push('\n');
        out.push_str(pad);
        out.push_str(&comment.text);
    }
}

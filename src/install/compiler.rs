//! The machine's compilers.

use super::tool::Tool;
use crate::diagnostics::{Code, Diagnostic};

/// What compiles and links.
#[derive(Clone, Debug)]
pub struct Compilers {
    /// C++, and the linker.
    pub cxx: Tool,
    /// C
    pub c: Tool,
}

/// `$CXX` and `$CC`, or what is usual on a machine.
///
/// # Errors
/// [`Code::CompilerMissing`]
pub fn find(kind: &str) -> Result<Compilers, Diagnostic> {
    let cxx = one(kind, "C++", "CXX", &["c++", "g++", "clang++"])?;
    let c = one(kind, "C", "CC", &["cc", "gcc", "clang"])?;
    Ok(Compilers { cxx, c })
}

fn one(kind: &str, language: &str, variable: &str, usual: &[&str]) -> Result<Tool, Diagnostic> {
    let named = std::env::var(variable).unwrap_or_default();
    let named: Vec<String> = named.split_whitespace().map(str::to_owned).collect();
    if !named.is_empty() {
        let name = named.join(" ");
        return Tool::ask(named).ok_or_else(|| {
            Diagnostic::general(
                Code::CompilerMissing,
                format!("{variable} names `{name}`, which does not run"),
            )
            .help(format!("unset it to take {}", usual.join(", ")))
        });
    }
    Tool::first(usual.iter().map(|&name| vec![name.to_owned()])).ok_or_else(|| {
        Diagnostic::general(
            Code::CompilerMissing,
            format!("{kind} is built from source, and there is no {language} compiler here"),
        )
        .help(format!(
            "`apt-get install g++` brings one on Debian and Ubuntu; {variable} names another than {}",
            usual.join(", ")
        ))
    })
}

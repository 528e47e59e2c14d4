//! What a report is computed from: what an archive holds, and nothing else.

use crate::archive::{Archive, Environment};
use crate::base::units::format_size;
use crate::plan::Plan;
use crate::sample::{CellRecord, StepState};
use crate::stats::Harness;

/// Everything recorded about a run.
#[derive(Clone, Debug)]
pub struct Evidence<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Finished cells, in the order they were recorded.
    pub records: &'a [CellRecord],
    /// What the null engine took.
    pub harness: Harness,
    /// Whether the tool was built without optimisation.
    pub debug_build: bool,
    /// Machine, tool and engines, as lines.
    pub environment: Vec<(String, String)>,
    /// What else the archive says a reader should know.
    pub notes: Vec<String>,
}

impl<'a> Evidence<'a> {
    /// From an archive.
    pub fn of(archive: &'a Archive) -> Evidence<'a> {
        let mut harness = Harness::default();
        for record in &archive.harness {
            let measured = |s: &&crate::sample::StepSample| s.state == StepState::Measured;
            for sample in record.steps.iter().filter(measured) {
                let each = sample.wall_ns as f64 / sample.operations.max(1) as f64;
                harness.add(&record.answer_key, &sample.label, each);
            }
        }
        Evidence {
            plan: &archive.plan,
            records: &archive.cells,
            harness,
            debug_build: archive
                .environments
                .iter()
                .any(|e| matches!(e.build.opt_level.as_str(), "0" | "1")),
            environment: archive.environment().map(lines).unwrap_or_default(),
            notes: archive
                .manifest
                .notes
                .iter()
                .map(ToString::to_string)
                .collect(),
        }
    }
}

/// The environment in a few lines.
fn lines(environment: &Environment) -> Vec<(String, String)> {
    let known = |parts: &[Option<String>]| -> String {
        parts
            .iter()
            .flatten()
            .filter(|part| !part.is_empty())
            .cloned()
            .collect::<Vec<_>>()
            .join(", ")
    };
    let cpu = &environment.cpu;
    let disk = &environment.disk;
    let system = &environment.system;
    let build = &environment.build;
    let machine = known(&[
        cpu.model.clone(),
        Some(format!("{} of {} cores", cpu.usable, cpu.online)),
        cpu.governor
            .as_ref()
            .map(|governor| format!("governor {governor}")),
        Some(format!(
            "{} memory",
            format_size(environment.memory_bytes as f64)
        )),
        system
            .virtualised
            .filter(|virtualised| *virtualised)
            .map(|_| "virtual machine".into()),
    ]);
    let disk = known(&[
        disk.model.clone().or_else(|| disk.device.clone()),
        disk.file_system.clone(),
        disk.write_cache
            .as_ref()
            .map(|cache| format!("write cache {cache}")),
    ]);
    let system = known(&[
        Some(format!("{} {}", system.name, system.kernel)),
        Some(system.architecture.clone()),
    ]);
    let tool = known(&[
        Some(format!("persist-lab {}", build.tool)),
        Some(format!("{} build", build.profile)),
        environment
            .allocator
            .as_ref()
            .map(|name| format!("allocator {name}")),
    ]);
    let engines = environment
        .engines
        .iter()
        .map(|(kind, version)| match environment.provenance.get(kind) {
            Some(from) => format!(
                "{kind} {version} (from {} {})",
                from.package, from.package_version
            ),
            None => format!("{kind} {version}"),
        })
        .collect::<Vec<_>>()
        .join(", ");
    // Of no interest where no engine stands behind a foreign interface.
    let calls = environment
        .empty_call_ns
        .filter(|_| !environment.provenance.is_empty())
        .map(|ns| format!("an empty one costs {ns:.1} ns, in the times below"))
        .unwrap_or_default();
    [
        ("machine", machine),
        ("disk", disk),
        ("system", system),
        ("tool", tool),
        ("engines", engines),
        ("foreign calls", calls),
    ]
    .into_iter()
    .filter(|(_, value)| !value.is_empty())
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}

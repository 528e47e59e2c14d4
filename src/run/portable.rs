//! A plan that names its files as the archive does.

use crate::archive::SourceFile;
use crate::archive::source::portable;
use crate::plan::{Op, Plan, Step};

/// The plan with every file named as seen from the experiment's folder: the
/// same plan wherever the tool was called from, and none that tells of the machine.
pub fn plan(plan: &Plan, sources: &[SourceFile]) -> Plan {
    let mut plan = plan.clone();
    for hook in &mut plan.hooks {
        hook.file = portable(&hook.file, sources);
    }
    for job in &mut plan.jobs {
        steps(&mut job.setup, sources);
        steps(&mut job.steps, sources);
    }
    plan
}

fn steps(all: &mut [Step], sources: &[SourceFile]) {
    for step in all {
        step.file = portable(&step.file, sources);
        if let Op::Block { body, .. } = &mut step.op {
            steps(body, sources);
        }
    }
}

//! The schema of one job: only the models it reaches, with the indexes that
//! hold at its point.

use std::collections::BTreeSet;

use crate::check::model::Experiment;
use crate::diagnostics::Diagnostic;
use crate::plan::schema::{FieldKind, ModelId, Ownership, Schema};
use crate::plan::{Expr, Generator};

use super::fold::{Names, close, holds, quantity};

/// A job's schema and generators, and where each model of the experiment went.
#[derive(Clone, Debug)]
pub struct JobSchema {
    /// Models that the trial reaches.
    pub schema: Schema,
    /// Generators, closed, aligned with the schema.
    pub generators: Vec<Vec<Option<Expr>>>,
    to: Vec<Option<ModelId>>,
}

impl JobSchema {
    /// Prunes and closes the experiment's models at one point.
    pub fn at(
        experiment: &Experiment,
        reached: &BTreeSet<ModelId>,
        names: &Names,
    ) -> Result<JobSchema, Diagnostic> {
        let mut to = vec![None; experiment.schema.models.len()];
        for (position, model) in reached.iter().enumerate() {
            to[*model] = Some(position);
        }
        let mut job = JobSchema {
            schema: Schema::default(),
            generators: Vec::new(),
            to,
        };
        for &id in reached {
            let extra = &experiment.models[id];
            let generators = extra
                .generators
                .iter()
                .map(|generator| {
                    let Some(generator) = generator else {
                        return Ok(None);
                    };
                    job.renumber(&close(generator, names)?).map(Some)
                })
                .collect::<Result<Vec<_>, Diagnostic>>()?;
            let mut model = experiment.schema.models[id].clone();
            for (field, generator) in model.fields.iter_mut().zip(&generators) {
                if let FieldKind::ToOne {
                    target, ownership, ..
                }
                | FieldKind::ToMany {
                    target, ownership, ..
                } = &mut field.kind
                {
                    *target = job.model(*target);
                    if let Some(made) = made_by(generator.as_ref())? {
                        *ownership = made;
                    }
                }
            }
            model.indexes = Vec::new();
            for (index, when) in &extra.indexes {
                let wanted = when.as_ref().map_or(Ok(true), |when| holds(when, names))?;
                if wanted {
                    model.indexes.push(index.clone());
                }
            }
            job.schema.models.push(model);
            job.generators.push(generators);
        }
        Ok(job)
    }

    /// Where a model of the experiment stands in the job.
    ///
    /// Only reached models are asked for: `reach` follows every relation.
    pub fn model(&self, id: ModelId) -> ModelId {
        self.to[id].unwrap_or_default()
    }

    fn renumber(&self, generator: &Expr) -> Result<Expr, Diagnostic> {
        generator.try_map(&|inner| {
            Ok(match inner {
                Expr::Generate(draw) => Expr::Generate(Box::new(match *draw {
                    Generator::Among {
                        model,
                        min,
                        max,
                        exponent,
                    } => Generator::Among {
                        model: self.model(model),
                        min,
                        max,
                        exponent,
                    },
                    Generator::At { model, row } => Generator::At {
                        model: self.model(model),
                        row,
                    },
                    other => other,
                })),
                other => other,
            })
        })
    }

    /// Tells each `shuffled` how many rows of its model the job makes.
    pub fn fill_domains(&mut self, rows: &[u64]) -> Result<(), Diagnostic> {
        for (generators, rows) in self.generators.iter_mut().zip(rows) {
            for generator in generators.iter_mut().flatten() {
                *generator = generator.try_map(&|inner| {
                    Ok::<_, Diagnostic>(match inner {
                        Expr::Generate(draw) => Expr::Generate(Box::new(match *draw {
                            Generator::Shuffled { of, .. } => Generator::Shuffled {
                                of,
                                domain: (*rows).max(1),
                            },
                            other => other,
                        })),
                        other => other,
                    })
                })?;
            }
        }
        Ok(())
    }
}

/// The ownership that a closed generator gives its relationship.
fn made_by(generator: Option<&Expr>) -> Result<Option<Ownership>, Diagnostic> {
    let names = Names::new();
    let mut found: Result<Option<Ownership>, Diagnostic> = Ok(None);
    if let Some(generator) = generator {
        generator.walk(&mut |inner| {
            if let Expr::Generate(draw) = inner {
                match &**draw {
                    Generator::Owned { max, .. } => {
                        found = quantity(max, &names, "the number of children")
                            .map(|max| Some(Ownership::Owned { max }));
                    }
                    Generator::Shared { pool } => {
                        found = quantity(pool, &names, "the size of a shared pool")
                            .map(|pool| Some(Ownership::Shared { pool }));
                    }
                    _ => {}
                }
            }
        });
    }
    found
}

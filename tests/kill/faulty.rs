//! An engine made wrong in two ways, so that the test is seen to notice.

use persist_lab::base::Value;
use persist_lab::engines::{EngineError, Maintenance, Prepared, Session};
use persist_lab::plan::Request;
use persist_lab::workload::{Record, Sink};

/// `late` commits only every fiftieth transaction, though each is acknowledged;
/// otherwise a commit stands in the middle of each transaction.
pub struct Faulty {
    session: Box<dyn Session>,
    late: bool,
    begun: bool,
    commits: u64,
}

impl Faulty {
    pub fn new(session: Box<dyn Session>, late: bool) -> Faulty {
        Faulty {
            session,
            late,
            begun: false,
            commits: 0,
        }
    }
}

impl Session for Faulty {
    fn begin(&mut self) -> Result<(), EngineError> {
        if self.late && self.begun {
            return Ok(());
        }
        self.begun = true;
        self.session.begin()
    }

    fn commit(&mut self) -> Result<(), EngineError> {
        self.commits += 1;
        if self.late && !self.commits.is_multiple_of(50) {
            return Ok(());
        }
        self.begun = false;
        self.session.commit()
    }

    fn rollback(&mut self) -> Result<(), EngineError> {
        self.session.rollback()
    }

    fn insert(&mut self, model: usize, records: &[Record]) -> Result<(), EngineError> {
        self.session.insert(model, records)?;
        if self.late {
            return Ok(());
        }
        self.session.commit()?;
        self.session.begin()
    }

    fn upsert(&mut self, model: usize, records: &[Record]) -> Result<(), EngineError> {
        self.session.upsert(model, records)
    }

    fn instantiate(&mut self, model: usize, records: &[Record]) -> Result<(), EngineError> {
        self.session.instantiate(model, records)
    }

    fn insert_instantiated(&mut self, model: usize, count: u64) -> Result<(), EngineError> {
        self.session.insert_instantiated(model, count)
    }

    fn prepare(&mut self, request: &Request) -> Result<Prepared, EngineError> {
        self.session.prepare(request)
    }

    fn execute(
        &mut self,
        prepared: Prepared,
        arguments: &[Value],
        sink: &mut dyn Sink,
    ) -> Result<u64, EngineError> {
        self.session.execute(prepared, arguments, sink)
    }

    fn release(&mut self, prepared: Prepared) {
        self.session.release(prepared);
    }

    fn maintain(&mut self, what: Maintenance) -> Result<(), EngineError> {
        self.session.maintain(what)
    }

    fn indexes(&mut self) -> Result<Vec<String>, EngineError> {
        self.session.indexes()
    }

    fn close(self: Box<Self>) -> Result<(), EngineError> {
        self.session.close()
    }
}

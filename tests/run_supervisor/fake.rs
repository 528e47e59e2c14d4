//! A worker that behaves, or misbehaves as the trial's name says.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, ExitCode};
use std::time::Duration;

use persist_lab::base::Value;
use persist_lab::plan::{Assignment, Step};
use persist_lab::probe::monotonic_ns;
use persist_lab::sample::{Answer, FileSize, Message, StepSample, StepState, write_frame};

pub fn main() -> ExitCode {
    if std::env::args().nth(2).as_deref() == Some("linger") {
        std::thread::sleep(Duration::from_secs(600));
        return ExitCode::SUCCESS;
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let assignment: Assignment = serde_json::from_str(&text).unwrap();
    let worker = Fake { assignment };
    worker.log(&format!(
        "{} {} {:?} {:?}",
        worker.assignment.kind,
        worker.assignment.job.id,
        worker.assignment.deliver,
        worker.assignment.job.options.len(),
    ));
    let trial = worker.assignment.job.trial.clone();
    let misbehaves = match worker.assignment.kind.as_str() {
        "bad" => true,
        "memory" => trial.starts_with("no_oracle"),
        "null" => trial == "no_harness",
        _ => false,
    };
    if trial == "slow" {
        std::thread::sleep(Duration::from_millis(90));
    }
    if misbehaves {
        worker.misbehave(&trial);
    } else {
        worker.ready();
        worker.setup();
        worker.step(0, 0);
        worker.step(1, 0);
        worker.done();
    }
    ExitCode::SUCCESS
}

struct Fake {
    assignment: Assignment,
}

impl Fake {
    fn misbehave(&self, trial: &str) {
        if trial == "never_ready" {
            return;
        }
        self.ready();
        self.setup();
        if trial == "wrong_first_then_panic" {
            self.step(0, 3);
            self.started(1);
            panic!("and then this");
        }
        self.step(0, 0);
        self.started(1);
        match trial {
            "signal" => raise(libc::SIGSEGV),
            "killed" => raise(libc::SIGKILL),
            "refused_memory" | "no_oracle" => {
                eprintln!("memory allocation of 4096 bytes failed");
                std::process::abort();
            }
            "no_oracle_disagree" if self.assignment.kind == "memory" => std::process::exit(3),
            "no_oracle_disagree" | "wrong" => {
                self.finished(1, 1);
                self.done();
            }
            "panic" => panic!("told at {}", self.assignment.directory.display()),
            "exit" => std::process::exit(42),
            "garbage" => {
                println!("Segmentation fault, as if a library printed it");
                std::io::stdout().flush().unwrap();
                std::thread::sleep(Duration::from_secs(600));
            }
            "cut" => {
                std::io::stdout().write_all(&[200, 0, 0, 0, b'{']).unwrap();
                std::io::stdout().flush().unwrap();
            }
            "silence" => {}
            "sleep" => std::thread::sleep(Duration::from_secs(600)),
            "closed" => {
                // SAFETY: a plain descriptor that nothing uses afterwards.
                unsafe { libc::close(1) };
                std::thread::sleep(Duration::from_secs(600));
            }
            "hog" => {
                let block = vec![1u8; 256 << 20];
                std::hint::black_box(&block);
                std::thread::sleep(Duration::from_secs(600));
            }
            "fill_disk" => {
                let mut file = File::create(self.assignment.directory.join("store")).unwrap();
                file.write_all(&vec![1; 32 << 20]).unwrap();
                file.sync_all().unwrap();
                std::thread::sleep(Duration::from_secs(600));
            }
            "failed" => {
                self.send(&Message::Failed {
                    step: "second".into(),
                    kind: "hook".into(),
                    message: "it divides by zero".into(),
                    place: Some(("x.exp".into(), 3, 7)),
                });
                std::process::exit(1);
            }
            "flood" => loop {
                self.finished(1, 0);
            },
            "unasked" => {
                self.send(&Message::Prepared {
                    label: "nobody asked".into(),
                    count: 1,
                });
                std::thread::sleep(Duration::from_secs(600));
            }
            "half" => self.done(),
            "child" => {
                #[expect(
                    clippy::zombie_processes,
                    reason = "that it is left alone is the point"
                )]
                let child = Command::new(std::env::current_exe().unwrap())
                    .args(["worker", "linger"])
                    .spawn()
                    .unwrap();
                self.log(&format!("child {}", child.id()));
                self.finished(1, 0);
                self.done();
            }
            other => panic!("no such misbehaviour: {other}"),
        }
    }

    fn send(&self, message: &Message) {
        write_frame(&mut std::io::stdout(), message).unwrap();
    }

    fn ready(&self) {
        self.send(&Message::Ready {
            baseline_bytes: 1 << 20,
            anonymous_bytes: 1 << 19,
            at_ns: monotonic_ns(),
            allocator: "of the test".into(),
        });
        self.send(&Message::Indexes(vec!["by_key".into()]));
    }

    fn setup(&self) {
        for step in &self.assignment.job.setup {
            self.send(&started(step, true));
            self.send(&Message::Prepared {
                label: step.label.clone(),
                count: self.assignment.job.size,
            });
        }
    }

    fn started(&self, at: usize) {
        self.send(&started(&self.assignment.job.steps[at], false));
    }

    fn step(&self, at: usize, off: u64) {
        self.started(at);
        self.finished(at, off);
    }

    /// `off`: by how much the answer is wrong.
    fn finished(&self, at: usize, off: u64) {
        let job = &self.assignment.job;
        self.send(&Message::Finished(Box::new(sample(
            at,
            &job.steps[at].label,
            job.size + at as u64 + off,
        ))));
    }

    fn done(&self) {
        self.send(&Message::Done {
            files: vec![FileSize {
                name: "store".into(),
                apparent_bytes: 10,
                allocated_bytes: 4096,
            }],
        });
    }

    fn log(&self, line: &str) {
        let Some(Value::Text(path)) = self.assignment.pools[0].values.first() else {
            panic!("no place for marks");
        };
        let mut file = File::options()
            .create(true)
            .append(true)
            .open(path)
            .unwrap();
        file.write_all(format!("{line}\n").as_bytes()).unwrap();
    }
}

fn started(step: &Step, setup: bool) -> Message {
    Message::Started {
        label: step.label.clone(),
        setup,
        at_ns: monotonic_ns(),
    }
}

fn raise(signal: libc::c_int) {
    // SAFETY: takes no pointer; what it does to this process is the point.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

pub fn sample(step: usize, label: &str, count: u64) -> StepSample {
    StepSample {
        step,
        label: label.into(),
        state: StepState::Measured,
        wall_ns: 1_000,
        cpu_ns: 900,
        hook_ns: 0,
        decode_ns: 0,
        foreign_calls: 0,
        operations: 1,
        commits: 1,
        objects: 0,
        logical_bytes: 0,
        answer: Answer {
            count,
            digest: Some("00".into()),
            order: None,
            value: None,
        },
        latency: None,
        memory: None,
        files: Vec::new(),
        read_bytes: 0,
        written_bytes: 0,
        minor_faults: 0,
        major_faults: 0,
        context_switches: 0,
        resident_before: None,
        span_ns: (0, 1),
    }
}

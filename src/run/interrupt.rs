//! Ctrl-C and its like: a flag that the supervisor looks at.

use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

const SIGNALS: [libc::c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

extern "C" fn ask(_signal: libc::c_int) {
    ASKED.store(true, Ordering::Relaxed);
}

/// While this lives, SIGINT, SIGTERM and SIGHUP only set a flag.
pub struct Interrupt {
    before: Vec<(libc::c_int, libc::sigaction)>,
}

impl Interrupt {
    /// Takes the signals over. One that is ignored stays so (`nohup`).
    pub fn install() -> Interrupt {
        ASKED.store(false, Ordering::Relaxed);
        let mut before = Vec::new();
        for signal in SIGNALS {
            // SAFETY: both structures are valid for the call, all-zero is a valid
            // `sigaction`, and the handler does nothing but store an atomic.
            unsafe {
                let mut old: libc::sigaction = std::mem::zeroed();
                if libc::sigaction(signal, std::ptr::null(), &mut old) != 0
                    || old.sa_sigaction == libc::SIG_IGN
                {
                    continue;
                }
                let mut new: libc::sigaction = std::mem::zeroed();
                new.sa_sigaction = ask as extern "C" fn(libc::c_int) as libc::sighandler_t;
                new.sa_flags = libc::SA_RESTART;
                libc::sigemptyset(&mut new.sa_mask);
                if libc::sigaction(signal, &new, std::ptr::null_mut()) == 0 {
                    before.push((signal, old));
                }
            }
        }
        Interrupt { before }
    }

    /// Whether someone asked to stop.
    pub fn asked(&self) -> bool {
        ASKED.load(Ordering::Relaxed)
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        for (signal, old) in &self.before {
            // SAFETY: `old` is what the kernel gave for this signal.
            unsafe { libc::sigaction(*signal, old, std::ptr::null_mut()) };
        }
    }
}

//! Processor.

use super::fact;
use crate::archive::environment::Cpu;

const CPU0: &str = "/sys/devices/system/cpu/cpu0/cpufreq";

pub fn read() -> Cpu {
    Cpu {
        model: model(),
        usable: std::thread::available_parallelism()
            .ok()
            .and_then(|count| u32::try_from(count.get()).ok())
            .unwrap_or(1),
        online: online(),
        governor: fact(format!("{CPU0}/scaling_governor")),
        max_khz: fact(format!("{CPU0}/cpuinfo_max_freq")).and_then(|text| text.parse().ok()),
        boost: boost(),
    }
}

fn model() -> Option<String> {
    let facts = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    facts
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .and_then(|rest| rest.split_once(':'))
        .map(|(_, name)| name.trim().to_owned())
        // Boards without that line tell their name here.
        .or_else(|| fact("/proc/device-tree/model").map(|name| name.replace('\0', "")))
}

fn online() -> u32 {
    // SAFETY: takes no pointer.
    let count = unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) };
    u32::try_from(count).unwrap_or(0)
}

fn boost() -> Option<bool> {
    let intel = fact("/sys/devices/system/cpu/intel_pstate/no_turbo").map(|off| off == "0");
    intel.or_else(|| fact("/sys/devices/system/cpu/cpufreq/boost").map(|on| on == "1"))
}

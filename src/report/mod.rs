//! Archive to tables and data: nothing else is read.

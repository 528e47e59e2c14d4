//! Checked model to plan: the matrix of engines, trials, points and runs.

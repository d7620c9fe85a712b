//! Features of micro-VMs that other engines do not have.

mod snapshots;

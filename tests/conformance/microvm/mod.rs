//! What is there with micro-VMs alone.

mod snapshots;

//! Shared by the scenarios.

"""What a run returns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class ExecutionResult:
    """What a run printed, and its exit code."""

    stdout: str
    stderr: str
    exit_code: int

    @property
    def success(self) -> bool:
        """Whether the exit code is 0."""
        return self.exit_code == 0

"""What limits a bot: its memory, its environment, whether it is sandboxed, paused or unguarded."""

import os

import msgspec

from engine.errors import HsctlError

ALWAYS_TOLD = ("PATH", "HOME", "LANG", "TMPDIR")
# Without the first, programs of Windows don't start.
TOLD_ON_WINDOWS = ("SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "LOCALAPPDATA")


class BotLimits(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`env` names variables that a bot gets besides ALWAYS_TOLD."""

    memory_mb: int | None = None  # resident, of all its processes together
    env: tuple[str, ...] = ()
    is_sandboxed: bool = False
    is_paused: bool = False  # stopped while it is not asked
    is_portable: bool = False  # without a guardian, though there could be one

    def environment(self) -> dict[str, str]:
        """The variables of the runner's environment that a bot gets."""
        for name in self.env:
            if name not in os.environ:
                raise HsctlError(f"--env {name}: there is no such variable; name one that is set")
        told = (*ALWAYS_TOLD, *(TOLD_ON_WINDOWS if os.name == "nt" else ()), *self.env)
        return {name: os.environ[name] for name in told if name in os.environ}


ORDINARY = BotLimits()

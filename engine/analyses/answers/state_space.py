"""A linear model with names: s' = A s + B u, y = C s + D u, and the files that other programs read."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.compiled.layout import Array
from engine.missing_extra import MissingExtra
from engine.results.files.whole_file import whole, write_whole

ENDINGS = (".npz", ".mat", ".json")


@dataclass(frozen=True)
class Signal:
    """A state, an input or an output: deviations from the operating point, in `unit`."""

    name: str
    unit: str = ""

    def __str__(self) -> str:
        return f"{self.name} [{self.unit}]" if self.unit else self.name


@dataclass(frozen=True)
class StateSpace:
    """All numbers are deviations from the operating point at t, whose outputs are `offset`."""

    A: Array
    B: Array
    C: Array
    D: Array
    states: tuple[Signal, ...]
    inputs: tuple[Signal, ...]
    outputs: tuple[Signal, ...]
    offset: Array  # (outputs,): what they are at the operating point
    title: str = ""
    t: float = 0.0

    def poles(self) -> Array:
        """Eigenvalues of A [1/s], by growth, fastest growing first."""
        poles = np.linalg.eigvals(self.A) if self.A.size else np.zeros(0)
        return np.asarray(poles[np.lexsort((poles.imag, -poles.real))], dtype=complex)

    def response(self, omega: Array) -> Array:
        """G(iω) = C (iω − A)⁻¹ B + D, shape (ω, outputs, inputs); ω in rad/s. NaN at a pole."""
        eye = np.eye(len(self.A))
        out = np.full((len(omega), *self.D.shape), np.nan, dtype=complex)
        for i, w in enumerate(omega):
            try:
                out[i] = self.C @ np.linalg.solve(1j * w * eye - self.A, self.B) + self.D
            except np.linalg.LinAlgError:
                continue
        return out

    def to_dict(self) -> dict[str, Any]:
        matrices = {name: getattr(self, name).tolist() for name in "ABCD"}
        signals = {
            kind: [{"name": signal.name, "unit": signal.unit} for signal in getattr(self, kind)]
            for kind in ("states", "inputs", "outputs")
        }
        return {"title": self.title, "t": self.t, **matrices, **signals, "offset": self.offset.tolist()}

    def to_control(self) -> Any:
        """A `control.StateSpace` of python-control; raises MissingExtra."""
        try:
            import control
        except ImportError:
            raise MissingExtra("Models for control design", "python-control", "control") from None
        # dots in names stand for signals of subsystems there
        names = {
            kind: [signal.name.replace(".", "_") for signal in getattr(self, kind)]
            for kind in ("states", "inputs", "outputs")
        }
        return control.ss(self.A, self.B, self.C, self.D, name="trammel", **names)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it; the ending chooses the format: .npz, .mat or .json. Raises ValueError for others."""
        ending = Path(path).suffix.lower()
        if ending == ".json":
            write_whole(path, json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n")
        elif ending == ".npz":
            with whole(path) as file:
                np.savez(file, **self._arrays(np.array))
        elif ending == ".mat":
            from scipy.io import savemat  # heavy

            with whole(path) as file:
                savemat(file, self._arrays(lambda names: np.array(names, dtype=object)))
        else:
            raise ValueError(f"{path}: a linear model is saved as {', '.join(ENDINGS)}")

    def _arrays(self, words: Any) -> dict[str, Any]:
        content: dict[str, Any] = {name: getattr(self, name) for name in "ABCD"}
        for kind in ("states", "inputs", "outputs"):
            signals = getattr(self, kind)
            content[kind] = words([signal.name for signal in signals])
            content[f"{kind[:-1]}_units"] = words([signal.unit for signal in signals])
        return {**content, "offset": self.offset, "t": self.t}

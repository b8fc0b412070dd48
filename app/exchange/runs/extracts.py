"""A run of the window as something that can be saved."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.session.recorded.run import Run
from engine.compiled.layout import Array
from engine.progress import Cancel, Progress
from engine.results.assessment.trust import Trust, judge
from engine.results.channels import Channels
from engine.results.files.extract import Choice, Extract, ExtractedSegment, taken


def parts_of(run: Run) -> list[tuple[Channels, Array, float]]:
    """What a run is judged by; on any thread."""
    return [
        (segment.channels, np.array(segment.recorder.samples()), segment.recorded.edits)
        for segment in run.readers()
        if segment.recorder.count
    ]


def trust_of(run: Run) -> Trust | None:
    """What is thought of a run as it is now; None where nothing was simulated. On any thread."""
    if not run.simulated:
        return None
    if run.judged is not None and run.judged[0] == run.count:
        return run.judged[1]
    return judge(parts_of(run), run.position_error)


def extract_of(
    run: Run,
    names: Sequence[str] | None = None,
    choice: Choice | None = None,
    *,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Extract:
    """Chosen samples and channels of a run, as it is now; on any thread, since its readers are its own."""
    segments = [segment for segment in run.readers() if segment.recorder.count]
    if not segments:
        raise ValueError("nothing is recorded yet; play the simulation first")
    chosen = segments[-1].channels.names() if names is None else tuple(names)
    extracted = [
        ExtractedSegment(
            segment.mechanism.scene,
            segment.channels,
            segment.recorder.samples(),
            segment.recorded.method,
            segment.recorded.dt,
            {name: float(value) for name, value in segment.mechanism.scene.simulation.options.items()},
            segment.recorded.edits,
            run.past_names(segment, chosen),
        )
        for segment in segments
    ]
    first = segments[0]
    facts = {
        "scene": run.scene.title,
        "run": run.name,
        "method": run.method,
        "dt": run.dt,
        "duration": run.t_last - run.t_first,
        "samples": sum(len(segment.samples) for segment in extracted),
        "events": [[t, text] for t, text in run.events],
        "happened": [event.as_row() for event in run.happened],
        "status": run.outcome,
    }
    trust = trust_of(run)
    if trust is not None:
        facts["trust"] = trust.to_dict()
    start_energy = first.channels.energy_before(first.recorder.row(0).copy())
    picked = taken(extracted, choice or Choice())
    # edits in the run have changed the scene that it began with
    return Extract(run.scene_at(run.t_last), picked, chosen, facts, "", start_energy, progress, cancel)

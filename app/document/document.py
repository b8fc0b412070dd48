"""The document: a frozen scene, its undo stack and its file. `apply` is the only way to change it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import platformdirs
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack
from shiboken6 import isValid

from app.document.element_ref import SETTINGS, SIMULATION, Ref, find, refs_of
from engine.elements.base import Element
from engine.elements.fields import Field, fields_of
from engine.errors import Problem, SceneError
from engine.model.files.scene_file import read_scene, save_scene
from engine.model.scene import LISTS, Scene
from engine.results.files.file_lock import FileInUseError, FileLock
from engine.system.prepared import prepare

__all__ = ["Document", "Edit", "Ref", "SceneChange", "difference", "find", "refs_of"]

EDIT = 1  # id of undo commands: Qt asks to merge those of the same id only
MOVING = ("bodies", "joints", "forces", "motions")  # lists that make up the mechanism
EMPTY = Scene(space="planar")  # what a new document is
LOOKS = {f.name for f in fields_of(Element)} - {"name"}  # fields that the engine does not see
Read: TypeAlias = tuple[Scene, list[Problem]]
Reading: TypeAlias = Callable[[], Read]
LARGE = 300  # elements of a change: some 50 ms of work for a panel


@dataclass(frozen=True)
class Edit:
    """One step to another scene. Steps with the same key (one drag) are undone together."""

    text: str
    after: Scene
    renamed: Mapping[Ref, str] = field(default_factory=dict)  # old reference → new name
    key: object = None
    made: tuple[Ref, ...] = ()  # new elements, which the window selects
    notes: tuple[str, ...] = ()  # what the user should know about it


@dataclass(frozen=True)
class SceneChange:
    """What an edit did, for views that update themselves."""

    before: Scene
    after: Scene
    added: tuple[Ref, ...] = ()
    removed: tuple[Ref, ...] = ()
    changed: tuple[Ref, ...] = ()  # by their new names; ("simulation", "") and ("scene", field) too
    renamed: Mapping[Ref, str] = field(default_factory=dict)
    structural: bool = False  # more than numbers and looks
    reset: bool = False  # another document: nothing of the old one counts

    @property
    def large(self) -> bool:
        """Whether views show it in turns of their own, lest the window stands still."""
        return len(self.added) + len(self.removed) + len(self.changed) > LARGE

    def follow(self, ref: Ref) -> Ref | None:
        """The reference after the change; None when its element is gone."""
        if self.reset:
            return None
        if ref.element in self.renamed:
            return Ref(ref.where, self.renamed[ref.element], ref.part)
        if ref in self.renamed:  # a renamed point
            return Ref(ref.where, ref.name, self.renamed[ref])
        return None if ref.element in self.removed else ref


class Document(QObject):
    """A scene that is being edited."""

    changed = Signal(object)  # SceneChange
    path_changed = Signal()

    def __init__(self, parent: QObject | None = None, *, autosave: Path | None = None) -> None:
        super().__init__(parent)
        self.scene = EMPTY
        self.path: Path | None = None
        self.stack = QUndoStack(self)
        self._autosave = autosave if autosave is not None else autosave_folder()
        self._own: Path | None = None  # the copy that autosave keeps of this document
        self._writing: threading.Thread | None = None  # that writes it
        self._lock: FileLock | None = None  # of the copy: tells other programs that this one lives

    def __del__(self) -> None:
        """Steps go before their stack: in a ring Python may delete them first, and the stack once more."""
        if isValid(self.stack):
            self.stack.blockSignals(True)
            self.stack.clear()

    @property
    def clean(self) -> bool:
        """Whether the file holds this scene."""
        return self.stack.isClean()

    @property
    def title(self) -> str:
        return self.scene.title or (self.path.stem if self.path else "Untitled")

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with the scene. Takes long for a large one: views ask the session."""
        return list(prepare(self.scene).problems)

    def element(self, ref: Ref) -> Any:
        """The element that a reference means; None when there is none."""
        return find(self.scene, ref)

    # changing

    def apply(self, edit: Edit) -> None:
        """Make an edit, as one step to undo; an edit that changes nothing leaves no trace."""
        if edit.after == self.scene and not edit.renamed:
            return
        self.stack.push(_Step(self, edit))

    def _show(self, scene: Scene, renamed: Mapping[Ref, str]) -> None:
        before, self.scene = self.scene, scene
        self.changed.emit(difference(before, scene, renamed))

    # files

    def new(self) -> None:
        """An empty scene in the plane, where most mechanisms are drawn; the palette goes to space."""
        self.load(EMPTY)

    def open(self, path: str | os.PathLike[str], do: Callable[[Reading], Read] = lambda read: read()) -> None:
        """Load a file, sound or to be mended; raises SceneError and leaves everything as it was.

        `do` has it read: where a window is open, on a thread if the file is long.
        """
        scene, problems = do(lambda: read_scene(path))
        prepare(scene, problems)
        self.load(scene, Path(path))

    def load(self, scene: Scene, path: Path | None = None, *, saved: bool = True) -> None:
        """Begin anew with a scene; `saved`: it can be had again, from a file or elsewhere."""
        self.forget_autosave()
        before = self.scene
        self.scene, self.path = scene, path
        self.stack.clear()
        if saved:
            self.stack.setClean()  # to clear an empty stack leaves it as unclean as it was
        else:
            self.stack.resetClean()
        self.changed.emit(
            SceneChange(
                before, scene, added=refs_of(scene), removed=refs_of(before), structural=True, reset=True
            )
        )
        self.path_changed.emit()

    def save(self, path: str | os.PathLike[str] | None = None, *, view: dict[str, Any] | None = None) -> None:
        """Write the file, with how it is looked at; raises OSError, or ValueError while it has no name."""
        target = Path(path) if path is not None else self.path
        if target is None:
            raise ValueError("the document has no file yet; give a path")
        save_scene(_looked_at(self.scene, view), target)
        self.path = target
        self.stack.setClean()
        self.forget_autosave()
        self.path_changed.emit()

    # a copy for the day the program crashes

    def autosave_aside(self, *, view: dict[str, Any] | None = None) -> None:
        """The same on a thread: writing a large scene takes longer than a window may stand still."""
        if self.clean:
            self.forget_autosave()
        elif self._writing is None or not self._writing.is_alive():
            self._writing = threading.Thread(
                target=self._keep_copy, args=(_looked_at(self.scene, view),), name="autosave"
            )
            self._writing.start()

    def autosave(self, *, view: dict[str, Any] | None = None) -> Path | None:
        """Keep a copy of unsaved work; None when there is nothing to keep or no place for it."""
        if self.clean:
            self.forget_autosave()
            return None
        self._end_writing()
        return self._keep_copy(_looked_at(self.scene, view))

    def _end_writing(self) -> None:
        if self._writing is not None:
            self._writing.join()
            self._writing = None

    def _keep_copy(self, scene: Scene) -> Path | None:
        if self._own is None:
            seed = f"{os.getpid()} {id(self)} {time.time_ns()}"
            self._own = self._autosave / f"{hashlib.sha256(seed.encode()).hexdigest()[:12]}.json"
        try:
            self._autosave.mkdir(parents=True, exist_ok=True)
            self._hold(self._own)
            save_scene(scene, self._own)
            info = {"path": str(self.path) if self.path else "", "title": self.title}
            self._own.with_suffix(".info").write_text(json.dumps(info), encoding="utf-8")
        except OSError:
            return None
        return self._own

    def forget_autosave(self) -> None:
        self._end_writing()
        if self._own is not None:
            _remove(self._own)
            self._own = None
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _hold(self, copy: Path) -> None:
        if self._lock is None:
            self._lock = FileLock(copy)

    def recoverable(self) -> list[Path]:
        """Copies that programs left which no longer run, newest first."""
        found = [p for p in self._autosave.glob("*.json") if p != self._own and not _in_use(p)]
        return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)

    def recover(self, copy: Path | None = None) -> bool:
        """Load the given or the newest copy as unsaved work; False when there is none.

        Raises SceneError when there are copies, and none of them can be read.
        """
        unread: SceneError | None = None
        for path in [copy] if copy is not None else self.recoverable():
            try:
                scene, problems = read_scene(path)
            except SceneError as error:
                unread = unread or error
                continue
            prepare(scene, problems)
            self.load(scene, _origin(path), saved=False)
            self._own = path
            with contextlib.suppress(OSError):
                self._hold(path)
            return True
        if unread is not None:
            raise unread
        return False


class _Step(QUndoCommand):
    """An undo step keeps both scenes; they share all elements that are the same.

    It does not keep the document: that would be deleted with the last of its steps, and then delete its stack
    with steps that are gone.
    """

    def __init__(self, document: Document, edit: Edit) -> None:
        super().__init__(edit.text)
        self._document, self._key = weakref.ref(document), edit.key
        self._before, self._after = document.scene, edit.after
        self._renamed = dict(edit.renamed)

    def id(self) -> int:
        return EDIT

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Step) or self._key is None or other._key != self._key:
            return False
        if self._renamed or other._renamed:
            return False
        self._after = other._after  # ours stays before: one undo goes back to the start of the drag
        return True

    def redo(self) -> None:
        self._show(self._after, self._renamed)

    def undo(self) -> None:
        back = {
            Ref(ref.where, ref.name, new) if ref.part else Ref(ref.where, new): ref.part or ref.name
            for ref, new in self._renamed.items()
        }
        self._show(self._before, back)

    def _show(self, scene: Scene, renamed: Mapping[Ref, str]) -> None:
        document = self._document()
        assert document is not None, "a stack lives as long as its document"
        document._show(scene, renamed)


# comparing scenes


def difference(before: Scene, after: Scene, renamed: Mapping[Ref, str] | None = None) -> SceneChange:
    """What two scenes differ in, element by element; the last answers are kept: many ask after an edit."""
    global _differences
    for known in _differences:
        if known.before is before and known.after is after and known.renamed == (renamed or {}):
            return known
    found = _difference(before, after, dict(renamed or {}))
    _differences = (found, *_differences[: MAX_DIFFERENCES - 1])
    return found


MAX_DIFFERENCES = 3
_differences: tuple[SceneChange, ...] = ()


def _difference(before: Scene, after: Scene, renamed: dict[Ref, str]) -> SceneChange:
    names = {ref: new for ref, new in renamed.items() if not ref.part}
    added: list[Ref] = []
    removed: list[Ref] = []
    changed: list[Ref] = []
    structural = bool(names) or before.space != after.space
    for where in LISTS:
        mine, theirs = getattr(before, where), getattr(after, where)
        if mine is theirs:
            continue
        old = {names.get(Ref(where, item.name), item.name): item for item in mine}
        new = {item.name: item for item in theirs}
        gone = [Ref(where, item.name) for name, item in old.items() if name not in new]
        come = [Ref(where, name) for name in new if name not in old]
        same = [name for name in new if name in old and new[name] is not old[name] and new[name] != old[name]]
        added += come
        removed += gone
        changed += [Ref(where, name) for name in same]
        if where in MOVING:
            structural |= bool(gone or come) or [n for n in old if n in new] != [n for n in new if n in old]
            structural |= not all(_alike(old[name], new[name]) for name in same)
    if before.simulation != after.simulation:
        changed.append(Ref(SIMULATION, ""))
    for info in fields_of(Scene):
        own = info.name not in LISTS and info.name != SIMULATION
        if own and getattr(before, info.name) != getattr(after, info.name):
            changed.append(Ref(SETTINGS, info.name))
    return SceneChange(before, after, tuple(added), tuple(removed), tuple(changed), renamed, structural)


def _alike(old: Any, new: Any) -> bool:
    """Whether two elements differ in numbers and looks at most; edits share what they leave alone."""
    if old is new:
        return True
    if isinstance(old, msgspec.Struct):
        return type(old) is type(new) and all(
            _field_alike(info, getattr(old, info.name), getattr(new, info.name))
            for info in fields_of(type(old))
        )
    if isinstance(old, tuple):
        return isinstance(new, tuple) and len(old) == len(new) and all(map(_alike, old, new))
    if isinstance(old, dict):
        same = isinstance(new, dict) and old.keys() == new.keys()
        return same and all(_alike(value, new[key]) for key, value in old.items())
    return bool(old == new)


def _field_alike(info: Field, old: Any, new: Any) -> bool:
    if old is new or info.name in LOOKS or info.name == "shapes":
        return True
    if info.role not in ("number", "vec", "function"):
        return _alike(old, new)
    # the name of a point, and a function of time, are more than numbers
    words = {"vec": (str,), "function": (str, msgspec.Struct)}.get(info.role, ())
    if isinstance(old, words) or isinstance(new, words):
        return bool(old == new)
    return (old is None) == (new is None)


# copies of unsaved work


def _looked_at(scene: Scene, view: dict[str, Any] | None) -> Scene:
    """The scene as it is written: with how it is looked at, where that is known."""
    return scene if view is None else msgspec.structs.replace(scene, view=view)


def autosave_folder() -> Path:
    """`TRAMMEL_STATE_DIR` moves it."""
    base = os.environ.get("TRAMMEL_STATE_DIR") or platformdirs.user_state_dir("trammel", appauthor=False)
    return Path(base) / "autosave"


def _origin(copy: Path) -> Path | None:
    """The file that a copy is of; none where that is not known, or the note beside the copy is damaged."""
    try:
        found = json.loads(copy.with_suffix(".info").read_text(encoding="utf-8"))
        named = found.get("path") if isinstance(found, dict) else None
        if isinstance(named, str) and named and b"\0" not in os.fsencode(named):
            return Path(named)
    except (OSError, ValueError, RecursionError):
        pass
    return None


def _in_use(path: Path) -> bool:
    """Whether a program that lives keeps this copy; its process id alone may be another's by now."""
    try:
        FileLock(path).release()
    except FileInUseError:
        return True
    except OSError:  # a folder that cannot be written: no program keeps copies there
        return False
    return False


def _remove(path: Path) -> None:
    for file in (path, path.with_suffix(".info")):
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)

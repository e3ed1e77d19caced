"""Reads and replaces the state of a bucket; of two runs that began with the same state only one replaces it."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from waypost.build import bucket_state
from waypost.build.bucket_state import BucketState, StateHead
from waypost.core.errors import ConflictError, NewerVersionError, StateError, StoreError, UncertainError, WrongSiteError
from waypost.files import ConditionalStore

NAME = "state"
_KEPT_COPIES = 7
_HEAD_BYTES = 65_536
"""A head has about 150 bytes for each published file: this holds that of a bucket with 10,000,000 pages."""
_CONDITIONS = {"If-None-Match": None, "If-Match": '"0"'}
"""What is false for a state that was just written: the ETag that it should have, None where it should not exist."""
_MOST_SENDS = 3
"""How often a replacement is sent again that had no answer, and did not take effect."""


class StoredState(Struct, frozen=True):
    """The state as it is stored: its body as bytes, and the ETag of the file, None if there is no file.

    `damage` is why an older copy is in its place, or nothing; `""` if it is as it was written.
    """

    state: BucketState = BucketState()
    body: bytes = b""
    etag: str | None = None
    damage: str = ""

    @property
    def head(self) -> StateHead:
        """What is published, and what it was made with."""
        return self.state.head


class StateFile:
    """The state in a store that nobody else reads; `where` names it in messages, `new_id` makes random ids.

    It is that of the site at `site_uri`, or of any site: reading another site's raises WrongSiteError. The state of one
    `part` of a bucket that is divided has the name of that in its own.
    """

    def __init__(
        self, store: ConditionalStore, where: str, new_id: Callable[[], str], site_uri: str = "", part: str = ""
    ) -> None:
        self.name = f"{part}-{NAME}" if part else NAME
        self.store, self.where, self.new_id = store, f"{where}{self.name}", new_id
        self._site_uri, self._part = site_uri, part
        self._copy = f"{self.name}-"

    def read(self) -> StoredState:
        """The state; a damaged one is replaced by its last copy that is whole, of which a rebuild must be made.

        Raises StoreError, NewerVersionError, and WrongSiteError.
        """
        stored = self.store.get(self.name)
        if stored is None:
            return StoredState()
        try:
            found = StoredState(*bucket_state.load(stored.content, self.where), stored.etag)
        except NewerVersionError:
            raise
        except StateError as error:
            copy = self._last_copy()
            return StoredState(copy.state, copy.body, stored.etag, str(error))
        self._require_own(found.head)
        return found

    def of_any_site(self) -> "StateFile":
        """The same file, whatever site its state is of."""
        return StateFile(self.store, self.folder, self.new_id, part=self._part)

    def of_part(self, part: str) -> "StateFile":
        """The file beside this one that has the state of another part of the bucket."""
        return StateFile(self.store, self.folder, self.new_id, self._site_uri, part)

    @property
    def folder(self) -> str:
        """Where the files are."""
        return self.where.removesuffix(self.name)

    def _require_own(self, head: StateHead) -> None:
        if self._site_uri and head.site_uri not in ("", self._site_uri):
            raise WrongSiteError(f"{self.where} is the state of {head.site_uri}; {self._site_uri} needs one of its own")

    def usable_head(self) -> StateHead | None:
        """The head alone, or None if there is no state, or a damaged one, which a rebuild makes again.

        Raises StoreError, NewerVersionError and WrongSiteError.
        """
        try:
            return self.head()
        except (NewerVersionError, WrongSiteError):
            raise
        except StateError:
            return None

    def head(self) -> StateHead | None:
        """The head alone (a ranged GET), or None if there is no state; raises StoreError and StateError."""
        size = _HEAD_BYTES
        while (start := self.store.get_start(self.name, size)) is not None:
            if found := bucket_state.load_head(start, self.where):
                self._require_own(found)
                return found
            if len(start) < size:
                raise StateError(f"{self.where} is cut short; a rebuild makes it again")
            size *= 8
        return None

    def verified_head(self) -> StateHead | None:
        """The head of a file that is whole, or None if there is no state; raises StoreError and StateError."""
        data = self.store.read(self.name)
        if data is None:
            return None
        found = bucket_state.verified_head(data, self.where)
        self._require_own(found)
        return found

    def replace(self, before: StoredState, head: StateHead, body: bytes, least_number: int = 0) -> StoredState:
        """Replace the state with which a run began; raises ConflictError if another run was first, and StoreError.

        A replacement without an answer may have taken effect: then the state has its id. The new state has the next
        number, or the `least_number` if that is higher.
        """
        mine = replace(head, number=max(before.head.number + 1, least_number), id=self.new_id())
        data = bucket_state.dump(mine, body)
        had_no_answer = False
        for _ in range(_MOST_SENDS):
            try:
                etag = self.store.put_if_match(self.name, data, before.etag)
                if before.etag is None:
                    self._require_conditions(data)
                return self._stored(mine, body, etag)
            except UncertainError:
                had_no_answer = True
            except ConflictError:
                if not had_no_answer:
                    raise
            present = self.store.get(self.name)
            if present and bucket_state.load_head(present.content, self.where) == mine:
                return self._stored(mine, body, present.etag)
            if (present.etag if present else None) != before.etag:
                break
        raise ConflictError(f"{self.where} was replaced by another run")

    def _require_conditions(self, data: bytes) -> None:
        """Raise StoreError if the store replaces a file under a false condition: runs would lose what others wrote."""
        ignored = [header for header, etag in _CONDITIONS.items() if self._is_replaced(data, etag)]
        if ignored:
            raise StoreError(
                f"the store of {self.where} ignores conditional writes ({' and '.join(ignored)}), so runs at the same "
                "time would lose what others wrote; keep the state in one that has them, such as Amazon S3"
            )

    def _is_replaced(self, data: bytes, etag: str | None) -> bool:
        try:
            self.store.put_if_match(self.name, data, etag)
        except (ConflictError, UncertainError):
            return False
        return True

    def keep_copy(self, state: StoredState, day: str) -> None:
        """Keep a copy for a day (`2026-03-01`); the oldest ones go. Raises StoreError."""
        self.store.write(f"{self._copy}{day}", bucket_state.dump(state.head, state.body))
        old = sorted(self.store.list_files(self._copy))[:-_KEPT_COPIES]
        if old:
            self.store.delete_many(old)

    def _stored(self, head: StateHead, body: bytes, etag: str) -> StoredState:
        """What is stored now; nobody needs the memory again that the body has."""
        return StoredState(BucketState(head), body, etag)

    def _last_copy(self) -> StoredState:
        for name in sorted(self.store.list_files(self._copy), reverse=True):
            content = self.store.read(name)
            try:
                return StoredState(*bucket_state.load(content or b"", name))
            except StateError:
                continue
        return StoredState()

"""Bytes that say what they are, with a checksum: damage is seen before anything is read."""

import hashlib
import json

_DIGEST = hashlib.sha256().digest_size
FOREIGN = (
    *(KeyError, IndexError, TypeError, AttributeError, OverflowError, RecursionError),
    *(UnicodeError, json.JSONDecodeError),
)
"""What goes wrong where bytes have a checksum that fits, and are still not what was saved."""


def seal(mark: bytes, body: bytes) -> bytes:
    """The body after a mark of its kind and a checksum."""
    return mark + hashlib.sha256(body).digest() + body


def unseal(mark: bytes, data: bytes, what: str) -> bytes:
    """The body that `seal` was given with this mark.

    what: the kind, for the words of the ValueError that any other bytes raise.
    """
    if not isinstance(data, bytes | bytearray):
        raise ValueError(f"{what} must be bytes, not {type(data).__name__}")
    if not data.startswith(mark):
        raise ValueError(f"these bytes are not {what}: they do not begin as save_state writes")
    digest, body = data[len(mark) :][:_DIGEST], data[len(mark) + _DIGEST :]
    if hashlib.sha256(body).digest() != digest:
        raise ValueError(f"the bytes of {what} are damaged or cut short: the checksum is wrong")
    return bytes(body)

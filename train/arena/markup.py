"""HTML and SVG built as trees, so that whatever stands in a name or a number is escaped."""

from collections.abc import Iterable
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

Part = Element | str | None
"""What may stand inside an element; None is nothing."""


def tag(name: str, /, *parts: Part | Iterable[Part], **attributes: str | float | None) -> Element:
    """An element. Attributes that are words of Python end in _, and - is written as _.

    >>> page(tag("td", "a < b", class_="name", data_value=3))
    '<td class="name" data-value="3">a &lt; b</td>'
    """
    given = {
        key.rstrip("_").replace("_", "-"): f"{value:g}" if isinstance(value, float) else str(value)
        for key, value in attributes.items()
        if value is not None
    }
    element = Element(name, given)
    for part in parts:
        for one in [part] if part is None or isinstance(part, str | Element) else part:
            _append(element, one)
    return element


def section(title: str, name: str, words: str | list[Part], *parts: Part) -> Element:
    """A section of a page; name: where links to it lead. words: what stands below its title."""
    return tag("section", tag("h2", title), note(words), parts, id=name)


def note(words: str | list[Part]) -> Element:
    """A paragraph that says how to read what comes after it."""
    return tag("p", words, class_="note")


def svg_from(text: str) -> Element:
    """A drawing of `rungenv.svg` as an element of a page."""
    drawing = ElementTree.fromstring(text)
    for element in drawing.iter():
        element.tag = element.tag.rpartition("}")[2]
        element.tail = None
    return drawing


def page(root: Element) -> str:
    """The text of an element and all that is in it."""
    return ElementTree.tostring(root, encoding="unicode", method="html")


def _append(element: Element, part: Part) -> None:
    if isinstance(part, Element):
        element.append(part)
    elif part:
        if len(element):
            element[-1].tail = (element[-1].tail or "") + part
        else:
            element.text = (element.text or "") + part

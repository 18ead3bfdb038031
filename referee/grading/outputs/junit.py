"""JUnit XML, as build servers read it: a check is a test case."""

from __future__ import annotations

from datetime import UTC
from xml.etree import ElementTree

from referee.grading.outputs.sheet import Item, number, sheet
from referee.grading.report import Grade


def files(grade: Grade) -> dict[str, bytes]:
    seen = sheet(grade)
    failures = sum(not item.passed and not item.fault for item in seen.items)
    counts = {
        "tests": str(len(seen.items)),
        "failures": str(failures),
        "errors": str(sum(bool(item.fault) for item in seen.items)),
        "skipped": "0",
    }
    name = " ".join(part for part in (seen.course, seen.student) if part) or "grade"
    root = ElementTree.Element("testsuites", {"name": name, **counts})
    suite = ElementTree.SubElement(root, "testsuite", {"name": name, **counts})
    if seen.submitted is not None:
        suite.set("timestamp", f"{seen.submitted.astimezone(UTC):%Y-%m-%dT%H:%M:%S}")
    told = {
        "points": number(seen.earned),
        "total": number(seen.total),
        "withheld": str(seen.withheld),
        "file": seen.file,
        "sha256": seen.sha256,
    }
    properties = ElementTree.SubElement(suite, "properties")
    for key, value in told.items():
        ElementTree.SubElement(properties, "property", {"name": key, "value": value})
    for item in seen.items:
        _case(suite, seen.game or "grade", item)
    if seen.remarks:
        ElementTree.SubElement(suite, "system-out").text = "\n".join(seen.remarks)
    ElementTree.indent(root)
    return {**seen.attached, "junit.xml": ElementTree.tostring(root, "utf-8", xml_declaration=True)}


def _case(suite: ElementTree.Element, group: str, item: Item) -> None:
    case = ElementTree.SubElement(suite, "testcase", {"classname": group, "name": item.title})
    verdict = next((note.verdict for note in item.notes if note.verdict), item.kind)
    if item.fault:
        ElementTree.SubElement(case, "error", {"type": "referee-error", "message": item.fault}).text = item.text
    elif not item.passed:
        ElementTree.SubElement(case, "failure", {"type": verdict, "message": item.sentence}).text = item.text
    points = f"{number(item.earned)} of {number(item.points)} points"
    ElementTree.SubElement(case, "system-out").text = f"{points}. {item.sentence}"

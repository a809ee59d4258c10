"""What each page must be: read, reached and hit, in each theme and palette, also on a telephone."""

from pathlib import Path

AUDIT = Path(__file__).with_name("audit.js").read_text(encoding="utf-8")
LEAST = 4.5
FINGER = 40
MOST_SHIFT = 0.1
DESK = [["light", "plain"], ["dark", "plain"], ["light", "safe"], ["dark", "safe"]]
NAMED = (
    *("button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "slider"),
    *("spinbutton", "tab", "gridcell", "image", "dialog"),
)


def run(browser, call, *arguments):
    """What a function of audit.js finds in the page."""
    return browser.script(f"{AUDIT}\nreturn {call}", *arguments)


def contrasts(browser, themes, within="body", *, width, height=3000):
    """Texts that cannot be read; in a high window, so that nothing is below its edge."""
    browser.size(width, height)
    found = run(browser, "contrastFaults(...arguments)", themes, LEAST, within)
    assert found["count"] > 1
    return found["faults"]


def fits(browser, widths=(390, 360)):
    """What is wider than the window, once charts have followed its size."""
    for width in widths:
        browser.size(width, 800)
        for _ in range(10):
            wide = run(browser, "tooWide()")
            if not wide:
                break
        else:
            return wide
    return []


def nameless(browser):
    """Controls and pictures that readers of the screen say nothing about."""
    nodes = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    return [
        f"no name: {node['role']['value']}"
        for node in nodes
        if not node["ignored"] and node["role"]["value"] in NAMED and not node["name"]["value"]
    ]


def audit_page(browser):
    """Look at the page that is open, on a desk and on a telephone."""
    browser.size(1400)
    script = f"{AUDIT}\nlayoutShift().then(arguments[0])"
    shift, moved = browser.driver.execute_async_script(script)
    assert shift < MOST_SHIFT, moved
    none_of(run(browser, "formFaults()"))
    none_of(nameless(browser))
    browser.press("\ue004")  # Tab: from here on the ring is shown
    none_of(run(browser, "focusFaults()"))
    none_of(contrasts(browser, DESK, width=1400))
    none_of(fits(browser))
    none_of(run(browser, "smallTargets(arguments[0])", FINGER))
    none_of(contrasts(browser, DESK[:2], "main", width=390))


def none_of(faults):
    """Say what is wrong, all of it."""
    assert faults == [], "\n".join(faults)

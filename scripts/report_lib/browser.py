# SPDX-License-Identifier: LGPL-2.1-or-later
"""A browser without a window, for tests of pages and for pictures of them."""

import os
import shutil

FLAGS = (
    "--headless=new",
    "--no-sandbox",  # root may run it, too
    "--use-angle=swiftshader",  # WebGL without a graphics card
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    # Only that: pages themselves are faster without it.
    "--disable-gpu-rasterization",
    "--disable-gpu-compositing",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    # It asks for one file and for nothing else.
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-default-apps",
    "--no-proxy-server",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)


def is_there():
    """Whether Debian's packages chromium, chromium-driver and python3-selenium are."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return False
    return bool(shutil.which("chromium") and shutil.which("chromedriver"))


def start():
    """A driver of Selenium; `quit()` ends it."""
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = shutil.which("chromium")
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = Service(shutil.which("chromedriver"), log_path=os.devnull)
    return webdriver.Chrome(service=service, options=options)


def view(driver, width, height, is_dark=False):
    """The size of the screen in CSS pixels, and its colours."""
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
    )
    scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})


def complaints(driver):
    """What the browser has found wrong with a page since it was last asked."""
    return [one["message"] for one in driver.get_log("browser") if one["level"] == "SEVERE"]

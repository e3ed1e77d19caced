"""The documentation of four Debian packages: real sites to run over."""

import subprocess
from pathlib import Path

ROOTS = {
    "rust-doc": "usr/share/doc/rust-doc/html",
    "openjdk-17-doc": "usr/share/doc/openjdk-17-jre-headless",
    "libboost1.74-doc": "usr/share/doc/libboost1.74-doc/doc/html",
    "apache2-doc": "usr/share/doc/apache2-doc/manual",
}
"""Where each package's pages begin: the folder that its own index page lies in."""


def download(folder: Path) -> None:
    """Download all packages to a folder."""
    subprocess.run(["apt-get", "download", "--quiet", *ROOTS], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def unpack(package: str, debs: Path, folder: Path) -> Path:
    """Unpack a package of the folder `debs`; returns the folder of its pages."""
    folder.mkdir(parents=True)
    deb = next(debs.glob(f"{package}_*.deb"))
    subprocess.run(["dpkg", "-x", str(deb), str(folder)], check=True)
    return folder / ROOTS[package]

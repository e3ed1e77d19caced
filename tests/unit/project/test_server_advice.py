"""What is said of a site whose build leaves a server beside its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.core.errors import SourceError
from waypost.project.published_folder import published_folder
from waypost.project.server_advice import ServerAdvice
from waypost.project.site_folder import find_sites

if TYPE_CHECKING:
    from sites import Files, Write

NEXT: Files = {"package.json": '{"dependencies": {"next": "16"}, "scripts": {"build": "next build"}}'}
PAGES = "waypost build .next/server/pages --output .next/server/pages-sitemap --base-url URL"
APP = "waypost build .next/server/app --output public"
BOTH = f"{PAGES} && {APP} --set 'sitemaps=[\".next/server/pages-sitemap/sitemap.xml\"]'"


def advice(write: Write, files: Files) -> ServerAdvice:
    (site,) = find_sites(write(files))
    assert site.kind.has_server
    return ServerAdvice(site, ".")


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({**NEXT, "app/page.tsx": ""}, f"{APP} --base-url URL"),
        ({**NEXT, "src/app/about/page.tsx": ""}, f"{APP} --base-url URL"),
        ({**NEXT, "pages/index.js": ""}, "waypost build .next/server/pages --output public --base-url URL"),
        (
            {**NEXT, "app/page.tsx": "", "pages/api/a.js": ""},
            f"{APP} --base-url URL",
        ),
        ({**NEXT, "app/page.tsx": "", "pages/old.js": ""}, f"{BOTH} --base-url URL"),
        (
            {**NEXT, "app/page.tsx": "", "next.config.mjs": "export default { distDir: 'build' }"},
            "waypost build build/server/app --output public --base-url URL",
        ),
        (
            {"package.json": '{"dependencies": {"@remix-run/dev": "2", "@remix-run/serve": "2"}}'},
            "waypost build build/client --base-url URL",
        ),
        (
            {"package.json": '{"dependencies": {"astro": "5", "@astrojs/vercel": "8"}}'},
            "waypost build .vercel/output/static --base-url URL",
        ),
    ],
    ids=["app", "app in src", "pages", "pages with an API alone", "both", "another folder", "Remix", "an adapter"],
)
def test_the_command_lists_what_the_build_has_rendered(write: Write, files: Files, command: str) -> None:
    assert advice(write, files).command() == command


def test_a_list_of_routes_and_options_go_to_the_last_command(write: Write) -> None:
    found = advice(write, {**NEXT, "app/page.tsx": "", "pages/old.js": ""})
    every = found.command(" -q", last=" --dry-run", before="list | ").split(" && ")
    assert [each.endswith(" -q") for each in every] == [True, False]
    assert every[1].startswith("list | waypost build")
    assert every[1].endswith(" -q --dry-run")


@pytest.mark.parametrize("built", [False, True])
def test_a_server_that_lists_its_files_when_it_is_built_gets_the_lines_for_its_build(
    write: Write, *, built: bool
) -> None:
    files: Files = {
        "svelte.config.js": "import adapter from '@sveltejs/adapter-node';",
        "package.json": '{"dependencies": {"@sveltejs/kit": "3", "@sveltejs/adapter-node": "6"}}',
        **(
            {f"build/{name}": "x" for name in ("client/a.js", "server/index.js", "prerendered/index.html")}
            if built
            else {}
        ),
    }
    with pytest.raises(SourceError) as caught:
        published_folder(write(files))
    assert str(caught.value).splitlines() == [
        ". is a site of SvelteKit with a server (svelte.config.js), so nothing was written",
        "  its server answers with the files that are there when it is built; write in svelte.config.js:",
        '    import { execSync } from "node:child_process";',
        '    import { mkdirSync } from "node:fs";',
        "    const server = adapter(); // with the options that it has",
        "    const adapt = server.adapt;",
        "    server.adapt = async (builder) => {",
        '      const output = ".svelte-kit/output";',
        "      mkdirSync(`${output}/prerendered/pages`, { recursive: true });",
        "      const command = `waypost build ${output}/prerendered/pages --output ${output}/client "
        "--base-url URL --fetch-history`;",
        '      execSync(command, { stdio: "inherit" });',
        "      await adapt(builder);",
        "    };",
        '    // in the place of "adapter: adapter()": "adapter: server"',
        "  then build the site: `npx vite build`",
        "  for pages that the server renders for each visitor, let a script print the URLs, one a line: "
        "`node list-routes.js | waypost build … --set urls=-` in the place of `waypost build …`",
    ]


@pytest.mark.parametrize(
    ("built", "says"),
    [
        ({}, ["build the site first: `npm run build`", "then list the pages that it has rendered: `…`"]),
        ({".next/server/app/index.html": ""}, ["list the pages that the build has rendered: `…`"]),
        ({".next/server/app/page.js": ""}, []),
    ],
    ids=["not built", "built", "built without a page"],
)
def test_what_was_not_rendered_is_not_told_to_be_listed(write: Write, built: Files, says: list[str]) -> None:
    _, *lines, routes = advice(write, {**NEXT, "app/page.tsx": "", **built}).refusal()
    assert [line.replace(f"{APP} --base-url URL", "…") for line in lines] == says
    assert f"`node list-routes.js | {APP} --base-url URL --fetch-history --set urls=-`" in routes


@pytest.mark.parametrize(
    ("files", "has_server"),
    [
        ({"svelte.config.js": "from '@sveltejs/adapter-auto'"}, True),
        ({"svelte.config.js": "from '@sveltejs/adapter-static'"}, False),
        ({"svelte.config.js": "from './adapter.js'", "build/server/index.js": "", "build/client/a.js": ""}, True),
        ({"vite.config.ts": ""}, False),
    ],
    ids=[
        "the host's adapter",
        "files alone, beside an adapter that is not used",
        "by what is built",
        "by its packages",
    ],
)
def test_the_adapter_that_is_configured_decides_whether_there_is_a_server(
    write: Write, files: Files, *, has_server: bool
) -> None:
    packages = '"@sveltejs/kit": "3", "@sveltejs/adapter-auto": "6", "@sveltejs/adapter-static": "4"'
    (site,) = find_sites(write({**files, "package.json": f'{{"dependencies": {{{packages}}}}}'}))
    assert (site.kind.generator, site.kind.has_server) == ("SvelteKit", has_server)

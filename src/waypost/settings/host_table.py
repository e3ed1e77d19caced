"""The hosts of static sites, a row each: at which shapes of URL they answer, and by which domains they are known."""

from typing import NamedTuple

from waypost.settings.host_rules import ANY_SHAPE, AnsweredShapes


class Host(NamedTuple):
    """A host: its name as a setting, its name for people, and its own domains.

    `shapes` are the shapes of URL that it answers if no file of the site says otherwise, and `source` is where that is
    written. `is_checked` if the host's own tool was seen to answer so. `escaped` are the characters of a path that it
    misreads, or redirects, unless they are percent-encoded; every host reads them when they are. `lowers_case` if it
    redirects a path with capital letters; all other hosts tell capitals from small letters.
    """

    name: str
    title: str
    domains: tuple[str, ...]
    shapes: AnsweredShapes
    source: str
    is_checked: bool = False
    escaped: str = ""
    lowers_case: bool = False


_EXTENSIONLESS = AnsweredShapes(("bare",), ("slash",))
_BOTH = AnsweredShapes(("bare", "file"), ("slash", "file"))
_FOLDERS = AnsweredShapes(ANY_SHAPE, ("slash", "file"))
_FILES = AnsweredShapes(("file",), ("slash", "file"))

HOSTS: dict[str, Host] = {
    each.name: each
    for each in (
        Host(
            "github-pages",
            "GitHub Pages",
            ("github.io",),
            _BOTH,
            "github.com/slorber/trailing-slash-guide (measured); GitHub documents no forms of URLs",
        ),
        Host(
            "gitlab-pages",
            "GitLab Pages",
            ("gitlab.io",),
            AnsweredShapes(ANY_SHAPE, ("slash", "file")),
            "docs.gitlab.com/user/project/pages/introduction",
        ),
        Host(
            "netlify",
            "Netlify",
            ("netlify.app", "netlify.com"),
            _BOTH,
            "docs.netlify.com/manage/routing/redirects/redirect-options, Trailing slash; for capital letters the "
            "answers in github.com/mdn/yari/issues/35 and github.com/mkdocs/mkdocs/issues/1899 (measured)",
            lowers_case=True,
        ),
        Host(
            "cloudflare-pages",
            "Cloudflare Pages",
            ("pages.dev",),
            _EXTENSIONLESS,
            "developers.cloudflare.com/pages/configuration/serving-pages, Route matching",
            is_checked=True,
        ),
        Host(
            "cloudflare-workers",
            "Cloudflare Workers",
            ("workers.dev",),
            _EXTENSIONLESS,
            "developers.cloudflare.com/workers/static-assets/routing/advanced/html-handling",
            is_checked=True,
            escaped="$+,:;=@&",
        ),
        Host(
            "vercel",
            "Vercel",
            ("vercel.app", "now.sh"),
            AnsweredShapes(),
            "vercel.com/docs/project-configuration/vercel-json, cleanUrls and trailingSlash",
            is_checked=True,
        ),
        Host(
            "firebase",
            "Firebase Hosting",
            ("web.app", "firebaseapp.com"),
            _FOLDERS,
            "firebase.google.com/docs/hosting/full-config, cleanUrls and trailingSlash",
            is_checked=True,
        ),
        Host(
            "azure-static-web-apps",
            "Azure Static Web Apps",
            ("azurestaticapps.net",),
            AnsweredShapes(("bare", "file"), ANY_SHAPE),
            "learn.microsoft.com/azure/static-web-apps/configuration, Trailing slash",
        ),
        Host("render", "Render", ("onrender.com",), AnsweredShapes(), "render.com/docs/static-sites"),
        Host("surge", "Surge", ("surge.sh",), AnsweredShapes(), "surge.sh/help"),
        Host("read-the-docs", "Read the Docs", ("readthedocs.io",), _FILES, "docs.readthedocs.com, Versions and URLs"),
        Host(
            "s3-website",
            "the website endpoint of S3",
            (),
            _FILES,
            "docs.aws.amazon.com/AmazonS3/latest/userguide/IndexDocumentSupport.html",
        ),
        Host(
            "cloudfront",
            "CloudFront",
            ("cloudfront.net",),
            AnsweredShapes(),
            "its functions decide; the REST endpoint of S3 reads + as a space (hackmd.io/@jdno/r13gNdn82)",
            escaped="+",
        ),
        Host("nginx", "nginx", (), _FOLDERS, "nginx.org/en/docs/http/ngx_http_index_module.html"),
        Host("apache", "Apache", (), AnsweredShapes(), "httpd.apache.org/docs/2.4/mod/mod_dir.html, DirectorySlash"),
        Host("plain", "another host", (), AnsweredShapes(), "nothing is known of it"),
    )
}
"""The hosts by their names, which are the values of the setting `host`."""

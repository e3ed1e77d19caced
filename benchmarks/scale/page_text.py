"""The text of docs/scale.md."""

TEXT = """# How Waypost scales

`python benchmarks/simulate.py` simulated these figures and wrote this page. The function's own code plans, scans,
builds, commits and publishes, over synthetic buckets that use no memory. S3, Lambda and Step Functions are modelled.

## Targets

{targets}

A *reconciliation* has a ledger: it lists the bucket, and reads only the objects that differ. A *first build* has none:
it reads every page, and S3 answers 5,500 reads a second for each partition of the bucket.
{long_calls}

![Wall time by the number of objects](scale/time.svg)

## First build

All pages are read. Below 1,000,000 objects, one call does everything.

{first_builds}

## Daily reconciliation

The ledger is complete, and up to a hundred pages were changed without an event. The bucket has one partition.

{reconciliations}

## A day of uploads

24,000 uploads of pages anywhere in the bucket, in batches of six (a window of 20 seconds). The last three columns are
for a function that lists the whole bucket at each upload: the requests of one listing, its time if pages of 1,000 keys
are listed one after another (a call ends after 900 seconds), and the cost of its LIST requests alone.

{uploads}

![Dollars by the number of objects](scale/cost.svg)

## S3's request limits

Wall time by the number of partitions of the site's bucket. S3 adds partitions by itself under a lasting load, within
half an hour to an hour. Nobody can ask how many a bucket has. AWS promises one for any bucket. The tables above assume
16 for a first build, because many clients have filled, and read, a bucket of many millions of objects.

{throttling}

These figures assume that no request is repeated. When S3 is busy, a call retries a few times, then hands in what it
has, and other calls do the rest. So a first build over few partitions takes longer than shown: start it with fewer
workers.

## Other shapes of keys

A catalogue has 400 categories, and the largest has a seventh of all pages. A news archive has one folder a day. A
wiki's titles begin with some letters far more often than with others, and a third of them begin with a letter that is
not ASCII.

{shapes}

## Memory

The peak in megabytes of the largest call of each step, each measured in a process of its own, in both rebuilds. Below
1,000,000 objects one call does everything; it is shown under *scan*.

{memory}

![Megabytes by the number of objects](scale/memory.svg)

A scan ends after about 100,000 objects, or after it has read 10,000 while other workers have nothing to do. A build
holds the largest segment in memory, whose size is random: of n segments, the largest has about 25,000 times ln n pages.
It also holds the versions of its pages in other languages: 600 MB for a segment of 20,000 pages in ten languages each.
Only listed pages end a segment. Where almost no object is a listed page, the function refuses more consecutive objects
than its memory can hold (about 600 a megabyte), and says which of them to exclude.

## The limit

Each commit and each update reads and writes the whole manifest, which has one entry for each shard. *read* and *write*
are the processor time to decode and to encode it. *one page* is an update by one upload to a sitemap of about 25,000
pages, and *MB* its memory.

{manifests}

{manifest_limit}

## Steps of the largest first build

{steps}

## Assumptions

{assumptions}
- A call's waiting, its bytes and its processor time are added, as if they never overlapped: at most twice the truth.
  Requests of concurrent threads wait at the same time, with the code's own numbers of threads.
- Of many calls of a step, the smallest, the one in the middle and the largest are run. The others are estimated on
  straight lines through those. The boundaries of segments are those of the real keys; they were computed once and are
  in `benchmarks/scale/data`.
- All objects are pages of 10 KB with a canonical link, in one group, with the default settings (`limits = "strict"`).
"""

MANIFEST_LIMIT = """An entry has {entry_bytes:.0f} bytes. At {size} objects an update of one page takes \
{update_seconds:.1f} s, of which
{manifest_seconds:.1f} s are for the manifest and the indexes. They would take {window} s, half of the window in which \
events are
collected, at about {objects} objects. Beyond that, the manifest would have to be split: a root, replaced by a
conditional write, over pages of a thousand entries whose names are digests of their content. An update would then read
and write one page and the root."""

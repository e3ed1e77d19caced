"""The text of docs/scale.md."""

TEXT = """# How Waypost scales

`python benchmarks/simulate.py` simulated these figures: the Lambda function's own code works on synthetic buckets. S3,
Lambda and Step Functions are modelled.

## Targets

{targets}

A *reconciliation* has a ledger: it lists the bucket, and reads only the objects that differ. A *first build* has none:
it reads every page, and S3 answers 5,500 reads a second for each partition of the bucket.
{long_calls}

## Time, cost and memory

{summary}

- Below 1,000,000 objects, one call does everything.
- The first build is over 16 partitions. The reconciliation is the daily one, over one partition: up to a hundred pages
  were changed without an event.
- Six uploads of pages anywhere in the bucket come within a window of 20 seconds. A day has 24,000 uploads.
- *MB* is the most memory of a call.

![Wall time by the number of objects](scale/time.svg)

*Relisting* is a function that lists the whole bucket at each upload: the cost of its LIST requests alone.

![Dollars by the number of objects](scale/cost.svg)

## S3's request limits

S3 adds partitions by itself under a lasting load, within half an hour to an hour. Nobody can ask how many a bucket has.
AWS promises one. 16 are assumed, because many clients have filled, and read, a bucket of many millions of objects.

The figures assume that no request is repeated. When S3 is busy, a call retries a few times, then hands in what it has,
and other calls do the rest. So a first build over few partitions takes longer than shown: start it with fewer workers.

## Other shapes of keys

In the catalogue, the largest of 400 categories has a seventh of all pages. A news archive has one folder a day. A third
of a wiki's titles begin with a letter that is not ASCII.

{shapes}

## Memory

![Megabytes by the number of objects](scale/memory.svg)

A build holds the largest segment in memory, whose size is random: of n segments, the largest has about 25,000 times
ln n pages. It also holds the versions of its pages in other languages: 600 MB for a segment of 20,000 pages in ten
languages each. Only listed pages end a segment. Where almost no object is a listed page, the function refuses more
consecutive objects than its memory can hold (about 600 a megabyte), and says which to exclude.

## The limit

Each commit and each update reads and writes the whole manifest, which has one entry for each shard. *one page* is an
update by one upload to a sitemap of about 25,000 pages.

{manifests}

{manifest_limit}

## Assumptions

{assumptions}
- A call's waiting, its bytes and its processor time are added, as if they never overlapped: at most twice the truth.
  Requests of concurrent threads wait at the same time.
- Of many calls of a step, the smallest, the one in the middle and the largest are run. The others are estimated on
  straight lines through those.
- All objects are pages of 10 KB with a canonical link, in one group, with the default settings.
"""

MANIFEST_LIMIT = """An entry has {entry_bytes:.0f} bytes. At {size} objects an update of one page takes \
{update_seconds:.1f} s, of which
{manifest_seconds:.1f} s are for the manifest and the indexes. They would take {window} s, half of the window in which \
events are
collected, at about {objects} objects. Beyond that, the manifest would have to be split."""

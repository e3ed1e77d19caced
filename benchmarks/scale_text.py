"""The words of docs/scale.md."""

TEXT = """# How far it goes

Simulated by `python benchmarks/scale.py`, which writes this page. What plans, gathers, shapes, commits and publishes is
the function's own code, over synthetic buckets that hold no memory; S3, Lambda and Step Functions are modelled.

## Targets

{targets}

A bucket is *rebuilt* where a ledger knows it: it is listed, and what differs is read. It is *built for the first time*
where nothing is known: then every page is read, and S3 answers 5,500 reads a second for each partition of the bucket.
{limits}

![Wall time over the number of objects](scale/time.svg)

## First build

All pages are read. Below 1,000,000 objects one call does it.

{first}

## Daily reconciliation

The ledger is whole; up to a hundred pages were changed without an event. One partition.

{daily}

## A day of uploads

24,000 uploads anywhere, in batches of six as a window of 20 seconds gathers them, beside a function that lists the
bucket again at each upload. Its list requests alone are counted; *takes* is one listing, one page after another, and a
call ends after 900 seconds.

{uploads}

![Dollars over the number of objects](scale/cost.svg)

## What S3 lets through

Wall time by the partitions of the site's bucket. S3 makes more of them by itself where load lasts, in half an hour
to an hour. How many a bucket has cannot be asked. 1 is what AWS promises any bucket; 16 are assumed for a first build
because a bucket of many millions was filled, and is read, by many at once.

{throttling}

The figures take it that nothing is asked twice. Where S3 answers that it is busy, a call asks again a few times, then
hands in what it has, and the rest waits; so a first build over few partitions takes longer than this: start it with
fewer workers.

## Other shapes

A catalogue has 400 categories, the largest a seventh of all; an archive of news has a folder a day; a wiki's titles
begin with some letters far more often than with others, and a third of them not with ASCII.

{shapes}

## Memory

Peak megabytes of the largest call of each step, measured in a process of its own, of both builds. Below 1,000,000
objects one call is all, and is shown under *gather*.

{memory}

![Megabytes over the number of objects](scale/memory.svg)

A call that gathers stops behind some 100,000 objects, or 10,000 that it has read while there is not work for all. One
that shapes holds the largest segment, which is a matter of chance: of n segments about 25,000 times ln n pages. With
versions of pages in other languages it holds theirs too: 600 MB for a segment of 20,000 pages in ten languages each.
Only pages that are listed end a segment; where hardly any is, the function refuses more objects side by side than its
memory holds, which is some 600 a megabyte, and says which to leave out.

## Where it ends

Commit and every update read and write the manifest whole, which has an entry for each shard. *read* and *written* are
the processor's time for its JSON; *one page* is an update by one upload to a sitemap of about 25,000 pages, *MB* its
memory.

{manifest}

{ends}

## Steps of the largest first build

{steps}

## What was assumed

{assumed}
- A call takes what it waits, its bytes and its processor's time one after the other, as though they never overlapped:
  at most twice the truth. What runs in threads waits at the same time, by the code's own widths.
- Of many calls of a step the smallest, one in the middle and the largest are run, and the others put on the straight
  lines through those. Where segments begin is true of every key; it was worked out once and is in `benchmarks/data`
  (`python benchmarks/synthetic.py catalogue 1e9`).
- All objects are pages of 10 KB with a canonical link, in one group, under the default settings (`limits = "strict"`).
"""

ENDS = """An entry takes {each:.0f} bytes. At {size} objects an update by one page takes {all:.1f} s,
{over:.1f} s of them for the manifest and the indexes over it. They would be {window} s, half of the window in which
events are gathered, at about {objects} objects. There a manifest in parts would take its place: a root, replaced by
compare-and-swap, over pages of a thousand entries that are named by what they hold; an update would then read and write
one page and the root."""

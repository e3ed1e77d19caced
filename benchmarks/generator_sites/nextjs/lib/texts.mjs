export const texts = {
  "about": "Three carpenters under one roof. marker-nextjs-about",
  "work": "What we have built. marker-nextjs-work",
  "work/stairs": "Stairs of ash, without a screw. marker-nextjs-stairs",
  "work/library": "Shelves for nine thousand books. marker-nextjs-library",
  "work/dachstuhl-müller": "A roof from 1780, repaired. marker-nextjs-roof",
  "journal": "Notes from the workshop. marker-nextjs-journal",
  "journal/2026/drying-wood": "A year for each centimetre. marker-nextjs-drying",
  "journal/2026/japanese-saws": "They cut when pulled. marker-nextjs-saws",
}

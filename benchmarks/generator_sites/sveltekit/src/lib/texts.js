export const texts = {
  "lines": "Eleven lines from the square. marker-sveltekit-lines",
  "lines/tram-2": "Every ten minutes to the harbour. marker-sveltekit-tram",
  "lines/night-bus": "From midnight to five. marker-sveltekit-night",
  "tickets": "One ticket for all lines. marker-sveltekit-tickets",
  "tickets/schüler": "Pupils pay half. marker-sveltekit-pupils",
  "lost-property": "Umbrellas, mostly. marker-sveltekit-lost",
}

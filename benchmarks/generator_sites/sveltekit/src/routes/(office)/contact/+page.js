export const load = () => ({ hours: "Open from six in the morning to eight in the evening. included-sveltekit-hours" })

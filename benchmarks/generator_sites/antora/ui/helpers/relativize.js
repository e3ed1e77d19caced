module.exports = (to, { data: { root } }) => (root.page.url ? to : to)

"""The pages: what spectators and authors see, from a process of its own that can only read.

A request takes one way: `app` routes it, `pages` asks the store and makes a
`Page`, `rendering` turns that into HTML, or into the data behind it if the
address ends in `.json` or `.csv`. Charts are drawn by pure functions
(`charts`) and macros; texts are translated by `i18n`.
"""

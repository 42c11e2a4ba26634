"""What the arena adds to the command `sixtysix`, through entry points.

The modules are light to import, since the help of `sixtysix` imports them; what
needs the arena's own requirements is imported when a command runs.
"""

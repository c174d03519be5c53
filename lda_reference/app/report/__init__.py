"""A model as one HTML page.

- `command`: the command `report`
- `findings`: the numbers, apart from the page
- `page`, `drawing`, page.css, page.js: the page and its pictures
"""

"""A model as one HTML page.

- `command`: the command `report`
- `findings`, `documents`: the numbers and the texts, apart from the page
- `page`, `coloured`, `record`, page.css, page.js: the page and its parts
- `drawing`, `labels`: its pictures
"""

"""A model as one HTML page.

- `command`: the command `report`
- `findings`, `documents`: the numbers and the texts, apart from the page
- `page`, page.css, page.js: the page
- `drawing`: its colours and pictures
"""

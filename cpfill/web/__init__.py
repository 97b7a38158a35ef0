"""The page: a server that answers on the user's own machine, and what it serves.

serve         sockets, the port, uvicorn, the browser
app           the routes
guard         who may ask, and what every response says to browsers
token         what a page has to show, kept for the user
streams       an answer as JSON lines, one search in a thread of its own, ended when nobody reads on
questions     what can be asked: each a generator of records
searching     those that are searched: candidates, letters, solve, count, explain
watching      a search, step by step
describing    the others: stats, check, heatmap, generate, clues
asked         what a question is given
exchange      files of every format; the personal list; what the program can do
memory        what is kept between questions: word lists, clues, propagated states, fills
unchanged     what is kept of files
wire          puzzles and requests as the page has them
files         the puzzles in a directory
static_files  the files of the page itself, which stand in `static`

Starlette and uvicorn are imported by `app`, `guard`, `streams`, `static_files` and `serve` alone.
"""

// Runs in the page that is measured: when, after a key, the frame is painted that shows something.

{
  const PATIENCE_MS = 20_000;
  const channel = new MessageChannel(), ends = [];
  // What a frame posts is heard when its layout and painting are done.
  channel.port1.onmessage = () => {
    for (const end of ends.splice(0)) end(performance.now());
  };
  const many = (selector) => document.querySelectorAll(selector).length;
  const rows = () => many("#words [data-word]"), listed = () => rows() > 0 && !many("#words[aria-busy=true]");
  const state = () => probe.state ?? {};

  /** What can be waited for. */
  const SHOWN = {
    drawn: (about) => document.querySelector(`[data-cell="${about.cell}"] .letter`)?.textContent === about.letter,
    listed,
    fillable: () => many("#fillable.yes, #fillable.no") > 0,
    /** Whether the grid is full again, with the letter of the key. */
    refilled: (about) => SHOWN.drawn(about) && SHOWN.fillable() && many(".letter:empty") === many(".block .letter:empty"),
    judged: () => listed() && many("#words [data-word]:not(.pending)") >= Math.min(100, rows()),
    sentence: () => (document.querySelector(".reasons p")?.textContent ?? "…") !== "…",
    minimal: () => state().explanation?.minimal && many("[role=gridcell].conflict") > 0,
    repair: () => many(".repairs button") > 0,
  };

  const probe = (window.probe = {
    /**
     * Tell when some things are shown after the next key, in milliseconds, if ever; `busy` is the work of the frame
     * after it.
     */
    begin(names, about) {
      const times = {};
      let pressed = null, busy = null;
      addEventListener("keydown", (event) => (pressed = event.timeStamp), { capture: true, once: true });
      const giveUp = performance.now() + PATIENCE_MS;
      probe.told = new Promise((resolve) => {
        const frame = () => {
          const begun = performance.now(), counts = pressed !== null;
          ends.push((now) => {
            if (counts) {
              busy ??= now - begun;
              for (const name of names) if (!(name in times) && SHOWN[name](about)) times[name] = now - pressed;
            }
            if (now > giveUp || names.every((name) => name in times)) resolve({ ...times, busy, rows: rows() });
            else requestAnimationFrame(frame);
          });
          channel.port2.postMessage(null);
        };
        requestAnimationFrame(frame);
      });
    },

    /** Have each cell and 100 rows drawn anew, and return how long that frame takes, layout and painting included. */
    async redraw(letter, verdict) {
      const { update } = await import("/store.js"), { puzzle } = probe.state;
      const words = Array.from({ length: 100 }, (_, at) => [letter.repeat(6) + at, at]);
      const verdicts = new Map(words.map(([word]) => [word, { word, verdict, witness: null }]));
      return new Promise((resolve) => {
        requestAnimationFrame(() => {
          const begun = performance.now();
          ends.push((now) => resolve(now - begun));
          channel.port2.postMessage(null);
        });
        update({ puzzle: { ...puzzle, cells: puzzle.cells.map(() => letter) }, candidates: { slot: "1-Across", words, verdicts, state: "done" } });
      });
    },

    /** The letters in sight, with one in its cell. */
    letters: (cell, letter) =>
      [...document.querySelectorAll("[data-cell] .letter")]
        .map((each) => (each.closest(`[data-cell="${cell}"]`) ? letter : each.textContent))
        .join(),

    state: null,
  });
  addEventListener("load", async () => {
    probe.state = (await import("/store.js")).state;
  });
}

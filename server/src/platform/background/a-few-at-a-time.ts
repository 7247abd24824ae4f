/** How many calls to an outside party run at a time. */
const atOnce = 4
/** After this time the rest is enqueued again, so that others have their turn. */
const turnMs = 40_000

/** Runs a few at a time, until all are done, time is up, or a whole group finds the outside party unreachable. */
export async function afewAtATime<Piece>(
  pieces: readonly Piece[],
  work: (piece: Piece) => Promise<boolean>,
): Promise<void> {
  const until = Date.now() + turnMs
  for (let from = 0; from < pieces.length && Date.now() < until; from += atOnce) {
    const goesOn = await Promise.all(pieces.slice(from, from + atOnce).map(work))
    if (!goesOn.includes(true)) return
  }
}

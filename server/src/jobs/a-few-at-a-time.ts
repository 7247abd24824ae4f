/** So many questions to an outside party at a time. */
const atOnce = 4
/** What is left after so long is asked for anew, so that others have their turn. */
const turnMs = 40_000

/** A few at a time, until all are done, time is up, or all of a few say that there is nobody to ask. */
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

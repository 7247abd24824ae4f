/** How many calls to an outside party run at a time. */
const atOnce = 4
/** After this time the rest is enqueued again, so that others have their turn. */
const turnMs = 40_000

/**
 * Calls an outside party for each piece, four at a time. `call` returns false if the party is unreachable. Ends early after 40 s, or
 * if all calls of a batch return false.
 */
export async function callInBatches<Piece>(
  pieces: readonly Piece[],
  call: (piece: Piece) => Promise<boolean>,
): Promise<void> {
  const until = Date.now() + turnMs
  for (let from = 0; from < pieces.length && Date.now() < until; from += atOnce) {
    const goesOn = await Promise.all(pieces.slice(from, from + atOnce).map(call))
    if (!goesOn.includes(true)) return
  }
}

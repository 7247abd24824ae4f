/** A line, or word of one that was longer than the limit and is left out. */
export type Line = { readonly text: string } | { readonly isTooLong: true }

/** Cuts pieces of text into lines. At most one line is in memory, and of a line that is too long only its limit. */
export async function* linesIn(pieces: AsyncIterable<string>, longest: number): AsyncGenerator<Line> {
  let rest = ''
  let isTooLong = false
  for await (const piece of pieces) {
    const [first = '', ...others] = piece.split('\n')
    const ends = [rest + first, ...others]
    rest = ends.pop() as string
    for (const text of ends) {
      yield isTooLong || text.length > longest ? { isTooLong: true } : { text }
      isTooLong = false
    }
    if (rest.length > longest) {
      isTooLong = true
      rest = ''
    }
  }
  if (isTooLong) yield { isTooLong: true }
  else if (rest !== '') yield { text: rest }
}

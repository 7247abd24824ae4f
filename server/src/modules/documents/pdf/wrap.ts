/** A piece of text that fits on one line, with its width. */
export interface Measured {
  readonly text: string
  readonly width: number
  /** whether the next line goes on with the same word */
  readonly isCut?: true
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** The text's lines as its writer broke them, with single blanks. */
const paragraphs = (text: string): string[] => text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim())

/** The text in lines of at most this width. A word that is wider than a line is cut. */
export function wrapText(text: string, width: number, measure: (text: string) => number): Measured[] {
  return paragraphs(text).flatMap((paragraph) => {
    const whole = measure(paragraph)
    return whole <= width ? [{ text: paragraph, width: whole }] : breakWords(paragraph.split(' '), width, measure)
  })
}

function breakWords(words: readonly string[], width: number, measure: (text: string) => number): Measured[] {
  const blank = measure(' ')
  const lines: Measured[] = []
  let line: Measured | undefined
  for (const word of words) {
    // With the blank behind it, as it will be drawn: what was measured once is then known to the font.
    const own = measure(`${word} `) - blank
    if (line && line.width + blank + own <= width) {
      line = { text: `${line.text} ${word}`, width: line.width + blank + own }
      continue
    }
    if (line) lines.push(line)
    const pieces: Measured[] = own <= width ? [{ text: word, width: own }] : cutWord(word, width, measure)
    line = pieces.pop()
    lines.push(...pieces.map((piece): Measured => ({ ...piece, isCut: true })))
  }
  return line ? [...lines, line] : lines
}

const cutAfter = /^(.+[-/.,_@:])./su

/** After a hyphen or the like where there is one. A letter that is wider than the line stands alone. */
function cutWord(word: string, width: number, measure: (text: string) => number): Measured[] {
  const pieces: Measured[] = []
  let piece = { text: '', width: 0 }
  for (const { segment } of graphemes.segment(word)) {
    const own = measure(segment)
    if (piece.text !== '' && piece.width + own > width) {
      const kept = cutAfter.exec(piece.text)?.[1] ?? piece.text
      const rest = piece.text.slice(kept.length)
      const restWidth = rest === '' ? 0 : measure(rest)
      pieces.push({ text: kept, width: piece.width - restWidth })
      piece = { text: rest, width: restWidth }
    }
    piece = { text: piece.text + segment, width: piece.width + own }
  }
  return [...pieces, piece]
}

/** The text on one line of at most this width, with an ellipsis where it does not fit. */
export function shorten(text: string, width: number, measure: (text: string) => number): Measured {
  const whole = paragraphs(text).join(' ')
  const wholeWidth = measure(whole)
  if (wholeWidth <= width) return { text: whole, width: wholeWidth }
  const [first] = cutWord(whole, width - measure('…'), measure)
  const shortened = `${(first as Measured).text.trimEnd()}…`
  return { text: shortened, width: measure(shortened) }
}

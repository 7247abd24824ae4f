/** A piece of text on one line, with its width. */
export interface MeasuredText {
  readonly text: string
  readonly width: number
  /** whether the next line continues the same word */
  readonly isCut?: true
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** The paragraphs of a text, with single spaces. A line never breaks at a single U+00A0. */
const paragraphs = (text: string): string[] =>
  text.split('\n').map((line) => line.replace(/\s+/g, (blank) => (blank === '\u00a0' ? blank : ' ')).trim())

/** Wraps a text into lines of at most this width. A word that is wider than a line is cut. */
export function wrapText(text: string, width: number, measure: (text: string) => number): MeasuredText[] {
  return paragraphs(text).flatMap((paragraph) => {
    const whole = measure(paragraph)
    return whole <= width ? [{ text: paragraph, width: whole }] : breakWords(paragraph.split(' '), width, measure)
  })
}

function breakWords(words: readonly string[], width: number, measure: (text: string) => number): MeasuredText[] {
  const blank = measure(' ')
  const lines: MeasuredText[] = []
  let line: MeasuredText | undefined
  for (const word of words) {
    // Measured with the space after it, as it is drawn: the font caches the result.
    const own = measure(`${word} `) - blank
    if (line && line.width + blank + own <= width) {
      line = { text: `${line.text} ${word}`, width: line.width + blank + own }
      continue
    }
    if (line) lines.push(line)
    const pieces: MeasuredText[] = own <= width ? [{ text: word, width: own }] : cutWord(word, width, measure)
    line = pieces.pop()
    lines.push(...pieces.map((piece): MeasuredText => ({ ...piece, isCut: true })))
  }
  return line ? [...lines, line] : lines
}

const cutAfter = /^(.+[-/.,_@:])./su

/** Cuts after a hyphen or similar if there is one. A letter that is wider than the line stands alone. */
function cutWord(word: string, width: number, measure: (text: string) => number): MeasuredText[] {
  const pieces: MeasuredText[] = []
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

/** One line of at most this width, with an ellipsis if it does not fit. */
export function shorten(text: string, width: number, measure: (text: string) => number): MeasuredText {
  const whole = paragraphs(text).join(' ')
  const wholeWidth = measure(whole)
  if (wholeWidth <= width) return { text: whole, width: wholeWidth }
  const [first] = cutWord(whole, width - measure('…'), measure)
  const shortened = `${(first as MeasuredText).text.trimEnd()}…`
  return { text: shortened, width: measure(shortened) }
}

interface Glyph {
  readonly id: number
  readonly codePoints: readonly number[]
  readonly advanceWidth: number
}

/** The positions of a text's glyphs. */
interface Layout {
  readonly glyphs: readonly Glyph[]
  readonly positions: readonly Readonly<Record<'xAdvance' | 'yAdvance' | 'xOffset' | 'yOffset', number>>[]
  readonly advanceWidth: number
}

/** The part of the library's font object that we use; it maps glyphs to letters in the file. */
interface EmbeddedFont {
  readonly font: {
    getGlyph(id: number, codePoints?: readonly number[]): Glyph
    glyphsForString(text: string): readonly Glyph[]
    layout(text: string, features?: unknown): Layout
  }
  readonly subset: { readonly glyphs: number[] }
  readonly widths: number[]
  readonly unicode: (readonly number[])[]
  readonly scale: number
  layoutCached(text: string): Layout
  layout(text: string): Layout
  encode(text: string): [string[], unknown]
}

/**
 * Prepares the current font for a script that joins and places its letters.
 *
 * The library shapes word by word, or, if features are requested, the whole text each time. Here the whole text is
 * shaped once.
 *
 * Such scripts draw several letters as one glyph with dots around it. The library stores only the first letter of
 * each glyph, so copied text would be wrong. Here a glyph is in the file once for each of its letters.
 */
export function joinLetters(doc: PDFKit.PDFDocument, isFromRight: boolean): void {
  const { _font: embedded } = doc as unknown as { readonly _font: EmbeddedFont }
  const { font } = embedded
  const shared = font.getGlyph.bind(font)
  font.getGlyph = (id, codePoints = []) => Object.create(shared(id, codePoints), { codePoints: { value: codePoints } })
  font.layout = placedOrPlain(font, isFromRight)
  embedded.layout = embedded.layoutCached
  const codes = new Map<string, number>()
  const codeOf = ({ id, codePoints, advanceWidth }: Glyph): string => {
    const key = [id, ...codePoints].join()
    let code = codes.get(key)
    if (code === undefined) {
      code = embedded.subset.glyphs.push(id) - 1
      embedded.widths[code] = advanceWidth * embedded.scale
      embedded.unicode[code] = codePoints
      codes.set(key, code)
    }
    return code.toString(16).padStart(4, '0')
  }
  embedded.encode = (text) => {
    const { glyphs, positions } = embedded.layout(text)
    return [(isFromRight ? withMarks(glyphs) : glyphs).map(codeOf), positions]
  }
}

/** Rare letters make the library fail on the font's rules; they are then drawn one after the other. */
function placedOrPlain(font: EmbeddedFont['font'], isFromRight: boolean): (text: string) => Layout {
  const placed = font.layout.bind(font)
  return (text) => {
    try {
      return placed(text)
    } catch {
      const letters = font.glyphsForString(text)
      const glyphs = isFromRight ? letters.toReversed() : letters
      return {
        glyphs,
        positions: glyphs.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 })),
        advanceWidth: glyphs.reduce((sum, glyph) => sum + glyph.advanceWidth, 0),
      }
    }
  }
}

const isMark = ({ codePoints }: Glyph): boolean =>
  codePoints.length > 0 && codePoints.every((code) => /\p{M}/u.test(String.fromCodePoint(code)))

/**
 * A mark above or below a letter has another height, so readers would put it on its own line. Right-to-left text is
 * in the file from left to right, with a mark before its letter. There the letter stands for both, and the mark for
 * nothing.
 */
function withMarks(glyphs: readonly Glyph[]): Glyph[] {
  let marks: readonly number[] = []
  return glyphs.map((glyph) => {
    const { id, advanceWidth, codePoints } = glyph
    if (isMark(glyph)) {
      marks = [...marks, ...codePoints]
      return { id, advanceWidth, codePoints: [] }
    }
    if (marks.length === 0 || codePoints.length === 0) return glyph
    const withTheirs = [...marks, ...codePoints]
    marks = []
    return { id, advanceWidth, codePoints: withTheirs }
  })
}

const hexOf = (text: string): string => Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('hex')

/**
 * What `put` draws stands for this text. Readers place the text at the position where the block ends, so the marker
 * is written inside the library's text block.
 */
export function meaning(doc: PDFKit.PDFDocument, written: string, put: () => void): void {
  const add = doc.addContent.bind(doc)
  doc.addContent = (words: string) => {
    if (words === 'ET') add('EMC')
    const added = add(words)
    if (words.endsWith(' Tf')) add(`/Span <</ActualText <${hexOf(written)}>>> BDC`)
    return added
  }
  put()
  Reflect.deleteProperty(doc, 'addContent')
}

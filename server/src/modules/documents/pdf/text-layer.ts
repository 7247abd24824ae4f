interface Glyph {
  readonly id: number
  readonly codePoints: readonly number[]
  readonly advanceWidth: number
}

/** What we know of the library's own font, which says in the file which sign stands for which letters. */
interface EmbeddedFont {
  readonly font: { getGlyph(id: number, codePoints?: readonly number[]): Glyph }
  readonly subset: { readonly glyphs: number[] }
  readonly widths: number[]
  readonly unicode: (readonly number[])[]
  readonly scale: number
  layout(text: string, features?: unknown): { readonly glyphs: readonly Glyph[]; readonly positions: unknown }
  encode(text: string, features?: unknown): [string[], unknown]
}

/**
 * Scripts that join their letters draw several of them by one sign and dots around it. The library remembers for each sign
 * only the first letter that it stood for, and whoever copies the text would get that one for all. Here a sign is in the file
 * once for each of its letters.
 */
export function tellLettersApart(doc: PDFKit.PDFDocument): void {
  const { _font: embedded } = doc as unknown as { readonly _font: EmbeddedFont }
  const { font } = embedded
  const shared = font.getGlyph.bind(font)
  font.getGlyph = (id, codePoints = []) => Object.create(shared(id, codePoints), { codePoints: { value: codePoints } })
  const codes = new Map<string, number>()
  const codeOf = ({ id, codePoints, advanceWidth }: Glyph): number => {
    const key = [id, ...codePoints].join()
    const known = codes.get(key)
    if (known !== undefined) return known
    const code = embedded.subset.glyphs.push(id) - 1
    embedded.widths[code] = advanceWidth * embedded.scale
    embedded.unicode[code] = codePoints
    codes.set(key, code)
    return code
  }
  embedded.encode = (text, features) => {
    const { glyphs, positions } = embedded.layout(text, features)
    return [glyphs.map((glyph) => codeOf(glyph).toString(16).padStart(4, '0')), positions]
  }
}

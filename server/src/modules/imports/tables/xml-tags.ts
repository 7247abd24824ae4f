/** A tag, with the text before it. */
export interface Tag {
  /** without its namespace: `row`, and `/row` for the closing tag */
  readonly name: string
  readonly attributes: string
  readonly isEmpty: boolean
  readonly textBefore: string
}

/** Reads a text once, from tag to tag. The text need not be well-formed: callers use the tags that they know. */
export function* tagsOf(xml: string): Generator<Tag> {
  for (let at = 0; at < xml.length; ) {
    const open = xml.indexOf('<', at)
    if (open === -1) return
    const close = xml.indexOf('>', open)
    if (close === -1) return
    const inside = xml.slice(open + 1, close)
    const name = /^\/?[^\s/]*/.exec(inside)?.[0] ?? ''
    yield {
      name: name.replace(/^(\/?)[^:]*:/, '$1'),
      attributes: inside.slice(name.length),
      isEmpty: inside.endsWith('/'),
      textBefore: xml.slice(at, open),
    }
    at = close + 1
  }
}

export function attributeOf({ attributes }: Tag, name: string): string | undefined {
  const found = new RegExp(`\\s(?:\\w+:)?${name}="([^"]*)"`).exec(attributes)?.[1]
  return found === undefined ? undefined : plainText(found)
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Only the predefined entities: others would need a declaration, and are ignored. */
export const plainText = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return named[String(name).toLowerCase()] as string
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff) ? String.fromCodePoint(point) : whole
  })

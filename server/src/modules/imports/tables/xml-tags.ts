/** A tag as it was met, with the text that stands before it. */
export interface Tag {
  /** without its namespace: `row`, and `/row` where it is closed */
  readonly name: string
  readonly attributes: string
  readonly isEmpty: boolean
  readonly textBefore: string
}

/** Goes through a text once, from tag to tag. It asks for nothing to be well-formed: whoever reads takes what they know. */
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

/** Only what every document may name: others would have to be declared, and are not looked for. */
export const plainText = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return named[String(name).toLowerCase()] as string
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff) ? String.fromCodePoint(point) : whole
  })

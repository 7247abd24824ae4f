import { XmlDocument, XmlElement } from 'libxml2-wasm'
import { atScale, parseDecimal } from '../../server/src/kernel/decimal.ts'

/** An element as it was read back: names carry the prefixes that the published rules use. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Element[]
  /** of an element without children */
  readonly text: string
}

const prefixes: Readonly<Record<string, string>> = {
  'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2': 'cac:',
  'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2': 'cbc:',
  'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2': '',
  'urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2': '',
}

function elementOf(node: XmlElement): Element {
  const prefix = prefixes[node.namespaceUri]
  if (prefix === undefined) throw new Error(`${node.name} is of no namespace of UBL`)
  const children: Element[] = []
  for (let child = node.firstChild; child !== null; child = child.next)
    if (child instanceof XmlElement) children.push(elementOf(child))
  return {
    name: `${prefix}${node.name}`,
    attributes: Object.fromEntries(node.attrs.map((attribute) => [attribute.name, attribute.value])),
    children,
    text: children.length === 0 ? node.content : '',
  }
}

/** Reads XML with a parser that is not ours; what is not well-formed throws. */
export function treeOf(xml: string): Element {
  const document = XmlDocument.fromString(xml)
  try {
    return elementOf(document.root)
  } finally {
    document.dispose()
  }
}

/** All elements at a path of names, in their order. */
export const all = (from: Element, path: string): readonly Element[] =>
  path
    .split('/')
    .reduce<readonly Element[]>(
      (found, name) => found.flatMap((e) => e.children.filter((c) => c.name === name)),
      [from],
    )

export const has = (from: Element, path: string): boolean => all(from, path).length > 0

export const text = (from: Element, path: string): string => all(from, path)[0]?.text ?? ''

const everythingIn = new WeakMap<Element, readonly Element[]>()

/** The element and everything in it; gathered once, as nearly every rule asks. */
export function within(from: Element): readonly Element[] {
  const known = everythingIn.get(from) ?? [from, ...from.children.flatMap(within)]
  everythingIn.set(from, known)
  return known
}

const scale = 12
/** One as the rules here count: exactly, in steps of 10^-12. */
export const one = 10n ** BigInt(scale)
export const cent = one / 100n

export function counted(spelled: string): bigint {
  const parsed = parseDecimal(spelled)
  const value = parsed && atScale(parsed, scale)
  if (value === undefined) throw new Error(`"${spelled}" is not a number as the rules count`)
  return value
}

export const value = (from: Element, path: string): bigint => counted(text(from, path))

export const sum = (values: readonly bigint[]): bigint => values.reduce((total, each) => total + each, 0n)

export const magnitude = (of: bigint): bigint => (of < 0n ? -of : of)

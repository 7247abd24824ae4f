import type { DocumentLine, DocumentParty, InvoiceDocument } from '../../../kernel/invoice-document.ts'
import type { Fault } from '../../../kernel/refusals.ts'
import { textLengths, type WrittenFields } from '../../../kernel/written-fields.ts'

declare module '../../../platform/operations/ports.ts' {
  interface Ports {
    /** the characters of a text that the PDF would draw as boxes, each once */
    readonly undrawable: (text: string) => readonly string[]
  }
}

/** How many of these characters the advice names. */
const mostNamed = 5

/** The texts of a document that people write. */
export type WrittenTexts = WrittenFields &
  Pick<InvoiceDocument, 'seller' | 'buyer' | 'reason'> & {
    readonly lines: readonly Pick<DocumentLine, 'itemName' | 'description'>[]
  }

/** Advice on the texts with letters that no font of ours has. */
export function adviceOnLetters(written: WrittenTexts, undrawable: (text: string) => readonly string[]): Fault[] {
  return textsOf(written).flatMap(([path, text]) => {
    const letters = text ? undrawable(text) : []
    if (letters.length === 0) return []
    const named = letters.slice(0, mostNamed).map((letter) => `${letter} (${codeOf(letter)})`)
    const more = letters.length > mostNamed ? ` and ${letters.length - mostNamed} more` : ''
    return [
      {
        path,
        rule: 'document.letters',
        message: `has characters that the PDF shows as boxes: ${named.join(', ')}${more}`,
      },
    ]
  })
}

const codeOf = (letter: string): string =>
  `U+${(letter.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`

type TextAtPath = readonly [path: string, text: string | null | undefined]

const textsOf = (written: WrittenTexts): TextAtPath[] => [
  ...textsOfParty('seller', written.seller),
  ...textsOfParty('buyer', written.buyer),
  ...textLengths.map(([name]): TextAtPath => [name, written[name]]),
  ['reason', written.reason],
  ...written.lines.flatMap(({ itemName, description }, index): TextAtPath[] => [
    [`lineItems[${index}].itemName`, itemName],
    [`lineItems[${index}].description`, description],
  ]),
]

const textsOfParty = (whose: 'seller' | 'buyer', party: DocumentParty | null): TextAtPath[] =>
  party
    ? [
        [`${whose}.name`, party.name],
        [`${whose}.legalName`, party.legalName],
        [`${whose}.tradingName`, party.tradingName],
        ...Object.entries(party.address ?? {}).map(([part, text]): TextAtPath => [`${whose}.address.${part}`, text]),
      ]
    : []

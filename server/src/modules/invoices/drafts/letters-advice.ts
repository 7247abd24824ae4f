import type { InvoiceDocument } from '../../../kernel/invoice-document.ts'
import type { Fault } from '../../../kernel/refusals.ts'

declare module '../../../platform/operations/ports.ts' {
  interface Ports {
    /** the characters of a text that will be boxes where the document is drawn, each once */
    readonly undrawable: (text: string) => readonly string[]
  }
}

/** What is named of a text that is full of them. */
const mostNamed = 5

/** The texts of a document that have letters which no font of ours draws. */
export function adviceOnLetters(document: InvoiceDocument, undrawable: (text: string) => readonly string[]): Fault[] {
  return textsOf(document).flatMap(([path, text]) => {
    const letters = text ? undrawable(text) : []
    if (letters.length === 0) return []
    const named = letters.slice(0, mostNamed).map((letter) => `${letter} (${codeOf(letter)})`)
    const more = letters.length > mostNamed ? ` and ${letters.length - mostNamed} more` : ''
    return [{ path, rule: 'document.letters', message: `will be boxes on the PDF: ${named.join(', ')}${more}` }]
  })
}

const codeOf = (letter: string): string =>
  `U+${(letter.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`

function textsOf(document: InvoiceDocument): (readonly [path: string, text: string | null])[] {
  const { seller, buyer, lines, notes, paymentTerms, purchaseOrderReference, buyerReference, accountingCost } = document
  return [
    ['seller.name', seller?.name ?? null],
    ['buyer.name', buyer?.name ?? null],
    ['notes', notes],
    ['paymentTerms', paymentTerms],
    ['purchaseOrderReference', purchaseOrderReference],
    ['buyerReference', buyerReference],
    ['accountingCost', accountingCost],
    ...lines.flatMap(({ itemName, description }, index) => [
      [`lineItems[${index}].itemName`, itemName] as const,
      [`lineItems[${index}].description`, description] as const,
    ]),
  ]
}

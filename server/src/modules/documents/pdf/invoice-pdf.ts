import type { DocumentWords } from '../../../kernel/document-words.ts'
import type { OverduePart } from '../../../kernel/instalments.ts'
import type { InvoiceDocument, Letterhead } from '../../../kernel/invoice-document.ts'
import { drawClosing } from './closing.ts'
import { loadFallbackFont } from './fallback-fonts.ts'
import { drawHead } from './head.ts'
import { drawLines } from './line-table.ts'
import { drawableLogo } from './logo.ts'
import { Sheet, type SheetFacts } from './sheet.ts'
import { watermarkOf } from './wording.ts'

/** Further contents of a file. */
export interface PdfExtras {
  /** what was due before the day of the drawing; absent if nothing was */
  readonly overdue?: OverduePart | undefined
  /** the same document in UBL, to attach */
  readonly xml?: string
}

/** The first round shows which fonts a document needs. Other line breaks in the second one may add a font. */
const mostRounds = 10

/**
 * Draws an invoice or note as PDF. The same input always gives the same bytes, because a download link promises their
 * hash.
 */
export async function drawInvoice(
  document: InvoiceDocument,
  letterhead: Letterhead,
  words: DocumentWords,
  { overdue, xml }: PdfExtras = {},
): Promise<Buffer> {
  const { number, seller, buyer, authorityReference, issueDate, issueTime } = document
  const { wording } = words
  const name = wording.labelled(wording.titleOf(document), number)
  const facts = {
    wording,
    title: name,
    author: seller?.name ?? '',
    subject: buyer ? wording.say('document.for_buyer', { document: name, buyer: buyer.name }) : name,
    date: new Date(`${issueDate}T${issueTime ?? '00:00:00'}Z`),
    running: [name, seller?.name ?? ''],
    foot: wording.join([name, authorityReference && wording.labelled(words.referenceName, authorityReference)]),
    watermark: watermarkOf(document, wording),
    ...(xml !== undefined && { xml }),
  } satisfies SheetFacts
  return await drawSheet(facts, (sheet) => {
    drawHead({ sheet, words }, document, drawableLogo(letterhead.logo), overdue)
    drawLines(sheet, document, words)
    drawClosing(sheet, document, letterhead, words, overdue)
  })
}

/** Draws again until all fonts are loaded that the document needs. */
export async function drawSheet(facts: SheetFacts, drawOn: (sheet: Sheet) => void): Promise<Buffer> {
  const draw = (fonts: ReadonlyMap<string, Buffer>) => {
    const sheet = new Sheet(facts, fonts)
    drawOn(sheet)
    return { bytes: sheet.finish(), missing: sheet.missing }
  }
  const fonts = new Map<string, Buffer>()
  for (let round = 0; round < mostRounds; round++) {
    const { bytes, missing } = draw(fonts)
    if (missing.size === 0) return await bytes
    for (const [key, [font, weight]] of missing) fonts.set(key, await loadFallbackFont(font, weight))
  }
  throw new Error(`a document needed further fonts after ${mostRounds} rounds`)
}

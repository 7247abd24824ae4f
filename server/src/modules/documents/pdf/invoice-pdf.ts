import type { DocumentWords } from '../../../kernel/document-words.ts'
import { titleOf } from '../../../kernel/document-words.ts'
import type { InvoiceDocument, Letterhead } from '../../../kernel/invoice-document.ts'
import { drawClosing } from './closing.ts'
import { drawHead } from './head.ts'
import { drawLines } from './line-table.ts'
import { drawableLogo } from './logo.ts'
import { Sheet } from './sheet.ts'
import { watermarkOf } from './wording.ts'

/** Further contents of a file. */
export interface PdfExtras {
  /** whether the due date has passed without payment */
  readonly isOverdue?: boolean
  /** the same document in UBL, to attach */
  readonly xml?: string
}

/**
 * Draws an invoice or note as PDF. The same input always gives the same bytes, because a download link promises their
 * hash.
 */
export function drawInvoice(
  document: InvoiceDocument,
  letterhead: Letterhead,
  words: DocumentWords,
  { isOverdue = false, xml }: PdfExtras = {},
): Promise<Buffer> {
  const { number, seller, buyer, authorityReference, issueDate, issueTime } = document
  const name = `${titleOf(document)} ${number}`.trim()
  const sheet = new Sheet({
    title: name,
    author: seller?.name ?? '',
    subject: buyer ? `${name} for ${buyer.name}` : name,
    date: new Date(`${issueDate}T${issueTime ?? '00:00:00'}Z`),
    running: [name, seller?.name ?? ''],
    foot: authorityReference ? `${name} · IRN ${authorityReference}` : name,
    watermark: watermarkOf(document),
    ...(xml !== undefined && { xml }),
  })
  drawHead(sheet, document, drawableLogo(letterhead.logo), isOverdue)
  drawLines(sheet, document, words)
  drawClosing(sheet, document, letterhead, words, isOverdue)
  return sheet.finish()
}

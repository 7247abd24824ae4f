import { drawInvoice } from './pdf/invoice-pdf.ts'
import type { WholeDocument } from './read-document.ts'
import { ublOf } from './ubl/ubl.ts'

export const documentFormats = ['pdf', 'xml'] as const
export type DocumentFormat = (typeof documentFormats)[number]

export interface Rendered {
  readonly bytes: Buffer
  readonly contentType: string
  readonly fileName: string
}

/** The same bytes for the same document, whenever they are asked for. */
export async function rendered(whole: WholeDocument, format: DocumentFormat): Promise<Rendered> {
  const { document, letterhead, words, jurisdiction } = whole
  const fileName = `${document.number.replace(/[^A-Za-z0-9_-]+/g, '-')}.${format}`
  if (format === 'pdf')
    return { bytes: await drawInvoice(document, letterhead, words), contentType: 'application/pdf', fileName }
  const xml = ublOf(document, jurisdiction.ublRules, letterhead)
  return { bytes: Buffer.from(xml), contentType: 'application/xml', fileName }
}

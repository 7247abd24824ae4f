import { createHash } from 'node:crypto'
import type { DocumentWords } from '../../kernel/document-words.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { InvoiceDocument, Letterhead } from '../../kernel/invoice-document.ts'
import type { Language } from '../../kernel/languages/languages.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Ports } from '../../platform/operations/ports.ts'
import type { GoneSignal } from '../../platform/threads/threads.ts'
import { drawingOrder } from './drawing/drawing-order.ts'
import type { RenderedFile } from './rendering.ts'
import { wordsOf } from './words.ts'

/** A quote or proforma invoice as its reader sees it. */
export interface OfferedDocument {
  readonly document: InvoiceDocument
  readonly letterhead: Letterhead
  readonly words: DocumentWords
}

/** Words for the reader, and the time zone of the seller. */
export function wordsIn(ports: Ports, country: string, language: Language) {
  const jurisdiction = ports.jurisdictions.of(country)
  if (!jurisdiction) throw refuse('jurisdiction.unsupported')
  return { words: wordsOf(ports.codeLists, jurisdiction, language), zone: jurisdiction.zone }
}

const printable = (_: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Map ? [...value] : value
}

/** Drawn again only if something that it shows has changed. */
export async function offerPdf(
  { ports, gone }: { readonly ports: Ports; readonly gone?: GoneSignal | undefined },
  organisationId: OrganisationId,
  { document, letterhead, words }: OfferedDocument,
): Promise<RenderedFile> {
  const order = drawingOrder(document, letterhead, words)
  const state = createHash('sha256').update(JSON.stringify(order, printable)).digest('hex')
  const file = await ports.drawer.pdf(`${organisationId} quote ${state}`, organisationId, async () => order, gone)
  return { ...file, contentType: 'application/pdf', fileName: `${document.number}.pdf` }
}

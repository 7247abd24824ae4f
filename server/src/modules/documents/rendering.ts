import { businessDay } from '../../kernel/days.ts'
import { overduePart } from '../../kernel/instalments.ts'
import type { Language } from '../../kernel/languages/languages.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Ports } from '../../platform/operations/ports.ts'
import type { GoneSignal } from '../../platform/threads/threads.ts'
import { derivedStatuses } from '../invoices/index.ts'
import { type DocumentState, findDocumentState } from './documents.store.ts'
import { drawingOrder } from './drawing/drawing-order.ts'
import { type DocumentRef, wholeDocument } from './read-document.ts'
import { ublOf } from './ubl/ubl.ts'

/** `pdf-a3` is the PDF for archives and programs, with the XML inside. */
export const documentFormats = ['pdf', 'xml', 'pdf-a3'] as const
export type DocumentFormat = (typeof documentFormats)[number]

export interface RenderedFile {
  readonly bytes: Buffer
  readonly sha256: string
  readonly contentType: string
  readonly fileName: string
}

interface Sources {
  readonly db: Queryable
  readonly ports: Ports
  nowOf(tenant: Tenant): Promise<Date>
  /** throws once no caller waits for the file */
  readonly gone?: GoneSignal | undefined
}

export async function documentState({ db }: Sources, ref: DocumentRef): Promise<DocumentState> {
  const found = await findDocumentState(db, ref, ref.id)
  if (!found) throw refuse('resource.not_found')
  return found
}

/** The cache key of a file. Names of codes are part of the document's state. */
export const keptUnder = (
  { ports }: Sources,
  { organisationId, mode, id }: DocumentRef,
  { country, state }: DocumentState,
  ...which: readonly string[]
): string => [organisationId, mode, id, state, ports.codeLists.tag(country), ...which].join(' ')

/**
 * The same document gives the same bytes. Files of a state are cached; the document is read only when a file must be
 * made. After each due date a document says that it is overdue, which makes it another one, as does another language. UBL
 * is written in the main thread: five hundred lines take a few milliseconds.
 */
export async function rendered(
  sources: Sources,
  ref: DocumentRef,
  state: DocumentState,
  format: DocumentFormat,
  language: Language = state.language,
): Promise<RenderedFile> {
  const { drawer, jurisdictions } = sources.ports
  const zone = jurisdictions.of(state.country)?.zone
  if (zone === undefined) throw refuse('jurisdiction.unsupported')
  const today = businessDay(await sources.nowOf(ref), zone)
  const passed = state.dueDates.filter((day) => day < today).length
  const variant = format === 'xml' ? [] : [language, ...(passed > 0 ? [`late ${passed}`] : [])]
  const key = keptUnder(sources, ref, state, format, ...variant)
  const fileName = `${state.number.replace(/[^A-Za-z0-9_-]+/g, '-')}.${format === 'xml' ? 'xml' : 'pdf'}`
  if (format === 'xml') {
    const file = await drawer.text(key, async () => {
      const { document, letterhead, jurisdiction } = await wholeDocument(sources, ref, language)
      return ublOf(document, jurisdiction.ublRules, letterhead)
    })
    return { ...file, contentType: 'application/xml', fileName }
  }
  const order = async () => {
    const { invoice, document, letterhead, words, jurisdiction } = await wholeDocument(sources, ref, language)
    return drawingOrder(document, letterhead, words, {
      overdue: derivedStatuses.isOwed(invoice)
        ? overduePart(derivedStatuses.openInstalmentsOf(invoice), today)
        : undefined,
      ...(format === 'pdf-a3' && { xml: ublOf(document, jurisdiction.ublRules, letterhead) }),
    })
  }
  const file = await drawer.pdf(key, ref.organisationId, order, sources.gone)
  return { ...file, contentType: 'application/pdf', fileName }
}

/** A file of the current document, in the buyer's language if none is given. */
export const renderedNow = async (
  sources: Sources,
  ref: DocumentRef,
  format: DocumentFormat,
  language?: Language,
): Promise<RenderedFile> => await rendered(sources, ref, await documentState(sources, ref), format, language)

import type { DocumentWords } from '../../kernel/document-words.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { InvoiceDocument, Letterhead } from '../../kernel/invoice-document.ts'
import type { Language } from '../../kernel/languages/languages.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Mode } from '../../kernel/tenant.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Ports } from '../../platform/operations/ports.ts'
import { type Invoice, type InvoiceId, readDocument } from '../invoices/index.ts'
import { findOrganisation, letterheads } from '../organisations/index.ts'
import { wordsOf } from './words.ts'

/** Everything that is needed to draw or write a document. */
export interface WholeDocument {
  readonly invoice: Invoice
  readonly document: InvoiceDocument
  readonly letterhead: Letterhead
  readonly words: DocumentWords
  readonly jurisdiction: NonNullable<ReturnType<Ports['jurisdictions']['of']>>
}

export interface DocumentRef {
  readonly organisationId: OrganisationId
  readonly mode: Mode
  readonly id: InvoiceId
}

export async function wholeDocument(
  { db, ports }: { readonly db: Queryable; readonly ports: Ports },
  { organisationId, mode, id }: DocumentRef,
  language: Language,
): Promise<WholeDocument> {
  const found = await readDocument(db, { organisationId, mode }, id)
  if (!found) throw refuse('resource.not_found')
  const organisation = await findOrganisation(db, organisationId)
  const jurisdiction = organisation && ports.jurisdictions.of(organisation.country)
  if (!jurisdiction) throw refuse('jurisdiction.unsupported')
  const letterhead = await letterheads.getLetterheadOfDocument(db, organisationId, found.invoice.letterheadCopy)
  return { ...found, letterhead, jurisdiction, words: wordsOf(ports.codeLists, jurisdiction, language) }
}

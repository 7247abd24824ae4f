import type { TokenCaller } from '../../../kernel/callers.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../../platform/operations/operation.ts'
import {
  type AuthorityStatus,
  askAbout,
  type FetchedDocument,
  fetchDocument,
  openAuthority,
} from '../feeds/ask-authority.ts'
import type { ReceivedInvoiceId } from '../received-invoice.ts'
import { findReceivedById, findReceivedByReference, type ReceivedWithDocument } from '../received-invoices.store.ts'
import { isAddressed, keepDocument } from '../receiving/keep-document.ts'
import { type FeedState, feedStateOf, ownTaxIds, todayOf } from '../receiving/sync.ts'

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

type ReceivedSource =
  | { readonly kind: 'held'; readonly held: ReceivedWithDocument }
  | { readonly kind: 'fetched'; readonly fetched: FetchedDocument; readonly status: AuthorityStatus }

/** Takes our id or the authority reference. */
const findHeld = ({ db, caller: { tenant } }: Outside<TokenCaller>, id: string) =>
  uuid.test(id)
    ? findReceivedById(db, tenant, id as ReceivedInvoiceId)
    : findReceivedByReference(db, tenant, id.toUpperCase())

const away = () => refuse('inbound.unavailable', { retryAfterSeconds: 30 })

/** Asks the authority for a document that we do not have: it may have been sent and not arrived yet. */
async function askForIt(
  context: Outside<TokenCaller>,
  reference: string,
  feedState: FeedState,
): Promise<ReceivedSource> {
  const { feed, connection, sync } = feedState
  // An unknown id means not found. While the feed fails, nobody can tell, so the reply is 503.
  if (!feed || uuid.test(reference)) throw sync.error === null ? refuse('resource.not_found') : away()
  const access = await openAuthority(context, feed)
  if (!access) throw refuse('resource.not_found')
  if (!access.authority) throw away()
  const fetched = await fetchDocument({ ...access, authority: access.authority }, reference.toUpperCase())
  if (fetched.kind === 'unclear') throw away()
  if (fetched.kind !== 'fetched') throw refuse('resource.not_found')
  // Our keys decrypt documents of other organisations too, so the buyer is checked.
  const own = await ownTaxIds(context.db, context.caller, connection)
  const { copy } = fetched
  if (!isAddressed(copy) || !own.includes(copy.buyer.taxIdNormal)) throw refuse('resource.not_found')
  const status = await askAbout(access.authority, copy)
  if (status.kind !== 'known') throw away()
  return { kind: 'fetched', fetched, status: status }
}

export interface ReceivedDetail {
  readonly invoice: ReceivedWithDocument
  readonly today: string
}

/** A stored document is read from our records only. */
export const getReceivedInvoice = preparedOperation(
  { needs: ['invoice.inbound.read'], refuses: ['resource.not_found', 'inbound.unavailable'] },
  async (context: Outside<TokenCaller>, { id }: { id: string }): Promise<ReceivedSource> => {
    const held = await findHeld(context, id)
    return held ? { kind: 'held', held } : await askForIt(context, id, await feedStateOf(context))
  },
  async (context: Inside<TokenCaller>, _input, found): Promise<ReceivedDetail> => {
    const { tx, caller, ports, now } = context
    const country = caller.country ?? ''
    const { today } = todayOf(ports.jurisdictions.of(country), now)
    if (found.kind === 'held') return { invoice: found.held, today }
    const { copy, document } = found.fetched
    if (!isAddressed(copy)) throw refuse('resource.not_found')
    await keepDocument(context, caller.tenant, country, { copy, document }, found.status)
    const kept = await findReceivedByReference(tx, caller.tenant, copy.reference)
    // The same document is stored under another reference.
    if (!kept) throw refuse('resource.not_found')
    return { invoice: kept, today }
  },
)

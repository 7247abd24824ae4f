import type { TokenCaller } from '../../../kernel/callers.ts'
import { businessDay } from '../../../kernel/days.ts'
import { refuse } from '../../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../../platform/operations/operation.ts'
import {
  type AuthorityStatus,
  askAbout,
  type FetchedDocument,
  type FetchFailure,
  fetchDocument,
  inTime,
  openAuthority,
} from '../feeds/ask-authority.ts'
import { type Feed, nextTry } from '../feeds/feed.ts'
import { filterUnseen, saveReferenceDone, saveReferenceLater } from '../feeds/feeds.store.ts'
import { receiversOf } from './follow-feed.ts'
import { arrive, isAddressed, keepDocument } from './keep-document.ts'
import { feedStateOf } from './sync.ts'

/** Documents fetched per request. With its lookups, a request makes at most 31 calls. */
const pageSize = 10
const atOnce = 5
/** Time limit of a request. The next page takes the rest. */
const patienceMs = 15_000
const yearsBack = 10

interface LookupResult {
  readonly reference: string
  readonly fetched: FetchedDocument | FetchFailure
  readonly status: AuthorityStatus | undefined
}

interface OlderInvoices {
  readonly feed: Feed
  readonly looked: readonly LookupResult[]
  /** References that are not processed yet. */
  readonly left: number
  /** The last calls all failed, so the authority counts as unavailable. */
  readonly isAway: boolean
}

const away = () => refuse('inbound.unavailable', { retryAfterSeconds: 30 })

/**
 * Loads one page of documents sent before we followed the feed, acknowledged or not. Documents for other tenants with
 * the same keys are stored for them. Unreadable ones are retried in the background, so that every request makes
 * progress.
 */
export const loadOlderReceived = preparedOperation(
  { needs: ['invoice.inbound.read'], refuses: ['inbound.unavailable', 'authority.not_connected'], inTurn: true },
  async (context: Outside<TokenCaller>, _: undefined): Promise<OlderInvoices> => {
    const { db, realNow: now } = context
    const { feed, connection } = await feedStateOf(context)
    if (!feed || !connection) throw refuse('authority.not_connected')
    const access = await openAuthority(context, feed)
    if (!access?.authority) throw away()
    const { authority, jurisdiction } = access
    const dayOf = (at: Date) => businessDay(at, jurisdiction.zone)
    const since = new Date(now)
    since.setUTCFullYear(since.getUTCFullYear() - yearsBack)
    if (!authority.pull) throw away()
    const answer = await authority.pull({ from: dayOf(since), to: dayOf(now), acknowledged: true }, inTime())
    if (answer.kind !== 'pulled') throw away()
    const unseen = await filterUnseen(
      db,
      feed,
      answer.references.map((reference) => reference.toUpperCase()),
    )
    const page = unseen.slice(0, pageSize)
    const looked: LookupResult[] = []
    const until = Date.now() + patienceMs
    let isAway = false
    for (let from = 0; from < page.length && !isAway && Date.now() < until; from += atOnce) {
      const some = await Promise.all(
        page.slice(from, from + atOnce).map(async (reference): Promise<LookupResult> => {
          const fetched = await fetchDocument({ jurisdiction, authority }, reference)
          if (fetched.kind !== 'fetched') return { reference, fetched, status: undefined }
          const isOwn = isAddressed(fetched.copy) && fetched.copy.buyer.taxIdNormal === connection.taxIdNormal
          const status = isOwn ? await askAbout(authority, fetched.copy) : undefined
          return { reference, fetched, status: status?.kind === 'known' ? status : undefined }
        }),
      )
      looked.push(...some)
      isAway = some.every(({ fetched }) => fetched.kind !== 'fetched' && fetched.countsAgainstHealth)
    }
    return { feed, looked, left: unseen.length - looked.length, isAway }
  },
  async (context: Inside<TokenCaller>, _input, { feed, looked, left, isAway }) => {
    const { tx, caller, realNow: now } = context
    let loaded = 0
    for (const { reference, fetched, status } of looked) {
      if (fetched.kind !== 'fetched') {
        const problem = fetched.kind === 'unclear' ? null : fetched.why
        await saveReferenceLater(tx, feed, reference, { dueAt: nextTry(now, 0), problem, now })
        continue
      }
      const { copy, document } = fetched
      const buyer = isAddressed(copy) ? copy.buyer.taxIdNormal : null
      await saveReferenceDone(tx, feed, copy.reference, buyer, now)
      if (buyer === null || !isAddressed(copy)) continue
      for (const tenant of await receiversOf(context, feed, buyer))
        if (status && tenant.organisationId === caller.tenant.organisationId) {
          await keepDocument(context, tenant, feed.country, { copy, document }, status)
          loaded++
        } else await arrive(context, tenant, fetched)
    }
    // Documents that were processed before the outage are saved anyway.
    return isAway ? away() : { loaded, hasMore: left > 0 }
  },
)

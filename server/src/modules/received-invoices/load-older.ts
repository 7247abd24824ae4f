import type { TokenCaller } from '../../kernel/callers.ts'
import { businessDay } from '../../kernel/days.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Inside, type Outside, preparedOperation } from '../../platform/operations/operation.ts'
import { askAbout, type Fetched, fetchDocument, inTime, openDoor, type Told } from './ask-authority.ts'
import type { Feed } from './feed.ts'
import { filterUnseen, saveReferenceDone } from './feeds.store.ts'
import { receiversOf } from './follow-feed.ts'
import { arrive, isAddressed, keepDocument } from './keep-document.ts'
import { standingOf } from './sync.ts'

/** A page: so many documents are fetched while somebody waits for it. */
const pageSize = 25
const atOnce = 5
/** So long it may take; what is left then is the next page's. */
const patienceMs = 15_000
const yearsBack = 10

interface Older {
  readonly feed: Feed
  readonly documents: readonly { readonly fetched: Fetched; readonly told: Told | undefined }[]
  readonly left: number
}

const away = () => refuse('inbound.unavailable', { retryAfterSeconds: 30 })

/**
 * Reads one more page of what was sent before we followed the feed, acknowledged or not. What is for others of those whom the same keys
 * serve is put before their doors.
 */
export const loadOlderReceived = preparedOperation(
  { needs: ['invoice.inbound.read'], refuses: ['inbound.unavailable', 'authority.not_connected'] },
  async (context: Outside<TokenCaller>, _: undefined): Promise<Older> => {
    const { db, now, caller } = context
    const { feed, connection } = await standingOf(context)
    if (!feed || !connection) throw refuse('authority.not_connected')
    const door = await openDoor(context, feed)
    if (!door?.authority) throw away()
    const { authority, jurisdiction } = door
    const dayOf = (at: Date) => businessDay(at, jurisdiction.zone)
    const since = new Date(now)
    since.setUTCFullYear(since.getUTCFullYear() - yearsBack)
    const answer = await authority.pull({ from: dayOf(since), to: dayOf(now), acknowledged: true }, inTime())
    if (answer.kind !== 'pulled') throw away()
    const unseen = await filterUnseen(
      db,
      feed,
      answer.references.map((reference) => reference.toUpperCase()),
    )
    const page = unseen.slice(0, pageSize)
    const documents: { fetched: Fetched; told: Told | undefined }[] = []
    const until = Date.now() + patienceMs
    for (let from = 0; from < page.length && Date.now() < until; from += atOnce) {
      const some = await Promise.all(
        page.slice(from, from + atOnce).map(async (reference) => {
          const fetched = await fetchDocument({ jurisdiction, authority }, reference)
          if (fetched.kind !== 'fetched') return fetched
          const isOwn = isAddressed(fetched.copy) && fetched.copy.buyer.taxIdNormal === connection.taxIdNormal
          const told = isOwn ? await askAbout(authority, fetched.copy) : undefined
          return { fetched, told: told?.kind === 'told' ? told : undefined }
        }),
      )
      documents.push(...some.filter((one) => 'fetched' in one))
      if (some.every((one) => 'kind' in one && one.countsAgainstHealth)) throw away()
    }
    if (page.length > 0 && documents.length === 0)
      context.log.warn('received.none_readable', { organisationId: caller.tenant.organisationId })
    return { feed, documents, left: unseen.length - page.length }
  },
  async (context: Inside<TokenCaller>, _input, { feed, documents, left }) => {
    const { tx, caller, now } = context
    for (const { fetched, told } of documents) {
      const { copy, document } = fetched
      const buyer = isAddressed(copy) ? copy.buyer.taxIdNormal : null
      await saveReferenceDone(tx, feed, copy.reference, buyer, now)
      if (buyer === null || !isAddressed(copy)) continue
      for (const tenant of await receiversOf(context, feed, buyer))
        if (told && tenant.organisationId === caller.tenant.organisationId)
          await keepDocument(context, tenant, feed.country, { copy, document }, told)
        else await arrive(context, tenant, fetched)
    }
    return { loaded: documents.filter(({ told }) => told).length, hasMore: left > 0 }
  },
)

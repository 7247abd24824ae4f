import type { TokenCaller } from '../../../kernel/callers.ts'
import type { OrganisationId } from '../../../kernel/ids.ts'
import type { Mode, Tenant } from '../../../kernel/tenant.ts'
import { job, jobOn } from '../../../platform/jobs/jobs.ts'
import type { Connection } from '../../tax-connection/index.ts'

/** What one pair of keys can see at the authority. */
export interface Feed {
  readonly country: string
  readonly mode: Mode
  /** `installation`, or the id of the connection that owns the keys. */
  readonly access: string
  /** The owner of the keys, if they are an organisation's own. */
  readonly organisationId?: OrganisationId
}

export const installation = 'installation'

/** The feed of a connection: that of its own keys, or of this installation's keys. */
export const feedOf = (
  country: string,
  { tenant }: Pick<TokenCaller, 'tenant'>,
  { id, sealedCredentials }: Pick<Connection, 'id' | 'sealedCredentials'>,
): Feed =>
  sealedCredentials === null
    ? { country, mode: tenant.mode, access: installation }
    : { country, mode: tenant.mode, access: id, organisationId: tenant.organisationId }

export const keyOfFeed = ({ country, mode, access }: Feed): string => `${country} ${mode} ${access}`
export const keyOfTenant = ({ organisationId, mode }: Tenant): string => `${organisationId} ${mode}`

/** Reads the references of a feed and fetches new documents. One job per feed at a time. */
export const followFeedJob = job<Feed>('follow-feed', 'received', { maxAttempts: 5 })
/** Looks up, validates and stores fetched documents. One job per tenant at a time. */
export const receiveInvoicesJob = job<Tenant>('receive-invoices', 'received', { maxAttempts: 5 })
/** Confirms receipt to the senders. One job per tenant at a time. A document that cannot be stored does not stop it. */
export const acknowledgeInvoicesJob = job<Tenant>('acknowledge-invoices', 'received', { maxAttempts: 5 })
/** Asks the authority again for payment statuses. One job per tenant at a time. */
export const checkPaymentsJob = job<Tenant>('check-received-payments', 'received', { maxAttempts: 5 })
/** A newly connected tenant may have been sent documents before. */
export const followNewcomerJob = jobOn('follow-newcomer', 'received', ['tax_connection.connected'])

/** Documents of a feed fetched per job, so that other feeds get a turn. */
export const fetchedAtOnce = 50
/** Fetched documents of one tenant stored per job. */
export const keptAtOnce = 10

const minute = 60_000
const longestWaitMs = 6 * 60 * minute

/** Each attempt follows at a growing interval. */
export const nextTry = (now: Date, tries: number): Date =>
  new Date(now.getTime() + Math.min(minute * 2 ** Math.min(tries, 20), longestWaitMs))

const hour = 60 * minute
const dayMs = 24 * hour
/** The first check after receipt. Each interval is twice the previous one, up to 30 days. */
const firstPaymentCheckMs = 6 * hour
const longestPaymentWaitMs = 30 * dayMs
/** How long a payment status is followed after receipt. Later changes arrive by callbacks only. */
export const paymentFollowedMs = 400 * dayMs
/** A callback is not trusted, so it causes at most one question in this time. */
export const paymentRestMs = minute

export const nextPaymentCheck = (now: Date, checks: number): Date =>
  new Date(now.getTime() + Math.min(firstPaymentCheckMs * 2 ** Math.min(checks, 20), longestPaymentWaitMs))

import type { OrganisationId } from '../../kernel/ids.ts'
import type { Mode, Tenant } from '../../kernel/tenant.ts'
import { job, jobOn } from '../../platform/work/jobs.ts'

/** What one pair of keys may see at the authority. */
export interface Feed {
  readonly country: string
  readonly mode: Mode
  /** `installation`, or the connection whose own keys they are */
  readonly access: string
  /** whose keys they are, where they are an organisation's own */
  readonly organisationId?: OrganisationId
}

export const keyOfFeed = ({ country, mode, access }: Feed): string => `${country} ${mode} ${access}`
export const keyOfTenant = ({ organisationId, mode }: Tenant): string => `${organisationId} ${mode}`

/** Reads what a feed names, and fetches what is new. Of one feed there is one at a time. */
export const followFeedJob = job<Feed>('follow-feed', 'received', { maxAttempts: 5 })
/** Looks up, judges and keeps what was fetched for a tenant. One per tenant at a time. */
export const receiveInvoicesJob = job<Tenant>('receive-invoices', 'received', { maxAttempts: 5 })
/** Tells senders that their documents arrived. One per tenant at a time; a document that cannot be kept does not hold it up. */
export const acknowledgeInvoicesJob = job<Tenant>('acknowledge-invoices', 'received', { maxAttempts: 5 })
/** Asks the authority again for the payment status of received invoices. One per tenant at a time. */
export const checkPaymentsJob = job<Tenant>('check-received-payments', 'received', { maxAttempts: 5 })
/** A newcomer may have been sent something before they came. */
export const followNewcomerJob = jobOn('follow-newcomer', 'received', ['tax_connection.connected'])

/** So many of what a feed names are fetched in one go; then it is another's turn. */
export const fetchedAtOnce = 50
/** So many fetched documents of one tenant are kept in one go. */
export const keptAtOnce = 10

const minute = 60_000
const longestWaitMs = 6 * 60 * minute

/** What could not be read is tried again, later and later. */
export const nextTry = (now: Date, tries: number): Date =>
  new Date(now.getTime() + Math.min(minute * 2 ** Math.min(tries, 20), longestWaitMs))

const hour = 60 * minute
const dayMs = 24 * hour
/** From the first check after receipt on, each interval is twice the one before, up to this. */
const firstPaymentCheckMs = 6 * hour
const longestPaymentWaitMs = 30 * dayMs
/** A payment status is followed for so long after receipt; later changes are heard of by callbacks alone. */
export const paymentFollowedMs = 400 * dayMs
/** A callback about a document is not believed, so it causes at most one question in this time. */
export const paymentRestMs = minute

export const nextPaymentCheck = (now: Date, checks: number): Date =>
  new Date(now.getTime() + Math.min(firstPaymentCheckMs * 2 ** Math.min(checks, 20), longestPaymentWaitMs))

import {
  type Authority,
  type AuthorityCopy,
  AuthorityUnavailable,
  type Jurisdiction,
  type ReportedPaymentStatus,
} from '../../../jurisdictions/port.ts'
import type { Caller } from '../../../kernel/callers.ts'
import type { Outside } from '../../../platform/operations/operation.ts'
import { credentialsOf, findConnection, isConnected } from '../../tax-connection/index.ts'
import { type Feed, installation } from './feed.ts'

/** Limit for one call to the authority. A slower call is repeated later. */
const answerMs = 15_000
export const inTime = (): AbortSignal => AbortSignal.timeout(answerMs)

/** The authority with the keys of a feed. */
export interface AuthorityAccess {
  readonly jurisdiction: Jurisdiction
  /** Undefined if this installation has no access. */
  readonly authority: Authority | undefined
}

/** Returns undefined if the keys of the feed are no longer in use. */
export async function openAuthority(
  { db, ports, vault }: Pick<Outside<Caller>, 'db' | 'ports' | 'vault'>,
  { country, mode, access, organisationId }: Feed,
  way: 'authority' | 'authorityForWork' = 'authority',
): Promise<AuthorityAccess | undefined> {
  const jurisdiction = ports.jurisdictions.of(country)
  if (!jurisdiction) return undefined
  if (access === installation) return { jurisdiction, authority: ports.jurisdictions[way](country, mode) }
  const connection = organisationId && (await findConnection(db, { organisationId, mode }))
  if (!connection || !isConnected(connection) || connection.id !== access) return undefined
  const credentials = credentialsOf(vault, connection)
  return credentials && { jurisdiction, authority: ports.jurisdictions[way](country, mode, credentials) }
}

export const noAccess = 'This installation has no access to the tax authority in this mode.'
/** Text for `sync.error`. */
export const couldNotRead = (why: string): string => `Invoices from other businesses could not be read: ${why}.`

/** A parsed document with its text as received. */
export interface FetchedDocument {
  readonly kind: 'fetched'
  readonly copy: AuthorityCopy
  readonly document: string
}

export interface FetchFailure {
  readonly kind: 'absent' | 'unreadable' | 'unclear'
  readonly why: string
  /** Whether the failure concerns the authority as a whole. */
  readonly countsAgainstHealth: boolean
}

export async function fetchDocument(
  { jurisdiction, authority }: AuthorityAccess & { readonly authority: Authority },
  reference: string,
): Promise<FetchedDocument | FetchFailure> {
  const answer = await authority.download(reference, inTime())
  if (answer.kind === 'unclear') {
    const { why, countsAgainstHealth } = answer
    return { kind: 'unclear', why, countsAgainstHealth }
  }
  if (answer.kind === 'absent')
    return { kind: 'absent', why: 'the document does not exist', countsAgainstHealth: false }
  const copy = jurisdiction.reporting.readCopy(answer.bytes)
  if (!copy || copy.reference !== reference.toUpperCase())
    return { kind: 'unreadable', why: 'a document has a format that we cannot read', countsAgainstHealth: false }
  return { kind: 'fetched', copy, document: answer.bytes.toString() }
}

/** What the authority knows of a document besides its content. */
export interface AuthorityStatus {
  readonly kind: 'known'
  readonly isReported: boolean
  readonly payment: ReportedPaymentStatus | null
  readonly accessPoint: string | null
}

export async function askAbout(
  authority: Authority,
  { reference, seller }: AuthorityCopy,
): Promise<AuthorityStatus | { readonly kind: 'unclear'; readonly why: string }> {
  const feedState = await authority.lookup(reference, inTime())
  if (feedState.kind === 'unclear') return { kind: 'unclear', why: feedState.why }
  const isReported = feedState.kind === 'found'
  const payment = feedState.kind === 'found' ? (feedState.paymentStatus ?? null) : null
  return { kind: 'known', isReported, payment, accessPoint: await accessPointOf(authority, seller.taxIdNormal) }
}

/** The access point is optional information, so a failure is ignored. */
async function accessPointOf(authority: Authority, taxIdNormal: string | null): Promise<string | null> {
  if (taxIdNormal === null) return null
  try {
    return (await authority.findNetworkEntry?.(taxIdNormal, inTime()))?.provider?.slice(0, 256) ?? null
  } catch (error) {
    if (error instanceof AuthorityUnavailable) return null
    throw error
  }
}

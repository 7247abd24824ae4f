import {
  type Authority,
  type AuthorityCopy,
  AuthorityUnavailable,
  type Jurisdiction,
  type PaymentStanding,
} from '../../jurisdictions/port.ts'
import type { Caller } from '../../kernel/callers.ts'
import type { Outside } from '../../platform/operations/operation.ts'
import { credentialsOf, findConnection, isConnected } from '../tax-connection/index.ts'
import type { Feed } from './feed.ts'
import { installation } from './sync.ts'

/** A question to the authority takes no longer; where it is slower than that, it is asked again another time. */
const answerMs = 15_000
export const inTime = (): AbortSignal => AbortSignal.timeout(answerMs)

/** The authority as a feed sees it. */
export interface Door {
  readonly jurisdiction: Jurisdiction
  /** nothing when this installation has no access to it */
  readonly authority: Authority | undefined
}

/** Nothing when the keys of the feed are in use no more. */
export async function openDoor(
  { db, ports, vault }: Pick<Outside<Caller>, 'db' | 'ports' | 'vault'>,
  { country, mode, access, organisationId }: Feed,
  way: 'authority' | 'authorityForWork' = 'authority',
): Promise<Door | undefined> {
  const jurisdiction = ports.jurisdictions.of(country)
  if (!jurisdiction) return undefined
  if (access === installation) return { jurisdiction, authority: ports.jurisdictions[way](country, mode) }
  const connection = organisationId && (await findConnection(db, { organisationId, mode }))
  if (!connection || !isConnected(connection) || connection.id !== access) return undefined
  const credentials = credentialsOf(vault, connection)
  return credentials && { jurisdiction, authority: ports.jurisdictions[way](country, mode, credentials) }
}

export const noAccess = 'This installation has no access to the tax authority in this mode.'
/** What is told of an answer that is none. */
export const couldNotRead = (why: string): string => `Invoices from other businesses could not be read: ${why}.`

/** A document with its bytes as text, fit to be read and kept. */
export interface Fetched {
  readonly kind: 'fetched'
  readonly copy: AuthorityCopy
  readonly document: string
}

export interface NotFetched {
  readonly kind: 'absent' | 'unreadable' | 'unclear'
  readonly why: string
  /** whether this says something of the authority as a whole */
  readonly countsAgainstHealth: boolean
}

export async function fetchDocument(
  { jurisdiction, authority }: Door & { readonly authority: Authority },
  reference: string,
): Promise<Fetched | NotFetched> {
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

/** What the authority says of a document beside itself. */
export interface Told {
  readonly kind: 'told'
  readonly isReported: boolean
  readonly payment: PaymentStanding | null
  readonly accessPoint: string | null
}

export async function askAbout(
  authority: Authority,
  { reference, seller }: AuthorityCopy,
): Promise<Told | { readonly kind: 'unclear'; readonly why: string }> {
  const standing = await authority.lookup(reference, inTime())
  if (standing.kind === 'unclear') return { kind: 'unclear', why: standing.why }
  const isReported = standing.kind === 'found'
  const payment = standing.kind === 'found' ? (standing.paymentStatus ?? null) : null
  return { kind: 'told', isReported, payment, accessPoint: await accessPointOf(authority, seller.taxIdNormal) }
}

/** Through whom a supplier sends is good to know, and nothing hangs on it. */
async function accessPointOf(authority: Authority, taxIdNormal: string | null): Promise<string | null> {
  if (taxIdNormal === null) return null
  try {
    return (await authority.findNetworkEntry(taxIdNormal, inTime())).provider?.slice(0, 256) ?? null
  } catch (error) {
    if (error instanceof AuthorityUnavailable) return null
    throw error
  }
}

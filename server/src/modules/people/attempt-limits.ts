import { neighbourhoodOf } from '../../kernel/addresses.ts'
import type { Caller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Inside, Origin, Outside } from '../../platform/operations/operation.ts'
import type { Vault } from '../../platform/secrets/secrets.ts'
import {
  type AttemptCounter,
  deleteAttemptCounter,
  findAttemptCounters,
  isKnownNetwork,
  lockAttemptCounter,
  saveAttemptCounter,
} from './attempt-counters.store.ts'
import type { AttemptKind } from './attempt-kind.ts'
import { sendLockoutMail } from './lockout-mail.ts'
import type { Person } from './person.ts'

interface AttemptLimit {
  /** Wrong attempts per day. */
  readonly most: number
  /** Duration of the first lockout, the second, and so on. The last one repeats. */
  readonly waits: readonly number[]
  /** After a lockout the full number of attempts is allowed again, instead of one. */
  readonly anew?: true
}

interface AttemptLimits {
  /** For all unknown networks of an account together. */
  readonly together: AttemptLimit
  /** For each network, if unknown networks are also counted separately. A known network always has its own counter. */
  readonly perNetwork?: AttemptLimit
}

const hour = 3600_000
const day = 24 * hour
const growing = [1, 2, 4, 8, 16, 24].map((hours) => hours * hour)

/** Twenty a day out of a million codes. */
const sixDigits: AttemptLimits = { together: { most: 20, waits: growing } }

export const attemptLimits: Readonly<Record<AttemptKind, AttemptLimits>> = {
  verify_email: sixDigits,
  reset_password: sixDigits,
  verify_phone: sixDigits,
  verify_organisation_phone: sixDigits,
  second_factor: sixDigits,
  password: { together: { most: 1000, waits: growing }, perNetwork: { most: 100, waits: growing } },
  // Forty bits: ten thousand guesses a day for the seven days of an invitation find one in about 15 million.
  invitation: {
    together: { most: 10_000, waits: growing },
    perNetwork: { most: 10, waits: [hour], anew: true },
  },
  // Sixty bits, for one day.
  requested_change: { together: { most: 1000, waits: growing }, perNetwork: { most: 20, waits: growing } },
}

/** A network is known while the person has signed in from it recently, and not from many others since. */
const knownForMs = 90 * day
const mostKnown = 10

/** The network that an attempt comes from. */
export interface Network {
  readonly networkMac: string
  /** The account is used from this network: wrong attempts of strangers do not lock it out. */
  readonly known: boolean
}

/** An attempt at an account. The account is an email address, even if no person has it. */
export interface Attempt {
  readonly kind: AttemptKind
  readonly account: string
  readonly network: Network
}

export const networkMacOf = ({ vault, origin }: { vault: Vault; origin: Origin }): string =>
  vault.mac('network', neighbourhoodOf(origin.address))

export async function networkOf(context: Outside<Caller> | Inside<Caller>, account: string): Promise<Network> {
  const since = new Date(context.now.getTime() - knownForMs)
  const db = 'tx' in context ? context.tx : context.db
  // Stored networks outlive a rotation of keys.
  const macs = context.vault.macsOf('network', neighbourhoodOf(context.origin.address))
  return { networkMac: networkMacOf(context), known: await isKnownNetwork(db, account, macs, since, mostKnown) }
}

interface LimitedCounter {
  readonly network: string
  readonly limit: AttemptLimit
  /** The person is informed of a lockout, because it affects more than one network. */
  readonly isPersonInformed: boolean
}

const unknownNetworks = ''

/** Counters of a wrong attempt, in the order in which they are locked. */
function countersOf({ kind, network: { networkMac, known } }: Attempt): LimitedCounter[] {
  const { together, perNetwork } = attemptLimits[kind]
  if (known) return [{ network: networkMac, limit: perNetwork ?? together, isPersonInformed: true }]
  return [
    { network: unknownNetworks, limit: together, isPersonInformed: true },
    ...(perNetwork ? [{ network: networkMac, limit: perNetwork, isPersonInformed: false }] : []),
  ]
}

const accountMac = (vault: Vault, account: string): string => vault.mac('attempt', account)

function refuseIfLockedOut(rows: readonly AttemptCounter[], now: Date): void {
  const until = Math.max(...rows.map(({ lockedUntil }) => lockedUntil?.getTime() ?? 0), 0)
  if (until > now.getTime())
    throw refuse('limit.exceeded', {
      message: 'There were too many wrong attempts. Try again after the time in Retry-After.',
      retryAfterSeconds: Math.ceil((until - now.getTime()) / 1000),
    })
}

/** A first check before slow work. It is repeated under the lock. */
export async function requireNotLockedOut({ db, vault, now }: Outside<Caller>, attempt: Attempt): Promise<void> {
  const networks = countersOf(attempt).map(({ network }) => network)
  refuseIfLockedOut(await findAttemptCounters(db, attempt.kind, accountMac(vault, attempt.account), networks), now)
}

async function lockCounters(
  { tx, vault, now }: Inside<Caller>,
  attempt: Attempt,
): Promise<[LimitedCounter, AttemptCounter][]> {
  const mac = accountMac(vault, attempt.account)
  const locked: [LimitedCounter, AttemptCounter][] = []
  for (const counter of countersOf(attempt))
    locked.push([counter, await lockAttemptCounter(tx, attempt.kind, mac, counter.network, now)])
  refuseIfLockedOut(
    locked.map(([, row]) => row),
    now,
  )
  return locked
}

/** Locked until the transaction ends, so that concurrent attempts are counted one after another. */
export async function lockAttempts(context: Inside<Caller>, attempt: Attempt): Promise<void> {
  await lockCounters(context, attempt)
}

/** A right answer shows that the wrong ones from the same network were honest. */
export const forgetWrongTries = ({ tx, vault }: Inside<Caller>, { kind, account, network }: Attempt): Promise<void> =>
  deleteAttemptCounter(tx, kind, accountMac(vault, account), network.networkMac)

/**
 * The counter after a wrong attempt. A count lasts a day. Once it is used up, every wrong attempt locks it, for longer
 * each time, until a day passes without a lockout.
 */
export function afterWrongTry(row: AttemptCounter, { most, waits, anew }: AttemptLimit, now: Date): AttemptCounter {
  const since = (then: Date | null) => (then === null ? Number.POSITIVE_INFINITY : now.getTime() - then.getTime())
  const reopened = anew === true && row.lockedUntil !== null
  const isOver = reopened || since(row.beganAt) >= day
  const wrong = (isOver ? 0 : row.wrong) + 1
  const beganAt = isOver ? now : row.beganAt
  const lockouts = reopened || since(row.lockedUntil) >= day ? 0 : row.lockouts
  if (wrong < most) return { ...row, wrong, beganAt, lockouts, lockedUntil: reopened ? null : row.lockedUntil }
  const wait = waits[Math.min(lockouts, waits.length - 1)] as number
  return { ...row, wrong, beganAt, lockouts: lockouts + 1, lockedUntil: new Date(now.getTime() + wait) }
}

/** Counts a wrong attempt, and informs the person if it causes a lockout. */
export async function countWrongTry(
  context: Inside<Caller>,
  attempt: Attempt,
  person: Pick<Person, 'email' | 'firstName'> | undefined,
): Promise<void> {
  const { tx, vault, now } = context
  const mac = accountMac(vault, attempt.account)
  for (const [{ limit, isPersonInformed }, row] of await lockCounters(context, attempt)) {
    const after = afterWrongTry(row, limit, now)
    await saveAttemptCounter(tx, attempt.kind, mac, after)
    const { lockedUntil } = after
    if (isPersonInformed && person && lockedUntil && lockedUntil > now)
      await sendLockoutMail(context, person, attempt.kind, lockedUntil)
  }
}

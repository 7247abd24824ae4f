import { neighbourhoodOf } from '../../kernel/addresses.ts'
import type { Caller } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refusals.ts'
import type { Inside, Origin, Outside } from '../../platform/operations/operation.ts'
import type { Vault } from '../../platform/secrets/secrets.ts'
import type { Door } from './door.ts'
import { sendDoorClosed } from './door-letter.ts'
import { type DoorRow, findDoors, forgetDoor, isKnownNetwork, lockDoorRow, saveDoor } from './doors.store.ts'
import type { Person } from './person.ts'

interface Bound {
  /** Wrong attempts per day. */
  readonly most: number
  /** Duration of the first lockout, the second, and so on. The last one repeats. */
  readonly waits: readonly number[]
  /** After a lockout the full number of attempts is allowed again, instead of one. */
  readonly anew?: true
}

interface DoorBounds {
  /** For all unknown networks of an account together. */
  readonly together: Bound
  /** For each network, if unknown networks are also counted separately. A known network always has its own counter. */
  readonly perNetwork?: Bound
}

const hour = 3600_000
const day = 24 * hour
const growing = [1, 2, 4, 8, 16, 24].map((hours) => hours * hour)

/** Twenty a day out of a million codes. */
const sixDigits: DoorBounds = { together: { most: 20, waits: growing } }

export const bounds: Readonly<Record<Door, DoorBounds>> = {
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
  asked_change: { together: { most: 1000, waits: growing }, perNetwork: { most: 20, waits: growing } },
}

/** A network is known while the person has signed in from it recently, and not from many others since. */
const knownForMs = 90 * day
const mostKnown = 10

/** The network that an attempt comes from. */
export interface Lane {
  readonly networkMac: string
  /** The account is used from this network: wrong attempts of strangers do not lock it out. */
  readonly known: boolean
}

/** An attempt at an account. The account is an email address, even if no person has it. */
export interface Knock {
  readonly door: Door
  readonly account: string
  readonly lane: Lane
}

export const networkMacOf = ({ vault, origin }: { vault: Vault; origin: Origin }): string =>
  vault.mac('network', neighbourhoodOf(origin.address))

export async function laneOf(context: Outside<Caller> | Inside<Caller>, account: string): Promise<Lane> {
  const since = new Date(context.now.getTime() - knownForMs)
  const db = 'tx' in context ? context.tx : context.db
  // Stored networks outlive a rotation of keys.
  const macs = context.vault.macsOf('network', neighbourhoodOf(context.origin.address))
  return { networkMac: networkMacOf(context), known: await isKnownNetwork(db, account, macs, since, mostKnown) }
}

interface Counter {
  readonly lane: string
  readonly bound: Bound
  /** The person is informed of a lockout, because it affects more than one network. */
  readonly isTold: boolean
}

const everybodyElse = ''

/** Counters of a wrong attempt, in the order in which they are locked. */
function countersOf({ door, lane: { networkMac, known } }: Knock): Counter[] {
  const { together, perNetwork } = bounds[door]
  if (known) return [{ lane: networkMac, bound: perNetwork ?? together, isTold: true }]
  return [
    { lane: everybodyElse, bound: together, isTold: true },
    ...(perNetwork ? [{ lane: networkMac, bound: perNetwork, isTold: false }] : []),
  ]
}

const accountMac = (vault: Vault, account: string): string => vault.mac('door', account)

function refuseIfClosed(rows: readonly DoorRow[], now: Date): void {
  const until = Math.max(...rows.map(({ closedUntil }) => closedUntil?.getTime() ?? 0), 0)
  if (until > now.getTime())
    throw refuse('limit.exceeded', {
      message: 'There were too many wrong attempts. Try again after the time in Retry-After.',
      retryAfterSeconds: Math.ceil((until - now.getTime()) / 1000),
    })
}

/** A first check before slow work. It is repeated under the lock. */
export async function requireOpenDoor({ db, vault, now }: Outside<Caller>, knock: Knock): Promise<void> {
  const lanes = countersOf(knock).map(({ lane }) => lane)
  refuseIfClosed(await findDoors(db, knock.door, accountMac(vault, knock.account), lanes), now)
}

async function lockOpen({ tx, vault, now }: Inside<Caller>, knock: Knock): Promise<[Counter, DoorRow][]> {
  const mac = accountMac(vault, knock.account)
  const locked: [Counter, DoorRow][] = []
  for (const counter of countersOf(knock))
    locked.push([counter, await lockDoorRow(tx, knock.door, mac, counter.lane, now)])
  refuseIfClosed(
    locked.map(([, row]) => row),
    now,
  )
  return locked
}

/** Locked until the transaction ends, so that concurrent attempts are counted one after another. */
export async function lockDoor(context: Inside<Caller>, knock: Knock): Promise<void> {
  await lockOpen(context, knock)
}

/** A right answer shows that the wrong ones from the same network were honest. */
export const forgetWrongTries = ({ tx, vault }: Inside<Caller>, { door, account, lane }: Knock): Promise<void> =>
  forgetDoor(tx, door, accountMac(vault, account), lane.networkMac)

/**
 * The counter after a wrong attempt. A count lasts a day. Once it is used up, every wrong attempt locks it, for longer
 * each time, until a day passes without a lockout.
 */
export function afterWrongTry(row: DoorRow, { most, waits, anew }: Bound, now: Date): DoorRow {
  const since = (then: Date | null) => (then === null ? Number.POSITIVE_INFINITY : now.getTime() - then.getTime())
  const reopened = anew === true && row.closedUntil !== null
  const isOver = reopened || since(row.beganAt) >= day
  const wrong = (isOver ? 0 : row.wrong) + 1
  const beganAt = isOver ? now : row.beganAt
  const closings = reopened || since(row.closedUntil) >= day ? 0 : row.closings
  if (wrong < most) return { ...row, wrong, beganAt, closings, closedUntil: reopened ? null : row.closedUntil }
  const wait = waits[Math.min(closings, waits.length - 1)] as number
  return { ...row, wrong, beganAt, closings: closings + 1, closedUntil: new Date(now.getTime() + wait) }
}

/** Counts a wrong attempt, and informs the person if it causes a lockout. */
export async function countWrongTry(
  context: Inside<Caller>,
  knock: Knock,
  person: Pick<Person, 'email' | 'firstName'> | undefined,
): Promise<void> {
  const { tx, vault, now } = context
  const mac = accountMac(vault, knock.account)
  for (const [{ bound, isTold }, row] of await lockOpen(context, knock)) {
    const after = afterWrongTry(row, bound, now)
    await saveDoor(tx, knock.door, mac, after)
    const { closedUntil } = after
    if (isTold && person && closedUntil && closedUntil > now)
      await sendDoorClosed(context, person, knock.door, closedUntil)
  }
}

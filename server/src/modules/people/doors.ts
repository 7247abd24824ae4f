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
  /** wrong tries a day */
  readonly most: number
  /** how long it stays closed the first time, the second, and so on; the last one for ever after */
  readonly waits: readonly number[]
  /** once it was closed it may be tried as often again, instead of once until the next wait */
  readonly anew?: true
}

interface DoorBounds {
  /** for all networks together that the account is not known to use */
  readonly together: Bound
  /** for each network, where strange ones are counted apart too; a known one always has a count of its own */
  readonly perNetwork?: Bound
}

const hour = 3600_000
const day = 24 * hour
const growing = [1, 2, 4, 8, 16, 24].map((hours) => hours * hour)

/** Of a million codes, twenty a day. */
const sixDigits: DoorBounds = { together: { most: 20, waits: growing } }

export const bounds: Readonly<Record<Door, DoorBounds>> = {
  verify_email: sixDigits,
  reset_password: sixDigits,
  verify_phone: sixDigits,
  verify_organisation_phone: sixDigits,
  second_factor: sixDigits,
  password: { together: { most: 1000, waits: growing }, perNetwork: { most: 100, waits: growing } },
  // Forty bits: ten thousand a day, for the seven days of an invitation, find one in some 15 million.
  invitation: {
    together: { most: 10_000, waits: growing },
    perNetwork: { most: 10, waits: [hour], anew: true },
  },
  // Sixty bits, for one day.
  asked_change: { together: { most: 1000, waits: growing }, perNetwork: { most: 20, waits: growing } },
}

/** A network counts as a person's own while they have signed in from it lately, and not from many others since. */
const knownForMs = 90 * day
const mostKnown = 10

/** Where a try comes from. */
export interface Lane {
  readonly networkMac: string
  /** the account is used from this network: strangers' wrong tries do not close the door for it */
  readonly known: boolean
}

/** A try at a door of an account, which is an email address whether or not somebody has it. */
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
  // Networks outlive a change of keys.
  const macs = context.vault.macsOf('network', neighbourhoodOf(context.origin.address))
  return { networkMac: networkMacOf(context), known: await isKnownNetwork(db, account, macs, since, mostKnown) }
}

interface Counter {
  readonly lane: string
  readonly bound: Bound
  /** closing it is the person's business, not one network's alone */
  readonly isTold: boolean
}

const everybodyElse = ''

/** Where a wrong try counts: in the order in which they are locked. */
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
      message: 'Too many wrong tries; wait for the time in Retry-After.',
      retryAfterSeconds: Math.ceil((until - now.getTime()) / 1000),
    })
}

/** Before slow work. What is decided is decided again when the door is locked. */
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

/** Holds the door until the transaction ends, so that tries side by side are counted one after another. */
export async function lockDoor(context: Inside<Caller>, knock: Knock): Promise<void> {
  await lockOpen(context, knock)
}

/** A right answer shows that the wrong ones from the same network were honest. */
export const forgetWrongTries = ({ tx, vault }: Inside<Caller>, { door, account, lane }: Knock): Promise<void> =>
  forgetDoor(tx, door, accountMac(vault, account), lane.networkMac)

/**
 * What a wrong try makes of a lane. A count lasts a day; from its last try on, every wrong one closes the lane, for longer each
 * time, until it has been open for a day without being closed.
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

/** Counts a wrong try, and tells the person when it closes their door. */
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

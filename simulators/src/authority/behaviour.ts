import type { Fields } from './routes.ts'

export const callbackManners = ['normal', 'twice', 'late', 'never'] as const
export type CallbackManner = (typeof callbackManners)[number]

export const networkManners = ['normal', 'away', 'unconfirmed'] as const
/** How documents go to buyers: as usual, not at all (`transmit` answers 500), or taken and never confirmed as transmitted. */
export type NetworkManner = (typeof networkManners)[number]

/** How the authority behaves towards everybody, until it is told otherwise. */
export interface Behaviour {
  /** connections are reset, and nothing is carried out */
  readonly outage: boolean
  /** every answer takes so long */
  readonly latencyMs: number
  /** so many of the calls that change something are carried out, and their answers never arrive: from 0 to 1 */
  readonly lostReplies: number
  /** so many of them are carried out and answered with 500 */
  readonly appliedThen500: number
  /** so many signatures are refused in the words that it has for duplicates too, and are not carried out */
  readonly ambiguous: number
  /** what was signed is not found for so long */
  readonly staleLookupMs: number
  readonly callbacks: CallbackManner
  readonly network: NetworkManner
  /** The answer to `sign` takes this long, and a callback about the document comes at once, before that answer. */
  readonly callsBeforeSignedMs: number
  /** what was signed already is signed again, and counted */
  readonly acceptsDuplicates: boolean
}

export const wellBehaved: Behaviour = {
  outage: false,
  latencyMs: 0,
  lostReplies: 0,
  appliedThen500: 0,
  ambiguous: 0,
  staleLookupMs: 0,
  callbacks: 'normal',
  network: 'normal',
  callsBeforeSignedMs: 0,
  acceptsDuplicates: false,
}

/** The behaviour that fields ask for, on top of what it was; says what is wrong with them. */
export function behaviourFrom(before: Behaviour, fields: Fields): Behaviour | string {
  for (const [name, value] of Object.entries(fields)) {
    const was = Object.hasOwn(before, name) ? before[name as keyof Behaviour] : undefined
    if (was === undefined) return `there is no ${name}`
    if (typeof value !== typeof was) return `${name} must be a ${typeof was}`
    if (typeof value === 'number' && !(value >= 0 && value <= (name.endsWith('Ms') ? 600_000 : 1)))
      return `${name} is out of bounds`
    if (name === 'callbacks' && !callbackManners.some((manner) => manner === value))
      return `callbacks must be one of ${callbackManners.join(', ')}`
    if (name === 'network' && !networkManners.some((manner) => manner === value))
      return `network must be one of ${networkManners.join(', ')}`
  }
  return { ...before, ...(fields as Partial<Behaviour>) }
}

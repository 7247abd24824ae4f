import type { Fields } from './routes.ts'

export const callbackBehaviours = ['normal', 'twice', 'late', 'never'] as const
export type CallbackBehaviour = (typeof callbackBehaviours)[number]

export const networkBehaviours = ['normal', 'away', 'unconfirmed'] as const
/** Transmission to buyers: normal, failing (`transmit` answers 500), or accepted and never confirmed. */
export type NetworkBehaviour = (typeof networkBehaviours)[number]

/** The authority's behaviour towards all callers, until it is changed. */
export interface Behaviour {
  /** connections are reset, and nothing is carried out */
  readonly outage: boolean
  /** delay of every reply */
  readonly latencyMs: number
  /** share of changing calls that are carried out but whose reply is lost, from 0 to 1 */
  readonly lostReplies: number
  /** share of changing calls that are carried out but answered with 500 */
  readonly appliedThen500: number
  /** share of signatures that are refused with the words for duplicates and not carried out */
  readonly ambiguous: number
  /** time during which lookups do not find a signed document */
  readonly staleLookupMs: number
  readonly callbacks: CallbackBehaviour
  readonly network: NetworkBehaviour
  /** delay of the reply to `sign`; a callback about the document comes before it */
  readonly callsBeforeSignedMs: number
  /** signs duplicates again and counts them */
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

/** Merges the requested behaviour into the current one, or returns the fault. */
export function behaviourFrom(before: Behaviour, fields: Fields): Behaviour | string {
  for (const [name, value] of Object.entries(fields)) {
    const was = Object.hasOwn(before, name) ? before[name as keyof Behaviour] : undefined
    if (was === undefined) return `there is no ${name}`
    if (typeof value !== typeof was) return `${name} must be a ${typeof was}`
    if (typeof value === 'number' && !(value >= 0 && value <= (name.endsWith('Ms') ? 600_000 : 1)))
      return `${name} is out of bounds`
    if (name === 'callbacks' && !callbackBehaviours.some((behaviour) => behaviour === value))
      return `callbacks must be one of ${callbackBehaviours.join(', ')}`
    if (name === 'network' && !networkBehaviours.some((behaviour) => behaviour === value))
      return `network must be one of ${networkBehaviours.join(', ')}`
  }
  return { ...before, ...(fields as Partial<Behaviour>) }
}

import type { TokenCaller } from '../../kernel/callers.ts'
import { makerOf } from '../../kernel/callers.ts'

/** How long a person has to confirm. */
export const confirmWithinMs = 10 * 60_000
/** How long the row of a confirmation stays: as long as the stored reply of its effect, so that a repeated request finds both. */
export const keptMs = 24 * 3600_000
/** Open confirmations of one tenant. */
export const mostOpen = 200
/** Bytes of the content of one confirmation. */
export const mostContentBytes = 512 * 1024

/** The exact action. */
export interface PreparedAction {
  /** the name of the action */
  readonly action: string
  /** the values of the request, as JSON */
  readonly content: unknown
  /** the object that the action changes, as the caller saw it; null for an action that creates one */
  readonly object: { readonly id: string; readonly version: number } | null
  /** the money that the action commits, for spending limits; null for an action without money */
  readonly spending: { readonly amountMinor: bigint; readonly currency: string } | null
}

/** A prepared action that its maker has not yet confirmed, or confirmed within the last day. */
export interface Confirmation extends PreparedAction {
  readonly expiresAt: Date
  readonly confirmedAt: Date | null
}

/** Only the program or session that prepared the action may confirm it. */
export const principalOf = (caller: TokenCaller): string => {
  const { kind, id } = makerOf(caller)
  return `${kind}:${id}`
}

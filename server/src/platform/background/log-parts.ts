import type { OrganisationId } from '../../kernel/ids.ts'
import type { ReadEvent } from '../events/log-reader.store.ts'
import { halvesOf } from '../halves.ts'

/** A part of one log: the events between two positions that the consumer wants. */
export interface LogPart {
  readonly organisationId: OrganisationId
  readonly from: number
  readonly to: number
  readonly events: readonly ReadEvent[]
}

export const eventsIn = (parts: readonly LogPart[]): ReadEvent[] => parts.flatMap(({ events }) => events)

/** Two halves: of the logs, or of the events of a single log. */
export function halvesOfParts(parts: readonly LogPart[]): readonly (readonly LogPart[])[] {
  const [only, ...more] = parts
  if (!only || more.length > 0) return halvesOf(parts)
  const [first, second] = halvesOf(only.events)
  const to = first.at(-1)?.position ?? only.from
  return [[{ ...only, to, events: first }], [{ ...only, from: to, events: second }]]
}

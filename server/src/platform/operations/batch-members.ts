import type { Caller } from '../../kernel/callers.ts'
import type { KeyedReply } from './idempotency.store.ts'
import type { PlannedWrite } from './operation.ts'
import { queueIsFull } from './queue-is-full.ts'
import type { ReturnedValues } from './reply-template.ts'

/** Makes the reply that is stored with a plan. Returns `undefined` if the reply cannot be made before the plan is written. */
export type MakeReply = (plan: unknown) => KeyedReply | undefined

/** A call that waits to be written in a batch of a hot statement. */
export interface Member {
  readonly planned: PlannedWrite<Caller, unknown>
  /** `undefined` if no reply is stored, or if the reply exists already */
  readonly makeReply: MakeReply | undefined
  /** by the clock of this process */
  readonly sinceMs: number
  readonly wrote: (returned: ReturnedValues | undefined) => void
  readonly failed: (error: unknown) => void
}

/** Takes up to `room` waiting members with different conflict keys, the oldest first. Refuses members that have waited too long. */
export function takeBatch(
  waiting: Member[],
  conflictKey: ((plan: unknown) => string) | undefined,
  room: number,
  longestWaitMs: number,
): Member[] {
  const firstInTime = waiting.findIndex(({ sinceMs }) => sinceMs > performance.now() - longestWaitMs)
  for (const member of waiting.splice(0, firstInTime === -1 ? waiting.length : firstInTime))
    member.failed(queueIsFull())
  if (!conflictKey) return waiting.splice(0, room)
  const taken = new Set<string>()
  const batch: Member[] = []
  const left: Member[] = []
  for (const member of waiting) {
    const subject = conflictKey(member.planned.plan)
    if (taken.has(subject) || batch.length === room) left.push(member)
    else {
      taken.add(subject)
      batch.push(member)
    }
  }
  waiting.splice(0, waiting.length, ...left)
  return batch
}

/** The list keeps the order of arrival, so overdue members are at the front. */
export function putBack(waiting: Member[], members: readonly Member[]): void {
  waiting.push(...members)
  waiting.sort((one, another) => one.sinceMs - another.sinceMs)
}

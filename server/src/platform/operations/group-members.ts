import type { Caller } from '../../kernel/callers.ts'
import type { KeyedReply } from './idempotency.store.ts'
import type { Planned, Said } from './operation.ts'
import { queueIsFull } from './queue-is-full.ts'

/** Makes the answer that is to be kept with a plan; undefined if it cannot be made before the plan is written. */
export type MakeReply = (plan: unknown) => KeyedReply | undefined

/** One who waits for a hot statement, to be written in a group with others. */
export interface Member {
  readonly planned: Planned<Caller, unknown>
  /** nothing where no answer is to be kept, or it was made already */
  readonly makeReply: MakeReply | undefined
  /** by the clock of this process */
  readonly sinceMs: number
  readonly wrote: (said: Said | undefined) => void
  readonly failed: (error: unknown) => void
}

/** Takes the first of those who wait, and others who are about something else, as many as there is room for. Those who have waited too long are refused first. */
export function takeGroup(
  waiting: Member[],
  about: ((plan: unknown) => string) | undefined,
  room: number,
  longestWaitMs: number,
): Member[] {
  const firstInTime = waiting.findIndex(({ sinceMs }) => sinceMs > performance.now() - longestWaitMs)
  for (const member of waiting.splice(0, firstInTime === -1 ? waiting.length : firstInTime))
    member.failed(queueIsFull())
  if (!about) return waiting.splice(0, room)
  const taken = new Set<string>()
  const group: Member[] = []
  const left: Member[] = []
  for (const member of waiting) {
    const subject = about(member.planned.plan)
    if (taken.has(subject) || group.length === room) left.push(member)
    else {
      taken.add(subject)
      group.push(member)
    }
  }
  waiting.splice(0, waiting.length, ...left)
  return group
}

/** In the order in which they came: those who have waited too long are looked for at the front. */
export function putBack(waiting: Member[], members: readonly Member[]): void {
  waiting.push(...members)
  waiting.sort((one, another) => one.sinceMs - another.sinceMs)
}

/** How far a sandbox is ahead of the real time. */
export interface Offset {
  readonly ms: number
  /** business time is never before this moment, whatever the clocks of nodes show */
  readonly reachedAt: Date
}

/** The test clock of a sandbox. A sandbox without one has the real time. */
export interface TestClock {
  readonly offset: Offset
  /** takes the place of `offset` at a moment of the real time that every node knows in time */
  readonly next: (Offset & { readonly from: Date }) | undefined
  /** how far a move that is under way has come */
  readonly moment: Date | undefined
}

const ahead = (real: Date, { ms, reachedAt }: Offset): Date =>
  new Date(Math.max(real.getTime() + ms, reachedAt.getTime()))

/** The business time for callers. `wall` is the time by which nodes agree when an offset counts. */
export function shownTime(clock: TestClock | undefined, real: Date, wall: Date): Date {
  if (!clock) return real
  return ahead(real, clock.next && wall >= clock.next.from ? clock.next : clock.offset)
}

/** The business time for background work: the moment of a move under way, and a new offset at once. */
export function workTime(clock: TestClock | undefined, real: Date): Date {
  if (!clock) return real
  return clock.moment ?? ahead(real, clock.next ?? clock.offset)
}

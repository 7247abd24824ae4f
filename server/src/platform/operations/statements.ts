import type { Caller, TokenCaller } from '../../kernel/callers.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { isPassingFailure } from '../database/database.ts'
import type { KeyedReply } from './idempotency.store.ts'
import type { Planned, Said, Statement } from './operation.ts'
import type { Call, Machine, Transactions } from './transactions.ts'

export interface LaneBounds {
  /** beyond this many, a group takes so long that its members would wait longer than they gain */
  readonly largestGroup: number
  /** so many groups are written at once; fewer than there are connections, so that readers find one too */
  readonly mostGroups: number
  /** so many of one tenant may wait: it keeps a client that never stops asking from filling the memory of all */
  readonly mostWaiting: number
  /** who has waited so long is better told to come again; nothing was done for them yet */
  readonly longestWaitMs: number
}

const laneBounds: LaneBounds = { largestGroup: 64, mostGroups: 6, mostWaiting: 2_000, longestWaitMs: 5_000 }

const laneIsFull = (): Refusal =>
  refuse('dependency.unavailable', {
    retryAfterSeconds: 2,
    away: 'lane of the organisation',
    message: 'Too much is being written for this organisation at once; nothing was done, try again shortly.',
  })

interface Member {
  readonly planned: Planned<Caller, unknown>
  /** by the clock of this process */
  readonly sinceMs: number
  readonly wrote: (said: Said | undefined) => void
  readonly failed: (error: unknown) => void
}

type AnyStatement<Output> = Statement<Caller, unknown, Output>

/** What was planned, and what the database said when it was written; nothing where a guard did not hold. */
export interface Attempt {
  readonly plan: unknown
  readonly said: Said | undefined
}

/** Takes the first of those who wait, and others who are about something else, as many as a group may have. */
function takeGroup(
  waiting: Member[],
  about: ((plan: unknown) => string) | undefined,
  { largestGroup, longestWaitMs }: LaneBounds,
): Member[] {
  const late = waiting.findIndex(({ sinceMs }) => sinceMs > performance.now() - longestWaitMs)
  for (const member of waiting.splice(0, late === -1 ? waiting.length : late)) member.failed(laneIsFull())
  if (!about) return waiting.splice(0, largestGroup)
  const taken = new Set<string>()
  const group: Member[] = []
  const left: Member[] = []
  for (const member of waiting) {
    const subject = about(member.planned.plan)
    if (taken.has(subject) || group.length === largestGroup) left.push(member)
    else {
      taken.add(subject)
      group.push(member)
    }
  }
  waiting.splice(0, waiting.length, ...left)
  return group
}

/** Lanes take turns, the one that has waited longest first. */
function createPlaces(count: number) {
  let free = count
  const queue: (() => void)[] = []
  return {
    take: (): Promise<void> | undefined => {
      if (free > 0) {
        free--
        return undefined
      }
      return new Promise((resolve) => queue.push(resolve))
    },
    give: (): void => {
      const next = queue.shift()
      if (next) next()
      else free++
    },
  }
}

/**
 * Runs hot statements. Each tenant has a lane: what comes while a statement of its own is under way waits, and is then written
 * together, with one lock of its counters and one commit. A group that cannot be written because of one of its members is halved
 * until that one is alone; it is then for whoever asked to do it step by step, and to say why not.
 */
export function createStatements(
  { db, clock, bell }: Pick<Machine, 'db' | 'clock' | 'bell'>,
  transactions: Pick<Transactions, 'outside'>,
  bounds: LaneBounds = laneBounds,
) {
  const lanes = new Map<AnyStatement<unknown>, Map<string, Member[]>>()
  const places = createPlaces(bounds.mostGroups)

  /** All of them are of one tenant: that is what a lane is. */
  async function writeGroup(
    statement: AnyStatement<unknown>,
    tenant: Tenant,
    members: readonly Member[],
  ): Promise<void> {
    if (members.length === 0) return
    try {
      const written = await statement.write(
        db,
        tenant,
        members.map(({ planned }) => planned),
      )
      if (written) {
        for (const [at, member] of members.entries()) member.wrote(written[at])
        return
      }
    } catch (error) {
      // It may have committed, or there was no room for it: either way, nobody may try a second time. Nor is one of them at fault where a
      // lock was not to be had in time or the disk is full: each half would wait as long again, and those behind them too.
      if (isPassingFailure(error) || error instanceof Refusal) {
        for (const member of members) member.failed(error)
        return
      }
    }
    if (members.length === 1) return members[0]?.wrote(undefined)
    const half = Math.ceil(members.length / 2)
    await writeGroup(statement, tenant, members.slice(0, half))
    await writeGroup(statement, tenant, members.slice(half))
  }

  /** Ends when nobody waits any more. */
  async function runLane(
    statement: AnyStatement<unknown>,
    tenant: Tenant,
    waiting: Member[],
    leave: () => void,
  ): Promise<void> {
    while (waiting.length > 0) {
      // Whoever comes while this lane waits for its turn joins its group.
      const turn = places.take()
      if (turn) await turn
      try {
        await writeGroup(statement, tenant, takeGroup(waiting, statement.about, bounds))
      } finally {
        places.give()
      }
    }
    leave()
  }

  function inLane(
    statement: AnyStatement<unknown>,
    tenant: Tenant,
    planned: Planned<Caller, unknown>,
  ): Promise<Said | undefined> {
    let ofStatement = lanes.get(statement)
    if (!ofStatement) {
      ofStatement = new Map()
      lanes.set(statement, ofStatement)
    }
    const key = `${tenant.organisationId} ${tenant.mode}`
    const running = ofStatement.get(key)
    const waiting = running ?? []
    if (waiting.length >= bounds.mostWaiting) return Promise.reject(laneIsFull())
    return new Promise((wrote, failed) => {
      waiting.push({ planned, sinceMs: performance.now(), wrote, failed })
      if (running) return
      ofStatement.set(key, waiting)
      void runLane(statement, tenant, waiting, () => ofStatement.delete(key))
    })
  }

  /**
   * Plans, and writes it where the statement can. `keyed` makes of a plan the answer that is to be kept with it; where it cannot,
   * nothing is written.
   */
  async function attempt<C extends Caller, Input, Output>(
    statement: Statement<C, Input, Output>,
    { caller, origin, input, signal }: Call<C, Input>,
    keyed?: (plan: unknown) => KeyedReply | undefined,
  ): Promise<Attempt> {
    const now = clock.now()
    const plan = await statement.plan(transactions.outside(caller, origin, now), input)
    signal?.throwIfAborted()
    const reply = keyed?.(plan)
    if (statement.isPlain?.(plan) === false || (keyed && !reply)) return { plan, said: undefined }
    const { tenant } = caller as Caller as TokenCaller
    const planned = { plan, caller, origin, now, keyed: reply }
    const said = await inLane(statement as unknown as AnyStatement<unknown>, tenant, planned)
    if (said) bell.ring(['events'])
    return { plan, said }
  }

  return attempt
}

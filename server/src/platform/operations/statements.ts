import type { Caller, TokenCaller } from '../../kernel/callers.ts'
import { Refusal } from '../../kernel/refusals.ts'
import { isConnectionFailure } from '../database/database.ts'
import type { Planned, Statement } from './operation.ts'
import type { RunParts } from './run-once.ts'
import type { Call, Machine, Transactions } from './transactions.ts'

/** Beyond this many, a group takes so long that its members would wait longer than they gain. */
const largestGroup = 64

interface Member<Output> {
  readonly planned: Planned<Caller, unknown>
  readonly wrote: (output: Output | undefined) => void
  readonly failed: (error: unknown) => void
}

interface Lane {
  readonly waiting: Member<never>[]
}

/**
 * Runs hot statements. Each tenant has a lane: what comes while a statement of its own is under way waits, and is then written
 * together, with one lock of its counters and one commit. A group of which one member cannot be written is written
 * member by member, each in a transaction that says why not.
 */
export function createStatements(
  { db, clock, bell }: Machine,
  transactions: Transactions,
  runOperation: RunParts['runOperation'],
) {
  const lanes = new Map<Statement<never, never, unknown>, Map<string, Lane>>()

  async function writeGroup<Output>(
    statement: Statement<Caller, unknown, Output>,
    members: readonly Member<Output>[],
  ): Promise<void> {
    try {
      const outputs = await statement.write(
        db,
        members.map(({ planned }) => planned),
      )
      for (const [at, member] of members.entries()) member.wrote(outputs?.[at])
    } catch (error) {
      // It may have committed, or there was no room for it: either way, nobody may try a second time.
      const isFinal = isConnectionFailure(error) || error instanceof Refusal
      for (const member of members) isFinal ? member.failed(error) : member.wrote(undefined)
    }
  }

  async function runLane<Output>(
    statement: Statement<Caller, unknown, Output>,
    lane: { readonly waiting: Member<Output>[] },
    leave: () => void,
  ): Promise<void> {
    while (lane.waiting.length > 0) await writeGroup(statement, lane.waiting.splice(0, largestGroup))
    leave()
  }

  /** What was written, or nothing when a guard did not hold. */
  function inLane<Output>(
    statement: Statement<Caller, unknown, Output>,
    key: string,
    planned: Planned<Caller, unknown>,
  ): Promise<Output | undefined> {
    const known = statement as unknown as Statement<never, never, unknown>
    let ofStatement = lanes.get(known)
    if (!ofStatement) {
      ofStatement = new Map()
      lanes.set(known, ofStatement)
    }
    const running = ofStatement.get(key)
    const lane = running ?? { waiting: [] }
    return new Promise((wrote, failed) => {
      lane.waiting.push({ planned, wrote, failed } as Member<never>)
      if (running) return
      ofStatement.set(key, lane)
      void runLane(statement, lane as unknown as { waiting: Member<Output>[] }, () => ofStatement.delete(key))
    })
  }

  async function runStatement<C extends Caller, Input, Output>(
    statement: Statement<C, Input, Output>,
    call: Call<C, Input>,
  ): Promise<Output> {
    const { caller, origin, input, signal } = call
    const now = clock.now()
    const plan = await statement.plan(transactions.outside(caller, origin, now), input)
    signal?.throwIfAborted()
    const { tenant } = caller as Caller as TokenCaller
    const written = await inLane(
      statement as unknown as Statement<Caller, unknown, Output>,
      `${tenant.organisationId} ${tenant.mode}`,
      { plan, caller, origin, now },
    )
    if (written !== undefined) {
      bell.ring(['events'])
      return written
    }
    const output = await runOperation(
      { ...statement, kind: 'operation', prepare: async () => (context) => statement.operate(context, plan) },
      call,
      nothing,
      nothing,
    )
    if (output instanceof Refusal) throw output
    return output
  }

  return runStatement
}

const nothing = async () => {}

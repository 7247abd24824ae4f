import { setTimeout as wait } from 'node:timers/promises'
import type { Caller, TokenCaller } from '../../kernel/callers.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { CommitOutcomeUnknown, isForeignKeyViolation, isUniqueViolation, type Tx } from '../database/database.ts'
import {
  claimKey,
  findKey,
  freeKey,
  type IdempotencyClaim,
  keyHolder,
  type StoredReply,
  saveReply,
  type TakenKey,
} from './idempotency.store.ts'
import { type AnyOperation, asOperation, type Exchange, type Operation } from './operation.ts'
import type { Call, Machine } from './transactions.ts'

/** How a form turns a result into bytes: `kept` is what a repetition gets, the same but for secrets. */
export interface Sealed {
  readonly sent: StoredReply
  readonly kept: StoredReply
}
export type Seal<Output> = (output: Output) => Sealed

export interface SealedAnswer {
  readonly reply: StoredReply
  readonly replayed: boolean
}

/** How the kinds of operation run; the first and the last step of a transaction are where an Idempotency-Key joins in. */
export interface RunParts {
  readonly run: <C extends Caller, Input, Output>(
    operation: AnyOperation<C, Input, Output>,
    call: Call<C, Input>,
  ) => Promise<Output>
  readonly runOperation: <C extends Caller, Input, Output>(
    operation: Operation<C, Input, Output>,
    call: Call<C, Input>,
    claimed: (tx: Tx) => Promise<void>,
    ended: (tx: Tx, output: Output | Refusal) => Promise<void>,
  ) => Promise<Output>
  readonly runExchange: <C extends Caller, Input, Output>(
    exchange: Exchange<C, Input, Output>,
    call: Call<C, Input>,
    claimed: (tx: Tx, exchangeId: string) => Promise<void>,
    sealed: (tx: Tx, output: Output) => Promise<void>,
  ) => Promise<Output>
}

const keyLifeMs = 24 * 3600_000

/** Runs an operation at most once per Idempotency-Key, and gives its first answer again afterwards. */
export function createRunOnce({ db, clock, bell, vault }: Machine, { run, runOperation, runExchange }: RunParts) {
  /** Requests of one node with one key queue up here, so that they do not wait inside the database on connections. */
  const underWay = new Map<string, Promise<unknown>>()

  async function inTurn<Result>(turn: string, body: () => Promise<Result>): Promise<Result> {
    const before = underWay.get(turn)
    const mine = (before ?? Promise.resolve()).catch(() => {}).then(body)
    underWay.set(turn, mine)
    try {
      return await mine
    } finally {
      if (underWay.get(turn) === mine) underWay.delete(turn)
    }
  }

  function replayOf({ isForSameBody, reply }: TakenKey): SealedAnswer | undefined {
    if (!isForSameBody) throw refuse('idempotency.body_differs')
    return reply && { reply, replayed: true }
  }

  /** An exchange under the same key is out asking, perhaps on another node: wait until it is settled. */
  async function awaitExchange(tenant: Tenant, claim: IdempotencyClaim): Promise<SealedAnswer | undefined> {
    for (let tries = 0; tries < 150; tries++) {
      const key = await findKey(db, vault, tenant, claim, clock.now())
      if (!key) return undefined
      const replay = replayOf(key)
      if (replay) return replay
      await wait(200)
    }
    throw refuse('dependency.unavailable', {
      retryAfterSeconds: 5,
      away: 'first request of an idempotency key',
      message: 'The first request with this Idempotency-Key has not ended yet; try again shortly.',
    })
  }

  async function runOnce<C extends TokenCaller, Input, Output>(
    operation: AnyOperation<C, Input, Output>,
    call: Call<C, Input>,
    claim: IdempotencyClaim,
    seal: Seal<Output>,
  ): Promise<SealedAnswer> {
    const tenant = keyHolder(call.caller)
    return await inTurn(`${tenant.organisationId} ${tenant.mode} ${claim.key} ${claim.target}`, () => attempt(false))

    async function attempt(isSteps: boolean): Promise<SealedAnswer> {
      let found: TakenKey | undefined
      let reply: StoredReply | undefined
      let asked = false
      const taken = new Error('the key is taken')
      const claimed = async (tx: Tx, exchangeId: string | null = null) => {
        asked = true
        const now = clock.now()
        if (await claimKey(tx, vault, tenant, claim, exchangeId, now, new Date(now.getTime() + keyLifeMs))) return
        found = await findKey(tx, vault, tenant, claim, now)
        throw taken
      }
      const sealed = async (tx: Tx, output: Output) => {
        const { sent, kept } = seal(output)
        reply = sent
        await saveReply(tx, vault, tenant, claim, kept)
      }
      try {
        if (operation.kind === 'operation' || operation.kind === 'statement')
          await runOperation(
            operation.kind === 'statement' ? asOperation(operation, isSteps) : operation,
            call,
            claimed,
            (tx, output) => (output instanceof Refusal ? freeKey(tx, tenant, claim) : sealed(tx, output)),
          )
        else if (operation.kind === 'exchange') await runExchange(operation, call, claimed, sealed)
        else reply = seal(await run(operation, call)).sent
        // What a statement tells, it has written itself.
        if (operation.kind === 'statement') bell.ring(['events'])
        return { reply: reply as StoredReply, replayed: false }
      } catch (error) {
        // A statement that met a taken number or a vanished row broke its transaction: step by step it says what is wrong.
        const isBroken = isUniqueViolation(error) || isForeignKeyViolation(error)
        if (operation.kind === 'statement' && !isSteps && isBroken) return await attempt(true)
        // Refused before the key was looked at: what was done already is told again before what stands against it now.
        if (error instanceof CommitOutcomeUnknown || (error instanceof Refusal && !asked)) {
          const key = await findKey(db, vault, tenant, claim, clock.now())
          const replay = key && replayOf(key)
          if (replay) return replay
        }
        if (error !== taken) throw error
        const replay = found && (replayOf(found) ?? (await awaitExchange(tenant, claim)))
        return replay ?? (await attempt(isSteps))
      }
    }
  }

  return runOnce
}

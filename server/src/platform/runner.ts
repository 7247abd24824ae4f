import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Caller, publicCaller, systemCaller, type TokenCaller } from '../kernel/callers.ts'
import { newId } from '../kernel/ids.ts'
import { Refusal, refuse } from '../kernel/refusals.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { insertAuthChanges } from './auth-changes.store.ts'
import type { Authentication } from './authentication.ts'
import type { Clock } from './clock.ts'
import { CommitOutcomeUnknown, type Database, isSerializationFailure, type Tx } from './database.ts'
import { claimAbandoned, insertExchange, takeExchange } from './exchanges.store.ts'
import {
  claimKey,
  findKey,
  freeKey,
  freeKeyOfExchange,
  type IdempotencyClaim,
  type KeyRow,
  keyHolder,
  type StoredReply,
  saveReply,
} from './idempotency.store.ts'
import type { Logger } from './logger.ts'
import type {
  AbandonedExchange,
  AnyOperation,
  Exchange,
  Inside,
  Operation,
  Origin,
  Outcome,
  Outside,
} from './operation.ts'
import { insertOutboxRows, type OutboxRow } from './outbox.store.ts'
import type { Ports } from './ports.ts'
import type { RateLimiter } from './rate-limits.ts'
import type { Relay } from './relay.ts'
import type { Vault } from './secrets.ts'

/** Everything an operation runs on. */
export interface Machine {
  readonly db: Database
  readonly clock: Clock
  readonly vault: Vault
  readonly ports: Ports
  readonly limiter: RateLimiter
  /** how often a minute one account may be tried by password or code */
  readonly attemptsPerMinute: number
  readonly authentication: Authentication
  readonly relay: Relay
  readonly log: Logger
}

export interface Call<C extends Caller, Input> {
  readonly caller: C
  readonly origin: Origin
  readonly input: Input
  /** throws when the client went away: work that has written nothing yet then stops */
  readonly signal?: { throwIfAborted(): void }
}

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

export interface Runner {
  run<C extends Caller, Input, Output>(operation: AnyOperation<C, Input, Output>, call: Call<C, Input>): Promise<Output>
  /** Runs at most once per key: the bytes are stored in the transaction of their effect and given again afterwards. */
  runOnce<C extends TokenCaller, Input, Output>(
    operation: AnyOperation<C, Input, Output>,
    call: Call<C, Input>,
    claim: IdempotencyClaim,
    seal: Seal<Output>,
  ): Promise<SealedAnswer>
  /** Settles what dead processes left between asking and answering; says how many. */
  settleAbandoned(exchanges: readonly AbandonedExchange[]): Promise<number>
}

const mostTries = 4
const keyLifeMs = 24 * 3600_000
const settleAllowanceMs = 30_000
const systemOrigin: Origin = { requestId: 'system', address: '', userAgent: '' }

const tenantOf = (caller: Caller): Tenant | undefined => ('tenant' in caller ? caller.tenant : undefined)

export function createRunner(machine: Machine): Runner {
  const { db, clock, vault, ports, log } = machine

  function outside<C extends Caller>(caller: C, origin: Origin, now: Date): Outside<C> {
    return {
      db,
      caller,
      origin,
      now,
      vault,
      ports,
      log,
      throttle: async (attempt, account) => {
        const subject = `${attempt}:${hash('sha256', account)}`
        const standing = await machine.limiter.takeExactly({
          subject,
          perWindow: machine.attemptsPerMinute,
          windowSeconds: 60,
        })
        if (!standing.allowed) throw refuse('limit.exceeded', { retryAfterSeconds: standing.resetSeconds })
      },
    }
  }

  /** One transaction with its outbox and auth changes, tried again from the start when it met another. */
  async function inTransaction<C extends Caller, Result>(
    caller: C,
    origin: Origin,
    now: Date,
    signal: Call<C, unknown>['signal'] | undefined,
    body: (context: Inside<C>) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted()
      const outbox: OutboxRow[] = []
      const changed: string[] = []
      try {
        const result = await db.transaction(async (tx: Tx) => {
          const result = await body({
            tx,
            caller,
            origin,
            now,
            vault,
            ports,
            log,
            emit: (type, about, data) => {
              const { organisationId, mode = null } = about
              outbox.push({
                id: newId(),
                kind: 'event',
                name: type,
                organisationId,
                mode,
                payload: data,
                runAt: null,
                jobKey: null,
              })
            },
            enqueue: (job, payload, options = {}) => {
              const { runAt = null, key = null } = options
              outbox.push({
                id: newId(),
                kind: 'job',
                name: job.name,
                organisationId: null,
                mode: null,
                payload,
                runAt,
                jobKey: key,
              })
            },
            authChanged: (...subjects) => changed.push(...subjects),
          })
          if (outbox.length > 0) await insertOutboxRows(tx, outbox, now)
          if (changed.length > 0) await insertAuthChanges(tx, changed)
          return result
        })
        machine.authentication.forget(changed)
        if (outbox.length > 0) machine.relay.wake()
        return result
      } catch (error) {
        // Forgetting too much costs a query; forgetting too little would keep a revoked token alive.
        if (error instanceof CommitOutcomeUnknown) machine.authentication.forget(changed)
        if (!isSerializationFailure(error) || attempt === mostTries) throw error
        await wait(Math.random() * 20 * 2 ** attempt)
      }
    }
  }

  async function ask<Answer>(
    deadlineMs: number,
    question: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Outcome<Answer>> {
    const signal = AbortSignal.timeout(deadlineMs)
    const timedOut = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('deadline passed'))),
    )
    try {
      return { kind: 'answered', answer: await Promise.race([question(signal), timedOut]) }
    } catch (error) {
      return { kind: 'unknown', reason: error instanceof Error ? error.message : 'failed' }
    }
  }

  /** `claimed` and `sealed` are where an idempotency key joins in: in the first and in the last transaction. */
  async function runExchange<C extends Caller, Input, Output>(
    exchange: Exchange<C, Input, Output>,
    { caller, origin, input, signal }: Call<C, Input>,
    claimed: (tx: Tx, exchangeId: string) => Promise<void>,
    sealed: (tx: Tx, output: Output) => Promise<void>,
  ): Promise<Output> {
    const id = newId()
    const intent = await inTransaction(caller, origin, clock.now(), signal, async (context) => {
      await claimed(context.tx, id)
      const intent = await exchange.intend(context, input)
      if (intent instanceof Refusal) await freeKeyOfExchange(context.tx, id)
      else
        await insertExchange(
          context.tx,
          tenantOf(caller),
          { id, name: exchange.name, caller: traceOf(caller), intent },
          exchange.deadlineMs + settleAllowanceMs,
        )
      return intent
    })
    if (intent instanceof Refusal) throw intent
    const outcome = await ask(exchange.deadlineMs, (deadline) =>
      exchange.call({ ...outside(caller, origin, clock.now()), signal: deadline }, intent),
    )
    return await settle(exchange, caller, origin, id, intent, outcome, sealed)
  }

  async function settle<Output>(
    exchange: Pick<Exchange<never, never, Output>, 'settle'>,
    caller: Caller,
    origin: Origin,
    id: string,
    intent: object,
    outcome: Outcome<unknown>,
    sealed: (tx: Tx, output: Output) => Promise<void>,
  ): Promise<Output> {
    const output = await inTransaction(caller, origin, clock.now(), undefined, async (context) => {
      if (!(await takeExchange(context.tx, id))) throw refuse('state.changed')
      const output = await exchange.settle(context, intent, outcome)
      if (output instanceof Refusal) await freeKeyOfExchange(context.tx, id)
      else await sealed(context.tx, output)
      return output
    })
    if (output instanceof Refusal) throw output
    return output
  }

  async function runOperation<C extends Caller, Input, Output>(
    operation: Operation<C, Input, Output>,
    { caller, origin, input, signal }: Call<C, Input>,
    claimed: (tx: Tx) => Promise<void>,
    ended: (tx: Tx, output: Output | Refusal) => Promise<void>,
  ): Promise<Output> {
    const now = clock.now()
    const body = await operation.prepare(outside(caller, origin, now), input)
    const output = await inTransaction(caller, origin, now, signal, async (context) => {
      await claimed(context.tx)
      const output = await body(context)
      await ended(context.tx, output)
      return output
    })
    if (output instanceof Refusal) throw output
    return output
  }

  const nothing = async () => {}

  async function run<C extends Caller, Input, Output>(
    operation: AnyOperation<C, Input, Output>,
    call: Call<C, Input>,
  ): Promise<Output> {
    switch (operation.kind) {
      case 'reading':
        return await operation.body(outside(call.caller, call.origin, clock.now()), call.input)
      case 'operation':
        return await runOperation(operation, call, nothing, nothing)
      case 'exchange':
        return await runExchange(operation, call, nothing, nothing)
    }
  }

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

  function replayOf(row: KeyRow, claim: IdempotencyClaim): SealedAnswer | undefined {
    if (row.bodyHash !== claim.bodyHash) throw refuse('idempotency.body_differs')
    if (row.status === null || row.headers === null || row.body === null) return undefined
    return { reply: { status: row.status, headers: row.headers, body: row.body }, replayed: true }
  }

  /** An exchange under the same key is out asking, perhaps on another node: wait until it is settled. */
  async function awaitExchange(tenant: Tenant, claim: IdempotencyClaim): Promise<SealedAnswer | undefined> {
    for (let tries = 0; tries < 150; tries++) {
      const row = await findKey(db, tenant, claim, clock.now())
      if (!row) return undefined
      const replay = replayOf(row, claim)
      if (replay) return replay
      await wait(200)
    }
    throw refuse('dependency.unavailable', {
      retryAfterSeconds: 5,
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
    return await inTurn(`${tenant.organisationId} ${tenant.mode} ${claim.key} ${claim.target}`, () => attempt())

    async function attempt(): Promise<SealedAnswer> {
      let found: KeyRow | undefined
      let reply: StoredReply | undefined
      let asked = false
      const taken = new Error('the key is taken')
      const claimed = async (tx: Tx, exchangeId: string | null = null) => {
        asked = true
        const now = clock.now()
        if (await claimKey(tx, tenant, claim, exchangeId, now, new Date(now.getTime() + keyLifeMs))) return
        found = await findKey(tx, tenant, claim, now)
        throw taken
      }
      const sealed = async (tx: Tx, output: Output) => {
        const { sent, kept } = seal(output)
        reply = sent
        await saveReply(tx, tenant, claim, kept)
      }
      try {
        if (operation.kind === 'operation')
          await runOperation(operation, call, claimed, (tx, output) =>
            output instanceof Refusal ? freeKey(tx, tenant, claim) : sealed(tx, output),
          )
        else if (operation.kind === 'exchange') await runExchange(operation, call, claimed, sealed)
        else reply = seal(await run(operation, call)).sent
        return { reply: reply as StoredReply, replayed: false }
      } catch (error) {
        // Refused before the key was looked at: what was done already is told again before what stands against it now.
        if (error instanceof CommitOutcomeUnknown || (error instanceof Refusal && !asked)) {
          const row = await findKey(db, tenant, claim, clock.now())
          const replay = row && replayOf(row, claim)
          if (replay) return replay
        }
        if (error !== taken) throw error
        const replay = found && (replayOf(found, claim) ?? (await awaitExchange(tenant, claim)))
        return replay ?? (await attempt())
      }
    }
  }

  /** What a sweep needs to know of the caller; capabilities were checked when the exchange began. */
  const traceOf = (caller: Caller): object => ({ kind: caller.kind, ...(tenantOf(caller) ?? {}) })

  const settleAbandoned: Runner['settleAbandoned'] = async (exchanges) => {
    const rows = await claimAbandoned(db, 50)
    for (const row of rows) {
      const exchange = exchanges.find((candidate) => candidate.name === row.name)
      if (!exchange) {
        log.error('exchange.unknown', { reason: row.name })
        continue
      }
      const context = outside<Caller>(systemCaller, systemOrigin, clock.now())
      const outcome: Outcome<unknown> = exchange.inquire
        ? await ask(
            exchange.deadlineMs,
            (signal) => exchange.inquire?.({ ...context, signal }, row.intent) as Promise<unknown>,
          )
        : { kind: 'unknown', reason: 'the process that asked has ended' }
      await settle(exchange, systemCaller, systemOrigin, row.id, row.intent, outcome, (tx) =>
        freeKeyOfExchange(tx, row.id),
      ).catch((error: unknown) => {
        if (!(error instanceof Refusal)) log.error('exchange.settle_failed', { reason: row.name, error })
      })
    }
    return rows.length
  }

  return { run, runOnce, settleAbandoned }
}

export const publicCall = <Input>(input: Input): Call<typeof publicCaller, Input> => ({
  caller: publicCaller,
  origin: systemOrigin,
  input,
})

import { type Caller, systemCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Tx } from '../database/database.ts'
import type { Logger } from '../logger.ts'
import { claimAbandoned, insertExchange, takeExchange } from './exchanges.store.ts'
import { freeKeyOfExchange } from './idempotency.store.ts'
import type { AbandonedExchange, Exchange, Origin, Outcome } from './operation.ts'
import type { Call, Machine, Transactions } from './transactions.ts'

const settleAllowanceMs = 30_000
const systemOrigin: Origin = { requestId: 'system', address: '', userAgent: '' }

const tenantOf = (caller: Caller): Tenant | undefined => ('tenant' in caller ? caller.tenant : undefined)

/** A mistake of our own, and not a party that does not answer. */
const isOurMistake = (error: unknown): boolean =>
  [TypeError, ReferenceError, RangeError, SyntaxError].some((kind) => error instanceof kind)

/** Asks within the deadline. Why there was no answer is logged: whoever is told "unknown" cannot find out any more. */
async function ask<Answer>(
  { name, deadlineMs }: Pick<AbandonedExchange, 'name' | 'deadlineMs'>,
  log: Logger,
  question: (signal: AbortSignal) => Promise<Answer>,
): Promise<Outcome<Answer>> {
  const signal = AbortSignal.timeout(deadlineMs)
  const timedOut = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error('deadline passed'))),
  )
  try {
    return { kind: 'answered', answer: await Promise.race([question(signal), timedOut]) }
  } catch (error) {
    log[isOurMistake(error) ? 'error' : 'warn']('exchange.unanswered', { reason: name, error })
    return { kind: 'unknown', reason: error instanceof Error ? error.message : 'failed' }
  }
}

/** Runs questions to outside parties, and ends those that a dead process had begun. */
export function createExchanges({ db, clock, log }: Machine, transactions: Transactions) {
  /** `claimed` and `sealed` are where an idempotency key joins in: in the first and in the last transaction. */
  async function runExchange<C extends Caller, Input, Output>(
    exchange: Exchange<C, Input, Output>,
    { caller, origin, input, signal }: Call<C, Input>,
    claimed: (tx: Tx, exchangeId: string) => Promise<void>,
    sealed: (tx: Tx, output: Output) => Promise<void>,
  ): Promise<Output> {
    const id = newId()
    const intent = await transactions.inside(caller, origin, clock.now(), signal, async (context) => {
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
    const outcome = await ask(exchange, log, (deadline) =>
      exchange.call({ ...transactions.outside(caller, origin, clock.now()), signal: deadline }, intent),
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
    const output = await transactions.inside(caller, origin, clock.now(), undefined, async (context) => {
      if (!(await takeExchange(context.tx, id))) throw refuse('state.changed')
      const output = await exchange.settle(context, intent, outcome)
      if (output instanceof Refusal) await freeKeyOfExchange(context.tx, id)
      else await sealed(context.tx, output)
      return output
    })
    if (output instanceof Refusal) throw output
    return output
  }

  /** What a sweep needs to know of the caller; capabilities were checked when the exchange began. */
  const traceOf = (caller: Caller): object => ({ kind: caller.kind, ...(tenantOf(caller) ?? {}) })

  /** Settles what dead processes left between asking and answering; says how many. */
  async function settleAbandoned(exchanges: readonly AbandonedExchange[]): Promise<number> {
    const rows = await claimAbandoned(db, 50)
    for (const row of rows) {
      const exchange = exchanges.find((candidate) => candidate.name === row.name)
      if (!exchange) {
        log.error('exchange.unknown', { reason: row.name })
        continue
      }
      const context = transactions.outside<Caller>(systemCaller, systemOrigin, clock.now())
      const outcome: Outcome<unknown> = exchange.inquire
        ? await ask(
            exchange,
            log,
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

  return { runExchange, settleAbandoned }
}

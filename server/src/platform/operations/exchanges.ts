import { type Caller, systemCaller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Tx } from '../database/database.ts'
import { attemptsAt } from '../work/failing-items.ts'
import { claimAbandoned, type Hearer, insertExchange, saveLate, takeExchange } from './exchanges.store.ts'
import { freeKeyOfExchange, keepOutput } from './idempotency.store.ts'
import type { AbandonedExchange, Exchange, Inside, Origin, Outcome } from './operation.ts'
import type { Call, Runtime, Transactions } from './transactions.ts'

/** A process that got its answer has this long to settle it before a sweep takes it for dead. */
const settleAllowanceMs = 30_000
const sweptAtOnce = 50
const systemOrigin: Origin = { requestId: 'system', address: '', userAgent: '' }

const nothing = () => {}
const tenantOf = (caller: Caller): Tenant | undefined => ('tenant' in caller ? caller.tenant : undefined)

/** A mistake of our own, and not a party that does not answer. */
const isOurMistake = (error: unknown): boolean =>
  [TypeError, ReferenceError, RangeError, SyntaxError].some((kind) => error instanceof kind)

interface Asked<Answer> {
  readonly outcome: Outcome<Answer>
  /** what the party says in the end, where it had not in time */
  readonly question: Promise<Answer>
}

/** Asks within the deadline. Why there was no answer is logged: whoever is told "unknown" cannot find out any more. */
async function ask<Answer>(
  { name, deadlineMs }: Pick<AbandonedExchange, 'name' | 'deadlineMs'>,
  { log, longestPatienceMs = deadlineMs }: Pick<Runtime, 'log' | 'longestPatienceMs'>,
  question: (signal: AbortSignal) => Promise<Answer>,
): Promise<Asked<Answer>> {
  const signal = AbortSignal.timeout(Math.min(deadlineMs, longestPatienceMs))
  const timedOut = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error('deadline passed'))),
  )
  const asked = question(signal)
  try {
    return { outcome: { kind: 'answered', answer: await Promise.race([asked, timedOut]) }, question: asked }
  } catch (error) {
    log[isOurMistake(error) ? 'error' : 'warn']('exchange.unanswered', { reason: name, error })
    const reason = error instanceof Error ? error.message : 'failed'
    return { outcome: { kind: 'unknown', reason }, question: asked }
  }
}

/** Runs questions to outside parties, and ends those that a dead process had begun. */
export function createExchanges(runtime: Runtime, transactions: Transactions) {
  const { db, clock, log, vault } = runtime
  /** `claimed` and `keepReply` are where an idempotency key joins in: in the first and in the last transaction. */
  async function runExchange<C extends Caller, Input, Output>(
    exchange: Exchange<C, Input, Output>,
    { caller, origin, input, signal }: Call<C, Input>,
    claimed: (tx: Tx, exchangeId: string) => Promise<void>,
    keepReply: (tx: Tx, output: Output) => Promise<void>,
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
    const { outcome, question } = await ask(exchange, runtime, (deadline) =>
      exchange.call({ ...transactions.outside(caller, origin, clock.now()), signal: deadline }, intent),
    )
    const settling = settle(exchange, caller, origin, id, intent, outcome, keepReply, 'process')
    if (outcome.kind === 'unknown')
      takeLate(exchange.name, question, settling, (late) =>
        settle(exchange, caller, origin, id, intent, late, keptFor(id), 'process'),
      )
    return await settling
  }

  /** The deadline was ours: the party may yet say what it did, and that is settled behind what was settled without it. */
  function takeLate(
    name: string,
    question: Promise<unknown>,
    settling: Promise<unknown>,
    settleLate: (outcome: Outcome<unknown>) => Promise<unknown>,
  ): void {
    const settled = settling.then(nothing, nothing)
    question
      .then(async (answer) => {
        await settled
        await settleLate({ kind: 'answered', answer }).catch(settleFailed(name))
      })
      .catch(nothing)
  }

  async function settle<Output>(
    exchange: Pick<Exchange<never, never, Output>, 'settle' | 'name'>,
    caller: Caller,
    origin: Origin,
    id: string,
    intent: object,
    outcome: Outcome<unknown>,
    keepReply: (tx: Tx, output: Output) => Promise<void>,
    heardBy: Hearer,
  ): Promise<Output> {
    const output = await transactions.inside(caller, origin, clock.now(), undefined, async (context) => {
      if (!(await takeExchange(context.tx, id, outcome)))
        return await settleLate(exchange, context, id, intent, outcome, heardBy)
      const output = await exchange.settle(context, intent, outcome)
      if (output instanceof Refusal) await freeKeyOfExchange(context.tx, id)
      else await keepReply(context.tx, output)
      return output
    })
    if (output instanceof Refusal) throw output
    return output
  }

  /** Somebody has settled it meanwhile: an answer counts all the same. What the key was answered with stays as it is. */
  async function settleLate<Output>(
    exchange: Pick<Exchange<never, never, Output>, 'settle' | 'name'>,
    context: Inside<Caller>,
    id: string,
    intent: object,
    outcome: Outcome<unknown>,
    heardBy: Hearer,
  ): Promise<Output | Refusal> {
    if (outcome.kind === 'unknown' || !(await saveLate(context.tx, id, heardBy))) throw refuse('state.changed')
    log.warn('exchange.late', { reason: exchange.name })
    return await exchange.settle(context, intent, { ...outcome, late: true })
  }

  /** Where nobody waits for what was settled any more, a failure is told to the log alone. */
  const settleFailed = (name: string) => (error: unknown) => {
    if (!(error instanceof Refusal)) log.error('exchange.settle_failed', { reason: name, error })
  }

  /** What was settled with a refusal is settled. */
  const unlessRefused = (error: unknown): undefined => {
    if (error instanceof Refusal) return undefined
    throw error
  }

  /** What a sweep needs to know of the caller; capabilities were checked when the exchange began. */
  const traceOf = (caller: Caller): object => ({ kind: caller.kind, ...(tenantOf(caller) ?? {}) })

  /** Who repeats the request is told what came of it; the bytes are made for them, by their form. */
  const keptFor = (id: string) => (tx: Tx, output: unknown) => keepOutput(tx, vault, id, output)

  async function inquire(
    exchange: AbandonedExchange,
    intent: object,
  ): Promise<Pick<Asked<unknown>, 'outcome'> & Partial<Asked<unknown>>> {
    const { name, inquire } = exchange
    const ended = 'the process that asked has ended'
    if ('none' in inquire) {
      log.warn('exchange.abandoned', { reason: `${name}: ${inquire.none}` })
      return { outcome: { kind: 'unknown', reason: ended } }
    }
    const context = transactions.outside<Caller>(systemCaller, systemOrigin, clock.now())
    const { outcome, question } = await ask(exchange, runtime, (signal) => inquire({ ...context, signal }, intent))
    if (outcome.kind === 'answered') return { outcome }
    return { outcome: { ...outcome, reason: `${ended}; ${outcome.reason}` }, question }
  }

  /** Settles what dead processes left between asking and answering; says how many. */
  async function settleAbandoned(exchanges: readonly AbandonedExchange[]): Promise<number> {
    const rows = await claimAbandoned(db, sweptAtOnce)
    if (rows.length === 0) return 0
    // One that cannot be settled is noted, and claimed again later; the others go on.
    const attempt = await attemptsAt(runtime, 'exchange.not_settled')
    for (const row of rows) {
      const exchange = exchanges.find((candidate) => candidate.name === row.name)
      if (!exchange) {
        log.error('exchange.unknown', { reason: row.name })
        continue
      }
      const item = { ...row.caller, id: row.id }
      await attempt(item, async () => {
        const { outcome, question } = await inquire(exchange, row.intent)
        const settleWith = (outcome: Outcome<unknown>) =>
          settle(exchange, systemCaller, systemOrigin, row.id, row.intent, outcome, keptFor(row.id), 'sweep')
        const settling = settleWith(outcome)
        if (question) takeLate(row.name, question, settling, settleWith)
        await settling.catch(unlessRefused)
      })
    }
    return rows.length
  }

  return { runExchange, settleAbandoned }
}

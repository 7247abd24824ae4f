import { type Caller, systemCaller } from '../../kernel/callers.ts'
import { newId, type OrganisationId } from '../../kernel/ids.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Tx } from '../database/database.ts'
import { attemptsAt } from '../jobs/failing-items.ts'
import { type AnsweredTo, claimAbandoned, insertExchange, saveLate, takeExchange } from './exchanges.store.ts'
import { type ExchangeRef, freeKeyOfExchange, keepOutput, keyHolder } from './idempotency.store.ts'
import type { AbandonedExchange, CallOutcome, Exchange, Inside, Origin } from './operation.ts'
import type { KeySteps } from './run-once.ts'
import { type Times, timesOf } from './times.ts'
import type { Call, Runtime, Transactions } from './transactions.ts'

/** A process that has its answer gets this much time to settle it. Then a sweep treats the process as dead. */
const settleAllowanceMs = 30_000
const sweptAtOnce = 50
const systemOrigin: Origin = { requestId: 'system', address: '', userAgent: '' }

const nothing = () => {}
const tenantOf = (caller: Caller): Tenant | undefined => ('tenant' in caller ? caller.tenant : undefined)
const keyHolderOf = (caller: Caller): OrganisationId | null =>
  'tenant' in caller ? keyHolder(caller).organisationId : null

/** A bug of ours, as opposed to a party that does not answer. */
const isOurMistake = (error: unknown): boolean =>
  [TypeError, ReferenceError, RangeError, SyntaxError].some((kind) => error instanceof kind)

/** Who settles an exchange, and the time when it does. */
interface SettledBy {
  readonly caller: Caller
  readonly origin: Origin
  readonly timesNow: () => Times | Promise<Times>
}

interface AnsweredCall<Answer> {
  readonly outcome: CallOutcome<Answer>
  /** the party's answer after the deadline */
  readonly pendingAnswer: Promise<Answer>
}

/** Calls the outside party within the deadline. Logs why there was no answer, because the outcome `unknown` does not contain the reason. */
async function ask<Answer>(
  { name, deadlineMs }: Pick<AbandonedExchange, 'name' | 'deadlineMs'>,
  { log, longestPatienceMs = deadlineMs }: Pick<Runtime, 'log' | 'longestPatienceMs'>,
  question: (signal: AbortSignal) => Promise<Answer>,
): Promise<AnsweredCall<Answer>> {
  const signal = AbortSignal.timeout(Math.min(deadlineMs, longestPatienceMs))
  const timedOut = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error('deadline passed'))),
  )
  const asked = question(signal)
  try {
    return { outcome: { kind: 'answered', answer: await Promise.race([asked, timedOut]) }, pendingAnswer: asked }
  } catch (error) {
    log[isOurMistake(error) ? 'error' : 'warn']('exchange.unanswered', { reason: name, error })
    const reason = error instanceof Error ? error.message : 'failed'
    return { outcome: { kind: 'unknown', reason }, pendingAnswer: asked }
  }
}

/** Runs calls to outside parties, and settles the exchanges of dead processes. */
export function createExchanges(runtime: Runtime, transactions: Transactions) {
  const { db, log, vault } = runtime
  /** The first transaction takes the Idempotency-Key, and the last one stores its reply. */
  async function runExchange<C extends Caller, Input, Output>(
    exchange: Exchange<C, Input, Output>,
    { caller, origin, input, signal }: Call<C, Input>,
    key: KeySteps<Output> | undefined,
  ): Promise<Output> {
    const id = newId()
    const ref: ExchangeRef = [id, keyHolderOf(caller)]
    const timesNow = () => timesOf(runtime, exchange, caller, input)
    const intent = await transactions.inside({ caller, origin, signal, ...(await timesNow()) }, async (context) => {
      await key?.take(context.tx, id)
      const intent = await exchange.intend(context, input)
      if (intent instanceof Refusal) await freeKeyOfExchange(context.tx, ref)
      else
        await insertExchange(
          context.tx,
          tenantOf(caller),
          { id, name: exchange.name, caller: storedCallerOf(caller), intent },
          exchange.deadlineMs + settleAllowanceMs,
        )
      return intent
    })
    if (intent instanceof Refusal) throw intent
    const outside = transactions.outside({ caller, origin, ...(await timesNow()) })
    const { outcome, pendingAnswer } = await ask(exchange, runtime, (deadline) =>
      exchange.call({ ...outside, signal: deadline }, intent),
    )
    const by = { caller, origin, timesNow }
    const settling = settle(exchange, by, ref, intent, outcome, key?.keep, 'process')
    if (outcome.kind === 'unknown')
      takeLate(exchange.name, pendingAnswer, settling, (late) =>
        settle(exchange, by, ref, intent, late, keptFor(ref), 'process'),
      )
    return await settling
  }

  /** The deadline is ours, and the party may still answer after it. A late answer is settled after the outcome without it. */
  function takeLate(
    name: string,
    pendingAnswer: Promise<unknown>,
    settling: Promise<unknown>,
    settleLate: (outcome: CallOutcome<unknown>) => Promise<unknown>,
  ): void {
    const settled = settling.then(nothing, nothing)
    pendingAnswer
      .then(async (answer) => {
        await settled
        await settleLate({ kind: 'answered', answer }).catch(settleFailed(name))
      })
      .catch(nothing)
  }

  async function settle<Output>(
    exchange: Pick<Exchange<never, never, Output>, 'settle' | 'name'>,
    { caller, origin, timesNow }: SettledBy,
    ref: ExchangeRef,
    intent: object,
    outcome: CallOutcome<unknown>,
    keepReply: KeySteps<Output>['keep'] | undefined,
    answered: AnsweredTo,
  ): Promise<Output> {
    const output = await transactions.inside({ caller, origin, ...(await timesNow()) }, async (context) => {
      if (!(await takeExchange(context.tx, ref[0], outcome)))
        return await settleLate(exchange, context, ref[0], intent, outcome, answered)
      const output = await exchange.settle(context, intent, outcome)
      if (output instanceof Refusal) await freeKeyOfExchange(context.tx, ref)
      else await keepReply?.(context.tx, output)
      return output
    })
    if (output instanceof Refusal) throw output
    return output
  }

  /** An answer counts even if somebody else settled the exchange meanwhile. The stored reply of the key stays as it is. */
  async function settleLate<Output>(
    exchange: Pick<Exchange<never, never, Output>, 'settle' | 'name'>,
    context: Inside<Caller>,
    id: string,
    intent: object,
    outcome: CallOutcome<unknown>,
    answered: AnsweredTo,
  ): Promise<Output | Refusal> {
    if (outcome.kind === 'unknown' || !(await saveLate(context.tx, id, answered))) throw refuse('state.changed')
    log.warn('exchange.late', { reason: exchange.name })
    return await exchange.settle(context, intent, { ...outcome, late: true })
  }

  /** No caller waits for a late settlement, so an error goes only to the log. */
  const settleFailed = (name: string) => (error: unknown) => {
    if (!(error instanceof Refusal)) log.error('exchange.settle_failed', { reason: name, error })
  }

  /** A settlement that ends in a refusal is final. */
  const unlessRefused = (error: unknown): undefined => {
    if (error instanceof Refusal) return undefined
    throw error
  }

  /** What a sweep needs to know about the caller. The capabilities were checked when the exchange began. */
  const storedCallerOf = (caller: Caller): object => ({
    kind: caller.kind,
    ...tenantOf(caller),
    keyHolderId: keyHolderOf(caller),
  })

  /** Stores the outcome for a repeated request. The form of the repeating caller encodes the reply. */
  const keptFor = (ref: ExchangeRef) => (tx: Tx, output: unknown) => keepOutput(tx, vault, ref, output)

  async function inquire(
    exchange: AbandonedExchange,
    { caller, origin, timesNow }: SettledBy,
    intent: object,
  ): Promise<Pick<AnsweredCall<unknown>, 'outcome'> & Partial<AnsweredCall<unknown>>> {
    const { name, inquire } = exchange
    const ended = 'the process that asked has ended'
    if ('none' in inquire) {
      log.warn('exchange.abandoned', { reason: `${name}: ${inquire.none}` })
      return { outcome: { kind: 'unknown', reason: ended } }
    }
    const context = transactions.outside<Caller>({ caller, origin, ...(await timesNow()) })
    const { outcome, pendingAnswer } = await ask(exchange, runtime, (signal) => inquire({ ...context, signal }, intent))
    if (outcome.kind === 'answered') return { outcome }
    return { outcome: { ...outcome, reason: `${ended}; ${outcome.reason}` }, pendingAnswer }
  }

  /** Settles exchanges whose process died between the call and the answer; returns how many. */
  async function settleAbandoned(exchanges: readonly AbandonedExchange[]): Promise<number> {
    const rows = await claimAbandoned(db, sweptAtOnce)
    if (rows.length === 0) return 0
    // An exchange that fails here is logged and claimed again later; the others continue.
    const attempt = await attemptsAt(runtime, 'exchange.not_settled')
    for (const row of rows) {
      const exchange = exchanges.find((candidate) => candidate.name === row.name)
      if (!exchange) {
        log.error('exchange.unknown', { reason: row.name })
        continue
      }
      // Nodes of the previous version stored no owner of the key.
      const { keyHolderId = row.caller.organisationId ?? null, ...tenant } = row.caller
      const ref: ExchangeRef = [row.id, keyHolderId]
      const item = { ...tenant, id: row.id }
      await attempt(item, async () => {
        const by: SettledBy = {
          caller: systemCaller,
          origin: systemOrigin,
          timesNow: () => timesOf(runtime, exchange, systemCaller, { ...row.intent, ...tenant }),
        }
        const { outcome, pendingAnswer } = await inquire(exchange, by, row.intent)
        const settleWith = (outcome: CallOutcome<unknown>) =>
          settle(exchange, by, ref, row.intent, outcome, keptFor(ref), 'sweep')
        const settling = settleWith(outcome)
        if (pendingAnswer) takeLate(row.name, pendingAnswer, settling, settleWith)
        await settling.catch(unlessRefused)
      })
    }
    return rows.length
  }

  return { runExchange, settleAbandoned }
}

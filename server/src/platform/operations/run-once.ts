import { setTimeout as wait } from 'node:timers/promises'
import type { Caller, TokenCaller } from '../../kernel/callers.ts'
import { Refusal, refuse } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { CommitOutcomeUnknown, isConnectionFailure, type Tx } from '../database/database.ts'
import {
  claimKey,
  findKey,
  freeKey,
  type IdempotencyClaim,
  type KeyedReply,
  keyedReply,
  keyHolder,
  type StoredReply,
  saveReply,
  type TakenKey,
  type TemplatedReply,
} from './idempotency.store.ts'
import type { AnyOperation, Statement } from './operation.ts'
import { fillTemplate, hasPlaceholder, placeholders, type ReturnedValues, templateOf } from './reply-template.ts'
import type { Call, Runtime } from './transactions.ts'

/** How a form turns a result into bytes. `kept` is what a repeated request gets: the same without secrets. */
export interface EncodedReply {
  readonly sent: StoredReply
  readonly kept: StoredReply
}
export type EncodeReply<Output> = (output: Output) => EncodedReply

export interface KeyedResult {
  readonly reply: StoredReply
  readonly replayed: boolean
}

/** The part of an Idempotency-Key in a run: the key is taken with the first effect, and its reply is stored with the last. */
export interface KeySteps<Output> {
  take(tx: Tx, exchangeId?: string): Promise<void>
  keep(tx: Tx, output: Output): Promise<void>
  /** after a refusal that commits */
  free(tx: Tx): Promise<void>
  /** the reply that a hot statement stores with its plan; `undefined` if the reply cannot be made before the effect */
  replyBefore(statement: ReplyParts<Output>, plan: unknown): KeyedReply | undefined
  /** the hot statement has stored that reply */
  wrote(returned: ReturnedValues): void
}

type ReplyParts<Output> = Pick<Statement<never, never, Output>, 'output' | 'returning'>

type Run = <C extends Caller, Input, Output>(
  operation: AnyOperation<C, Input, Output>,
  call: Call<C, Input>,
  key: KeySteps<Output>,
) => Promise<Output>

const keyLifeMs = 24 * 3600_000
const lastsUntil = (now: Date): Date => new Date(now.getTime() + keyLifeMs)

/** A repeated request waits for the running exchange of the first one, up to the time limit of a request. */
const awaitExchangeMs = 30_000
const lookEveryMs = 200

/** `undefined` if the reply cannot be made beforehand: a secret is shown once, and only JSON strings in bodies can be blanks. */
function templatedReply({ sent, kept }: EncodedReply): TemplatedReply | undefined {
  if (kept !== sent) return undefined
  const { status, headers, body } = sent
  const template = templateOf(body)
  if (!template || Object.values(headers).some(hasPlaceholder)) return undefined
  return { status, headers, template }
}

/** Another request has the key. */
class KeyTaken extends Error {
  override readonly name = 'KeyTaken'
  readonly by: TakenKey | undefined
  constructor(by: TakenKey | undefined) {
    super('the key is taken')
    this.by = by
  }
}

/** Runs an operation at most once per Idempotency-Key. A repeated request gets the first reply. */
export function createRunOnce({ db, clock, vault }: Runtime, run: Run) {
  /** Requests of one node with the same key queue here, so that they do not block connections while they wait in the database. */
  const underWay = new Map<string, Promise<unknown>>()

  function afterSameKey<Result>(turn: string, body: (isFirst: boolean) => Promise<Result>): Promise<Result> {
    const before = underWay.get(turn)
    const mine = before ? before.catch(() => {}).then(() => body(false)) : body(true)
    underWay.set(turn, mine)
    const leave = () => {
      if (underWay.get(turn) === mine) underWay.delete(turn)
    }
    // Not `finally`: its promise would be rejected without a handler.
    mine.then(leave, leave)
    return mine
  }

  /** If a sweep settled the exchange of a dead process, the first repeated request encodes the outcome in its own form. */
  async function replayOf<Output>(
    tenant: Tenant,
    claim: IdempotencyClaim,
    { isForSameBody, reply, output }: TakenKey,
    encode: EncodeReply<Output>,
  ): Promise<KeyedResult | undefined> {
    if (!isForSameBody) throw refuse('idempotency.body_differs')
    if (reply) return { reply, replayed: true }
    if (!output) return undefined
    const { kept } = encode(output.value as Output)
    await db.transaction((tx) => saveReply(tx, vault, tenant, claim, kept))
    const first = await findKey(db, vault, tenant, claim, clock.now())
    return first?.reply && { reply: first.reply, replayed: true }
  }

  /** An exchange under the same key is running, perhaps on another node: wait until it is settled. */
  async function awaitExchange<Output>(
    tenant: Tenant,
    claim: IdempotencyClaim,
    encode: EncodeReply<Output>,
  ): Promise<KeyedResult | undefined> {
    for (const until = performance.now() + awaitExchangeMs; performance.now() < until; ) {
      const key = await findKey(db, vault, tenant, claim, clock.now())
      if (!key) return undefined
      const replay = await replayOf(tenant, claim, key, encode)
      if (replay) return replay
      await wait(lookEveryMs)
    }
    throw refuse('dependency.unavailable', {
      retryAfterSeconds: 5,
      away: 'first request of an idempotency key',
      message: 'The first request with this Idempotency-Key has not ended yet; try again shortly.',
    })
  }

  function runOnce<C extends TokenCaller, Input, Output>(
    operation: AnyOperation<C, Input, Output>,
    call: Call<C, Input>,
    claim: IdempotencyClaim,
    encode: EncodeReply<Output>,
  ): Promise<KeyedResult> {
    const tenant = keyHolder(call.caller)
    /** Whether this run has reached its key. A refusal before that says nothing about an earlier request with the key. */
    let hasAskedForKey = false
    return afterSameKey(`${tenant.organisationId} ${tenant.mode} ${claim.key} ${claim.target}`, (isFirst) =>
      isFirst ? runOrReplay() : replayOrRun(),
    )

    /** A request that waited for another with the same key will most likely find the reply. */
    async function replayOrRun(): Promise<KeyedResult> {
      return (await findReplay()) ?? (await runOrReplay())
    }

    async function findReplay(): Promise<KeyedResult | undefined> {
      const key = await findKey(db, vault, tenant, claim, clock.now())
      return key && (await replayOf(tenant, claim, key, encode))
    }

    /** Runs the operation with the key, and returns its reply. */
    async function carryOut(): Promise<StoredReply> {
      let reply: StoredReply | undefined
      let templated: TemplatedReply | undefined
      const output = await run(operation, call, {
        async take(tx, exchangeId) {
          hasAskedForKey = true
          const now = clock.now()
          if (await claimKey(tx, vault, tenant, claim, exchangeId ?? null, now, lastsUntil(now))) return
          throw new KeyTaken(await findKey(tx, vault, tenant, claim, now))
        },
        async keep(tx, output) {
          const { sent, kept } = encode(output)
          await saveReply(tx, vault, tenant, claim, kept)
          reply = sent
        },
        free: (tx) => freeKey(tx, tenant, claim),
        replyBefore(statement, plan) {
          templated = templatedReply(encode(statement.output(plan, placeholders(statement.returning))))
          const now = clock.now()
          return templated && keyedReply(vault, tenant, claim, templated, now, lastsUntil(now))
        },
        wrote(returned) {
          if (!templated) return
          const { status, headers, template } = templated
          reply = { status, headers, body: fillTemplate(template, returned) }
        },
      })
      // A reading stores no reply. An exchange whose answer came late stored the reply that it gave before.
      return reply ?? encode(output).sent
    }

    async function runOrReplay(): Promise<KeyedResult> {
      hasAskedForKey = false
      try {
        return { reply: await carryOut(), replayed: false }
      } catch (error) {
        if (error instanceof KeyTaken) return (await answerOf(error.by)) ?? (await runOrReplay())
        // The request may have committed, or it was refused before the key was read. A stored reply wins over a refusal of today.
        const mayBeDone = error instanceof CommitOutcomeUnknown || isConnectionFailure(error)
        const replay = mayBeDone || (error instanceof Refusal && !hasAskedForKey) ? await findReplay() : undefined
        if (!replay) throw error
        return replay
      }
    }

    /** The reply of the request that took the key, once that reply exists; `undefined` if the key was freed. */
    async function answerOf(taken: TakenKey | undefined): Promise<KeyedResult | undefined> {
      if (!taken) return undefined
      return (await replayOf(tenant, claim, taken, encode)) ?? (await awaitExchange(tenant, claim, encode))
    }
  }

  return runOnce
}

import type { Caller } from '../../kernel/callers.ts'
import type { Capability } from '../../kernel/capabilities.ts'
import type { EventPayloads } from '../../kernel/event-payloads.ts'
import type { EventScope, EventType } from '../../kernel/events.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Refusal, RefusalName } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Settings } from '../config.ts'
import type { Queryable, Tx } from '../database/database.ts'
import type { Actor } from '../events/actors.ts'
import type { Job } from '../jobs/jobs.ts'
import type { Topic } from '../jobs/wake-up.ts'
import type { Tries } from '../limits/throttle.ts'
import type { Logger } from '../logger.ts'
import type { Vault } from '../secrets/secrets.ts'
import type { GoneSignal } from '../threads/task-queue.ts'
import type { KeyedReply } from './idempotency.store.ts'
import type { Ports } from './ports.ts'
import type { ReturnedValues } from './reply-template.ts'

/** Where a request came from, for the audit log and for throttling. */
export interface Origin {
  readonly requestId: string
  readonly address: string
  readonly userAgent: string
}

/**
 * The capabilities that a caller needs. Either a fixed list or, if they depend on the input: `all` are always needed, at least one of
 * `oneOf` is needed, and `by` gives exactly what this input needs. `all` and `oneOf` are checked before the input is read.
 */
export type Needs<Input> = readonly Capability[] | NeedsByInput<Input>

export interface NeedsByInput<Input> {
  readonly all: readonly Capability[]
  readonly oneOf: readonly Capability[]
  readonly by: (input: Input) => readonly Capability[]
}

export interface OperationRules<Input> {
  readonly needs: Needs<Input>
  /** the refusals of this operation, beyond those that every route has; each form documents and maps them */
  readonly refuses: readonly RefusalName[]
  /** operations that spend real money need a session in live mode */
  readonly liveOnly?: true
  /**
   * `now` is the real time, also in a sandbox that was moved forward: for security, for what both modes share, and for parties outside who
   * do not live in the moved time
   */
  readonly time?: 'real'
  /** a reading that never uses a replica */
  readonly usesPrimary?: true
  /** it locks a tenant's credits for several steps: only a few run at a time for each tenant, and the others wait without a connection */
  readonly inTurn?: true
}

/** What an operation may use before and outside its transaction. */
export interface Outside<C extends Caller> {
  readonly db: Queryable
  readonly caller: C
  readonly origin: Origin
  /** the business time of the caller's tenant; for background work, of the tenant in its input */
  readonly now: Date
  readonly realNow: Date
  /** the business time of another tenant: for callers without one */
  nowOf(tenant: Tenant): Promise<Date>
  readonly vault: Vault
  readonly ports: Ports
  readonly settings: Settings
  readonly log: Logger
  /** throws once the caller has disconnected or got its reply; a task that waits for a thread then leaves its queue */
  readonly gone?: GoneSignal | undefined
  /**
   * Counts one try of an action with a guessable value, over all nodes, by account and network. Refuses if this network, or all networks unknown to the
   * account together, made too many tries.
   */
  throttle(action: string, account: string, tries?: Tries): Promise<void>
}

/** The subject of an event. Mode and version are present if its type has them. */
export type EventSubject<Type extends EventType> = AnySubject & EventScope<Type>

interface AnySubject {
  readonly organisationId: OrganisationId
  readonly objectId: string
  /** the actor, if the caller is not the actor: a person who was created just now */
  readonly actor?: Actor
  /** the origin, if readers of the event must not see the caller's own */
  readonly origin?: Pick<Origin, 'address' | 'userAgent'>
}

/** What an operation may use inside its transaction. */
export interface Inside<C extends Caller> extends Omit<Outside<C>, 'db' | 'throttle' | 'gone'> {
  readonly tx: Tx
  /** writes an event to the event log; it exists only if the transaction commits */
  emit<Type extends EventType>(type: Type, about: EventSubject<Type>, data: EventPayloads[Type]): void
  /**
   * enqueues a job; the job exists only if the transaction commits. Its turn belongs to `turn` if given, otherwise to the organisation in
   * the payload, otherwise to the caller's organisation.
   */
  enqueue<Payload extends object>(
    job: Job<Payload>,
    payload: Payload,
    options?: { dueAt?: Date; key?: string; turn?: OrganisationId },
  ): void
  /** wakes up queues with tables of their own, once the transaction has committed */
  wake(topic: Topic): void
  /** makes every node check the tokens of these subjects again */
  authChanged(...subjects: string[]): void
}

/** Reads in one statement or a few, without a transaction. */
export interface Reading<C extends Caller, Input, Output> extends OperationRules<Input> {
  readonly kind: 'reading'
  readonly body: (context: Outside<C>, input: Input) => Promise<Output>
}

/** The body of an operation, run in one transaction. A returned refusal commits everything that was written before it. */
type Body<C extends Caller, Output> = (context: Inside<C>) => Promise<Output | Refusal>

/** One transaction. Slow work that must not keep it open, such as hashing, belongs in `prepare`, which returns the body. */
export interface Operation<C extends Caller, Input, Output> extends OperationRules<Input> {
  readonly kind: 'operation'
  readonly prepare: (context: Outside<C>, input: Input) => Promise<Body<C, Output>>
}

/**
 * How a call to an outside party ended; `unknown` means that it may or may not have taken effect there. A `late` answer comes after the
 * exchange was settled without it. `settle` has then already run, perhaps by giving up, and others may have acted on that.
 */
export type CallOutcome<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly late?: true }
  | { readonly kind: 'unknown'; readonly reason: string }

type CallContext<C extends Caller> = Outside<C> & { readonly signal: AbortSignal }

export interface ExchangeSteps<C extends Caller, Input, Output, Intent extends object, Answer> {
  readonly name: string
  readonly deadlineMs: number
  readonly intend: (context: Inside<C>, input: Input) => Promise<Intent | Refusal>
  readonly call: (context: CallContext<C>, intent: Intent) => Promise<Answer>
  /** asks the party for the outcome of an intent whose process died, without changing anything there; or says why asking is useless */
  readonly inquire: ((context: CallContext<Caller>, intent: Intent) => Promise<Answer>) | { readonly none: string }
  /** writes the outcome; called a second time if an answer comes late */
  readonly settle: (context: Inside<Caller>, intent: Intent, outcome: CallOutcome<Answer>) => Promise<Output | Refusal>
}

/**
 * A call to an outside party. The first transaction writes the intent, the call has a deadline and no transaction, and the second
 * transaction settles it. If the process dies in between, a sweep settles the intent with `inquire`, or as unknown. The outcome is stored,
 * and so is the reply of its Idempotency-Key.
 */
export interface Exchange<C extends Caller, Input, Output>
  extends OperationRules<Input>,
    ExchangeSteps<C, Input, Output, object, unknown> {
  readonly kind: 'exchange'
}

/** What a sweep needs to know about an exchange to settle it. */
export type AbandonedExchange = Pick<
  Exchange<never, never, unknown>,
  'name' | 'time' | 'deadlineMs' | 'inquire' | 'settle'
>

/** One plan of a batch, with its caller, time and origin. */
export interface PlannedWrite<C extends Caller, Plan> {
  readonly plan: Plan
  readonly caller: C
  readonly origin: Origin
  readonly now: Date
  readonly realNow: Date
  /** its Idempotency-Key with the reply, which the statement stores (`keepingReplies`) */
  readonly keyed?: KeyedReply | undefined
}

/** One entry for each plan, in their order: the returned values, or `undefined` if a guard of the plan failed. */
export type WriteResults<S extends ReturnedValues> = readonly (S | undefined)[]

export interface StatementSteps<C extends Caller, Input, Output, Plan, S extends ReturnedValues> {
  /** decides what to write, before any lock; refuses what is already wrong */
  readonly plan: (context: Outside<C>, input: Input) => Promise<Plan>
  /** false for plans that the statement cannot write: they go to the fallback at once */
  readonly fitsStatement?: (plan: Plan) => boolean
  /** two plans with the same key are never written in one batch */
  readonly conflictKey?: (plan: Plan) => string
  /**
   * Writes plans of one tenant in one statement that commits by itself, with events and replies. The statement guards everything that
   * it relies on. Returns an entry for each plan: `undefined` sends it to the fallback. A single `undefined`: nothing was written.
   */
  readonly write: (
    db: Queryable,
    tenant: Tenant,
    planned: readonly PlannedWrite<C, Plan>[],
  ) => Promise<WriteResults<S> | undefined>
  /**
   * Like `write`, for several tenants; the plans of one tenant are all written or none. Never blocks: returns `undefined` for a plan
   * whose row is locked or whose guard fails. The caller retries those with `write`.
   */
  readonly writeShared?: (db: Queryable, planned: readonly PlannedWrite<C, Plan>[]) => Promise<WriteResults<S>>
  /** the queues to wake up once the statement has committed */
  readonly wakes?: readonly Topic[]
  /** the names of the values that the database returns */
  readonly returning: readonly (keyof S & string)[]
  /**
   * The author confirms that replies hold no secret, and nothing that the tables do not hold in plain text. The stored reply of an Idempotency-Key
   * is not encrypted. An operation with other replies cannot be a hot one.
   */
  readonly replyHasNoSecret: true
  /** the result: a pure function that uses the returned values unchanged */
  readonly output: (plan: Plan, returned: S) => Output
  /** the same for one plan, in a transaction with locks: finishes what a failed guard prevented, or refuses */
  readonly fallback: (context: Inside<C>, plan: Plan) => Promise<Output | Refusal>
}

/**
 * A hot operation: a plan, which reads in one statement if possible, and one guarded statement that writes it in one round trip. Calls of one tenant that arrive while
 * a batch of the same tenant is being written form the next batch.
 */
export interface Statement<C extends Caller, Input, Output>
  extends OperationRules<Input>,
    StatementSteps<C, Input, Output, unknown, ReturnedValues> {
  readonly kind: 'statement'
}

export type AnyOperation<C extends Caller, Input, Output> =
  | Reading<C, Input, Output>
  | Operation<C, Input, Output>
  | Statement<C, Input, Output>
  | Exchange<C, Input, Output>

export const reading = <C extends Caller, Input, Output>(
  facts: OperationRules<Input>,
  body: Reading<C, Input, Output>['body'],
): Reading<C, Input, Output> => ({ kind: 'reading', ...facts, body })

export const operation = <C extends Caller, Input, Output>(
  facts: OperationRules<Input>,
  body: (context: Inside<C>, input: Input) => Promise<Output | Refusal>,
): Operation<C, Input, Output> => ({
  kind: 'operation',
  ...facts,
  prepare: async (_, input) => (context) => body(context, input),
})

export const preparedOperation = <C extends Caller, Input, Prepared, Output>(
  facts: OperationRules<Input>,
  before: (context: Outside<C>, input: Input) => Promise<Prepared>,
  body: (context: Inside<C>, input: Input, prepared: Prepared) => Promise<Output | Refusal>,
): Operation<C, Input, Output> => ({
  kind: 'operation',
  ...facts,
  prepare: async (outside, input) => {
    const prepared = await before(outside, input)
    return (context) => body(context, input, prepared)
  },
})

export const statement = <C extends Caller, Input, Plan, S extends ReturnedValues, Output>(
  facts: OperationRules<Input>,
  steps: StatementSteps<C, Input, Output, Plan, S>,
): Statement<C, Input, Output> => ({
  kind: 'statement',
  ...facts,
  // A plan and its returned values go only between the steps of the same statement.
  ...(steps as unknown as StatementSteps<C, Input, Output, unknown, ReturnedValues>),
})

/** The fallback of a statement as an operation: for callers that need a transaction around it, or after a guard failed. */
export const fallbackOperation = <C extends Caller, Input, Output>(
  { fallback, needs, refuses, time }: Statement<C, Input, Output>,
  plan: unknown,
): Operation<C, Input, Output> => ({
  kind: 'operation',
  needs,
  refuses,
  ...(time && { time }),
  prepare: async () => (context) => fallback(context, plan),
})

export const exchange = <C extends Caller, Input, Intent extends object, Answer, Output>(
  facts: OperationRules<Input>,
  steps: ExchangeSteps<C, Input, Output, Intent, Answer>,
): Exchange<C, Input, Output> => ({
  kind: 'exchange',
  ...facts,
  // The intent and the answer go only between the steps of the same exchange.
  ...(steps as unknown as ExchangeSteps<C, Input, Output, object, unknown>),
})

/** The capabilities that an operation may require, for documentation and the access snapshot. */
export const capabilitiesOf = (needs: Needs<never>): readonly Capability[] =>
  'by' in needs ? [...needs.all, ...needs.oneOf] : needs

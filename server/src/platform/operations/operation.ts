import type { Caller } from '../../kernel/callers.ts'
import type { Capability } from '../../kernel/capabilities.ts'
import type { EventPayloads } from '../../kernel/event-payloads.ts'
import type { EventPlace, EventType } from '../../kernel/events.ts'
import type { OrganisationId } from '../../kernel/ids.ts'
import type { Refusal, RefusalName } from '../../kernel/refusals.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Settings } from '../config.ts'
import type { Queryable, Tx } from '../database/database.ts'
import type { Logger } from '../logger.ts'
import type { Vault } from '../secrets/secrets.ts'
import type { GoneSignal } from '../work/fair-queue.ts'
import type { Job } from '../work/jobs.ts'
import type { Topic } from '../work/wake-up.ts'
import type { Actor } from './actors.ts'
import type { KeyedReply } from './idempotency.store.ts'
import type { Ports } from './ports.ts'

/** Where a request came from, for the audit log and for throttling. */
export interface Origin {
  readonly requestId: string
  readonly address: string
  readonly userAgent: string
}

/**
 * What a caller must hold: a fixed list; or, where it depends on the input, what is needed in any case (`all`), what
 * at least one is needed of (`oneOf`), and exactly what this input needs (`by`). The first two are asked before the
 * input is looked at.
 */
export type Needs<Input> = readonly Capability[] | NeedsByInput<Input>

export interface NeedsByInput<Input> {
  readonly all: readonly Capability[]
  readonly oneOf: readonly Capability[]
  readonly by: (input: Input) => readonly Capability[]
}

export interface Facts<Input> {
  readonly needs: Needs<Input>
  /** the refusals that are this operation's own; the form documents and maps them */
  readonly refuses: readonly RefusalName[]
  /** what spends real money is done by somebody who has switched to live mode, never from the sandbox */
  readonly liveOnly?: true
  /** it keeps a tenant's books locked for several steps: of one tenant a few run at a time, and the others wait without a connection */
  readonly inTurn?: true
}

/** How a try is counted beside the minute that every try counts in. */
export interface Tries {
  /** the account has signed in from this network before: what others try does not count against it */
  readonly known?: boolean
  /** how many one network may make in a day */
  readonly perDay?: number
}

/** What an operation may use before and outside its transaction. */
export interface Outside<C extends Caller> {
  readonly db: Queryable
  readonly caller: C
  readonly origin: Origin
  readonly now: Date
  readonly vault: Vault
  readonly ports: Ports
  readonly settings: Settings
  readonly log: Logger
  /** throws once the caller is gone or was answered; what waits for a thread then leaves its queue */
  readonly gone?: GoneSignal | undefined
  /**
   * Counts one try at something guessable, over all nodes, by account and network; refuses when there were too many from
   * this network, or from all networks together that the account is not known to use.
   */
  throttle(attempt: string, account: string, tries?: Tries): Promise<void>
}

/** What an event is about; in which mode it happened and of which version of the object it tells, where its type has that. */
export type EventSubject<Type extends EventType> = AnySubject & EventPlace<Type>

interface AnySubject {
  readonly organisationId: OrganisationId
  readonly objectId: string
  /** who did it, where the caller does not say: a person who has only just come into being */
  readonly actor?: Actor
  /** where it came from, where that is not for those to know who read of it */
  readonly origin?: Pick<Origin, 'address' | 'userAgent'>
}

/** What an operation may use inside its transaction. */
export interface Inside<C extends Caller> extends Omit<Outside<C>, 'db' | 'throttle' | 'gone'> {
  readonly tx: Tx
  /** tells the outside that something happened; told only if the transaction commits */
  emit<Type extends EventType>(type: Type, about: EventSubject<Type>, data: EventPayloads[Type]): void
  /**
   * asks for background work; asked only if the transaction commits. It takes the turn of the organisation that the payload names,
   * or else of the one that asks, unless another `turn` is given
   */
  enqueue<Payload extends object>(
    job: Job<Payload>,
    payload: Payload,
    options?: { dueAt?: Date; key?: string; turn?: OrganisationId },
  ): void
  /** wakes those who take work from tables of their own, once the transaction has committed */
  wake(topic: Topic): void
  /** makes every node look again at tokens that concern these subjects */
  authChanged(...subjects: string[]): void
}

/** Reads in one statement or a few, without a transaction. */
export interface Reading<C extends Caller, Input, Output> extends Facts<Input> {
  readonly kind: 'reading'
  readonly body: (context: Outside<C>, input: Input) => Promise<Output>
}

/** What an operation writes, in one transaction. Returning a refusal commits what was written before it. */
type Body<C extends Caller, Output> = (context: Inside<C>) => Promise<Output | Refusal>

/** One transaction. What must not hold it open, such as slow hashing, is done in `prepare`, which gives its body. */
export interface Operation<C extends Caller, Input, Output> extends Facts<Input> {
  readonly kind: 'operation'
  readonly prepare: (context: Outside<C>, input: Input) => Promise<Body<C, Output>>
}

/**
 * How a question to an outside party ended; `unknown` means that it may or may not have had its effect there. A `late` answer comes after
 * the exchange was settled without it: whoever settles has settled before, perhaps by giving up, and others may have acted on that.
 */
export type Outcome<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly late?: true }
  | { readonly kind: 'unknown'; readonly reason: string }

type CallContext<C extends Caller> = Outside<C> & { readonly signal: AbortSignal }

export interface ExchangeSteps<C extends Caller, Input, Output, Intent extends object, Answer> {
  readonly name: string
  readonly deadlineMs: number
  readonly intend: (context: Inside<C>, input: Input) => Promise<Intent | Refusal>
  readonly call: (context: CallContext<C>, intent: Intent) => Promise<Answer>
  /** asks what became of an intent whose process died, and changes nothing there; or why there is no use in asking */
  readonly inquire: ((context: CallContext<Caller>, intent: Intent) => Promise<Answer>) | { readonly none: string }
  /** brings everything to the outcome. It may be called a second time, with an answer that comes late. */
  readonly settle: (context: Inside<Caller>, intent: Intent, outcome: Outcome<Answer>) => Promise<Output | Refusal>
}

/**
 * A question to an outside party: one transaction that writes down the intent, the call without a transaction and
 * with a deadline, one transaction that settles it. A process that dies in between leaves the intent; a sweep settles
 * it with `inquire`, or as unknown. What became of it is kept, and so is what was answered to its Idempotency-Key.
 */
export interface Exchange<C extends Caller, Input, Output>
  extends Facts<Input>,
    ExchangeSteps<C, Input, Output, object, unknown> {
  readonly kind: 'exchange'
}

/** What a sweep needs to know of an exchange to end it. */
export type AbandonedExchange = Pick<Exchange<never, never, unknown>, 'name' | 'deadlineMs' | 'inquire' | 'settle'>

/** One plan of a batch, with its caller, time and origin. */
export interface PlannedWrite<C extends Caller, Plan> {
  readonly plan: Plan
  readonly caller: C
  readonly origin: Origin
  readonly now: Date
  /** the Idempotency-Key that it was asked for under, with its answer: the statement keeps it (`keepingReplies`) */
  readonly keyed?: KeyedReply | undefined
}

/** Values that only the database knows of what it writes: texts, by name. */
export type ReturnedValues = Readonly<Record<string, string | null>>

/** One entry for each plan, in their order: the returned values, or `undefined` if a guard of the plan failed. */
export type WriteResults<S extends ReturnedValues> = readonly (S | undefined)[]

export interface StatementSteps<C extends Caller, Input, Output, Plan, S extends ReturnedValues> {
  /** decides what is to be written, before anything is locked; refuses what is wrong with it as it stands */
  readonly plan: (context: Outside<C>, input: Input) => Promise<Plan>
  /** false for plans that the statement cannot write: they go to the fallback at once */
  readonly fitsStatement?: (plan: Plan) => boolean
  /** two plans with the same key are never written in one batch */
  readonly conflictKey?: (plan: Plan) => string
  /**
   * Writes plans of one tenant in one statement that commits by itself, with events and replies. The statement guards everything that
   * it relies on. Returns `undefined` if nothing was written, and `undefined` for each plan that was not written.
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
   * Only if its replies hold no secret and nothing that the tables do not hold in plain text. The stored reply of an Idempotency-Key is
   * then not encrypted; all others are.
   */
  readonly storeReplyUnencrypted?: true
  /** the result: a pure function that uses the returned values unchanged */
  readonly output: (plan: Plan, returned: S) => Output
  /** the same for one plan, in a transaction with locks: finishes what a failed guard prevented, or refuses */
  readonly fallback: (context: Inside<C>, plan: Plan) => Promise<Output | Refusal>
}

/**
 * A hot path: a pure plan turned into one guarded statement, so that it costs one round trip. Calls of one tenant that arrive while
 * a batch of the same tenant is being written form the next batch.
 */
export interface Statement<C extends Caller, Input, Output>
  extends Facts<Input>,
    StatementSteps<C, Input, Output, unknown, ReturnedValues> {
  readonly kind: 'statement'
}

export type AnyOperation<C extends Caller, Input, Output> =
  | Reading<C, Input, Output>
  | Operation<C, Input, Output>
  | Statement<C, Input, Output>
  | Exchange<C, Input, Output>

export const reading = <C extends Caller, Input, Output>(
  facts: Facts<Input>,
  body: Reading<C, Input, Output>['body'],
): Reading<C, Input, Output> => ({ kind: 'reading', ...facts, body })

export const operation = <C extends Caller, Input, Output>(
  facts: Facts<Input>,
  body: (context: Inside<C>, input: Input) => Promise<Output | Refusal>,
): Operation<C, Input, Output> => ({
  kind: 'operation',
  ...facts,
  prepare: async (_, input) => (context) => body(context, input),
})

export const preparedOperation = <C extends Caller, Input, Prepared, Output>(
  facts: Facts<Input>,
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
  facts: Facts<Input>,
  steps: StatementSteps<C, Input, Output, Plan, S>,
): Statement<C, Input, Output> => ({
  kind: 'statement',
  ...facts,
  // A plan and its returned values pass only from a statement's own steps to its own steps.
  ...(steps as unknown as StatementSteps<C, Input, Output, unknown, ReturnedValues>),
})

/** The fallback of a statement as an operation: for callers that need a transaction around it, or after a guard failed. */
export const fallbackOperation = <C extends Caller, Input, Output>(
  { fallback, needs, refuses }: Statement<C, Input, Output>,
  plan: unknown,
): Operation<C, Input, Output> => ({
  kind: 'operation',
  needs,
  refuses,
  prepare: async () => (context) => fallback(context, plan),
})

export const exchange = <C extends Caller, Input, Intent extends object, Answer, Output>(
  facts: Facts<Input>,
  steps: ExchangeSteps<C, Input, Output, Intent, Answer>,
): Exchange<C, Input, Output> => ({
  kind: 'exchange',
  ...facts,
  // What is intended and answered passes only from an exchange's own steps to its own steps.
  ...(steps as unknown as ExchangeSteps<C, Input, Output, object, unknown>),
})

/** The capabilities that an operation may ask for, for documents and the access snapshot. */
export const capabilitiesOf = (needs: Needs<never>): readonly Capability[] =>
  'by' in needs ? [...needs.all, ...needs.oneOf] : needs

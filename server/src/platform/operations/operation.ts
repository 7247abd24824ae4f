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
import type { Topic } from '../work/bell.ts'
import type { GoneSignal } from '../work/fair-queue.ts'
import type { Job } from '../work/jobs.ts'
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

type Asking<C extends Caller> = Outside<C> & { readonly signal: AbortSignal }

export interface ExchangeSteps<C extends Caller, Input, Output, Intent extends object, Answer> {
  readonly name: string
  readonly deadlineMs: number
  readonly intend: (context: Inside<C>, input: Input) => Promise<Intent | Refusal>
  readonly call: (context: Asking<C>, intent: Intent) => Promise<Answer>
  /** asks what became of an intent whose process died, and changes nothing there; or why there is no use in asking */
  readonly inquire: ((context: Asking<Caller>, intent: Intent) => Promise<Answer>) | { readonly none: string }
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

/** One of several equal plans that are written together: whose it is, and when and where it was asked for. */
export interface Planned<C extends Caller, Plan> {
  readonly plan: Plan
  readonly caller: C
  readonly origin: Origin
  readonly now: Date
  /** the Idempotency-Key that it was asked for under, with its answer: the statement keeps it (`keepingReplies`) */
  readonly keyed?: KeyedReply | undefined
}

/** What only the database can say of what it writes: texts, by name. */
export type Said = Readonly<Record<string, string | null>>

/** What became of each plan, in their order: what was said of it, or nothing where a guard of its own did not hold. */
export type Written<S extends Said> = readonly (S | undefined)[]

export interface StatementSteps<C extends Caller, Input, Output, Plan, S extends Said> {
  /** decides what is to be written, before anything is locked; refuses what is wrong with it as it stands */
  readonly plan: (context: Outside<C>, input: Input) => Promise<Plan>
  /** plans that the statement has no words for go step by step at once */
  readonly isPlain?: (plan: Plan) => boolean
  /** of two plans about the same, the second is not written in the group of the first */
  readonly about?: (plan: Plan) => string
  /**
   * Writes plans of one tenant in one statement that commits by itself, with events and answers. It guards everything that it
   * relies on: nothing at all is written where it gives nothing, and nothing of a plan of which it says nothing.
   */
  readonly write: (
    db: Queryable,
    tenant: Tenant,
    planned: readonly Planned<C, Plan>[],
  ) => Promise<Written<S> | undefined>
  /**
   * The same for plans of several tenants, for those of each all or none. It waits for nobody: of plans whose rows somebody else holds at the moment it
   * says nothing, as of those whose guard did not hold, and they are then written with their own tenant's alone.
   */
  readonly writeShared?: (db: Queryable, planned: readonly Planned<C, Plan>[]) => Promise<Written<S>>
  /** who takes what it writes from a table of its own; woken once it is committed */
  readonly wakes?: readonly Topic[]
  /** the names of what the database will say */
  readonly says: readonly (keyof S & string)[]
  /**
   * Its answers hold no secret, nothing that does not stand in tables as it is: then so may what is kept of them for a repetition. All others are kept
   * sealed.
   */
  readonly answersInTheOpen?: true
  /** the result: pure, and what is said goes into it as it is */
  readonly output: (plan: Plan, said: S) => Output
  /** the same for one plan, step by step in a transaction: where a guard did not hold, it does the rest or says why not */
  readonly operate: (context: Inside<C>, plan: Plan) => Promise<Output | Refusal>
}

/**
 * A hot path: a pure plan turned into one guarded statement, so that it costs one round trip. Those that one tenant asks for
 * while another of its own is being written are gathered and written together.
 */
export interface Statement<C extends Caller, Input, Output>
  extends Facts<Input>,
    StatementSteps<C, Input, Output, unknown, Said> {
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

export const statement = <C extends Caller, Input, Plan, S extends Said, Output>(
  facts: Facts<Input>,
  steps: StatementSteps<C, Input, Output, Plan, S>,
): Statement<C, Input, Output> => ({
  kind: 'statement',
  ...facts,
  // A plan, and what is said of it, pass only from a statement's own steps to its own steps.
  ...(steps as unknown as StatementSteps<C, Input, Output, unknown, Said>),
})

/** A plan of a statement carried out step by step: where a transaction is wanted around it, or a guard did not hold. */
export const stepByStep = <C extends Caller, Input, Output>(
  { operate, needs, refuses }: Statement<C, Input, Output>,
  plan: unknown,
): Operation<C, Input, Output> => ({
  kind: 'operation',
  needs,
  refuses,
  prepare: async () => (context) => operate(context, plan),
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

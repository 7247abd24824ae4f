import type { Caller, TokenCaller } from '../../kernel/callers.ts'
import { Refusal } from '../../kernel/refusals.ts'
import { createExchanges } from './exchanges.ts'
import type { IdempotencyClaim } from './idempotency.store.ts'
import {
  type AbandonedExchange,
  type AnyOperation,
  fallbackOperation,
  type Operation,
  type Reading,
  type Statement,
} from './operation.ts'
import { createRunOnce, type EncodeReply, type KeyedResult, type KeySteps } from './run-once.ts'
import { createStatementBatches } from './statement-batches.ts'
import { type Times, timesOf } from './times.ts'
import { type Call, createTransactions, type Runtime } from './transactions.ts'
import { createTurns } from './turns-of-tenants.ts'

export type { EncodedReply } from './run-once.ts'
export type { Runtime } from './transactions.ts'

export interface Runner {
  run<C extends Caller, Input, Output>(operation: AnyOperation<C, Input, Output>, call: Call<C, Input>): Promise<Output>
  /** Runs at most once per key: the reply is stored in the transaction of its effect, and repeated requests get it. */
  runOnce<C extends TokenCaller, Input, Output>(
    operation: AnyOperation<C, Input, Output>,
    call: Call<C, Input>,
    claim: IdempotencyClaim,
    encode: EncodeReply<Output>,
  ): Promise<KeyedResult>
  /** Settles exchanges whose process died between the call and the answer; returns how many. */
  settleAbandoned(exchanges: readonly AbandonedExchange[]): Promise<number>
}

export function createRunner(runtime: Runtime): Runner {
  const { replicas } = runtime
  const transactions = createTransactions(runtime)
  const { runExchange, settleAbandoned } = createExchanges(runtime, transactions)

  const inTurn = createTurns()
  const writeInBatch = createStatementBatches(runtime, transactions)

  /** Not async: a reading's own promise is returned without another around it. */
  function run<C extends Caller, Input, Output>(
    operation: AnyOperation<C, Input, Output>,
    call: Call<C, Input>,
    key?: KeySteps<Output>,
  ): Promise<Output> {
    switch (operation.kind) {
      case 'reading': {
        const times = timesOf(runtime, operation, call.caller, call.input)
        return times instanceof Promise
          ? times.then((known) => read(operation, call, known))
          : read(operation, call, times)
      }
      case 'operation':
        return runOperation(operation, call, key)
      case 'statement':
        return runStatement(operation, call, key)
      case 'exchange':
        return runExchange(operation, call, key)
    }
  }

  function read<C extends Caller, Input, Output>(
    operation: Reading<C, Input, Output>,
    call: Call<C, Input>,
    times: Times,
  ): Promise<Output> {
    const outside = transactions.outside({ ...call, ...times })
    // Background work reads where it writes.
    if (!replicas || operation.usesPrimary || call.caller.kind === 'system') return operation.body(outside, call.input)
    return replicas.forRead().then((db) => operation.body({ ...outside, db }, call.input))
  }

  function runOperation<C extends Caller, Input, Output>(
    operation: Operation<C, Input, Output>,
    call: Call<C, Input>,
    key: KeySteps<Output> | undefined,
  ): Promise<Output> {
    const { caller } = call
    const carryOut = () => runAtOnce(operation, call, key)
    return operation.inTurn && 'tenant' in caller ? inTurn(caller.tenant, carryOut) : carryOut()
  }

  /** The key, the effects and the reply share one transaction. A refusal that commits frees the key. */
  async function runAtOnce<C extends Caller, Input, Output>(
    operation: Operation<C, Input, Output>,
    call: Call<C, Input>,
    key: KeySteps<Output> | undefined,
  ): Promise<Output> {
    const current = { ...call, ...(await timesOf(runtime, operation, call.caller, call.input)) }
    const body = await operation.prepare(transactions.outside(current), call.input)
    const output = await transactions.inside(current, async (context) => {
      await key?.take(context.tx)
      const output = await body(context)
      if (output instanceof Refusal) await key?.free(context.tx)
      else await key?.keep(context.tx, output)
      return output
    })
    if (output instanceof Refusal) throw output
    return output
  }

  /** The statement takes the key and stores the reply, or else the fallback does. */
  async function runStatement<C extends Caller, Input, Output>(
    operation: Statement<C, Input, Output>,
    call: Call<C, Input>,
    key: KeySteps<Output> | undefined,
  ): Promise<Output> {
    const { plan, returned } = await writeInBatch(operation, call, key && ((plan) => key.replyBefore(operation, plan)))
    if (!returned) return await runOperation(fallbackOperation(operation, plan), call, key)
    key?.wrote(returned)
    return operation.output(plan, returned)
  }

  return { run, runOnce: createRunOnce(runtime, run), settleAbandoned }
}

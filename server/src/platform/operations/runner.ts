import type { Caller, TokenCaller } from '../../kernel/callers.ts'
import { Refusal } from '../../kernel/refusals.ts'
import { createExchanges } from './exchanges.ts'
import type { IdempotencyClaim } from './idempotency.store.ts'
import { type AbandonedExchange, type AnyOperation, fallbackOperation, type Reading } from './operation.ts'
import { createRunOnce, type EncodeReply, type OnceAnswer, type RunParts } from './run-once.ts'
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
  ): Promise<OnceAnswer>
  /** Settles exchanges whose process died between the call and the answer; returns how many. */
  settleAbandoned(exchanges: readonly AbandonedExchange[]): Promise<number>
}

const nothing = async () => {}

export function createRunner(runtime: Runtime): Runner {
  const { replicas } = runtime
  const transactions = createTransactions(runtime)
  const { runExchange, settleAbandoned } = createExchanges(runtime, transactions)

  const inTurn = createTurns()
  const runOperation: RunParts['runOperation'] = (operation, call, claimed, ended) => {
    const { caller } = call
    const carryOut = () => runAtOnce(operation, call, claimed, ended)
    return operation.inTurn && 'tenant' in caller ? inTurn(caller.tenant, carryOut) : carryOut()
  }

  const runAtOnce: RunParts['runOperation'] = async (operation, call, claimed, ended) => {
    const { caller, origin, input, signal, deadline } = call
    const times = await timesOf(runtime, operation, caller, input)
    const body = await operation.prepare(transactions.outside(caller, origin, times, signal), input)
    const carriedOut = async (context: Parameters<typeof body>[0]) => {
      await claimed(context.tx)
      const output = await body(context)
      await ended(context.tx, output)
      return output
    }
    const output = await transactions.inside(caller, origin, times, signal, carriedOut, deadline)
    if (output instanceof Refusal) throw output
    return output
  }

  const attempt = createStatementBatches(runtime, transactions)

  /** Not async: a reading's own promise is returned without another around it. */
  function run<C extends Caller, Input, Output>(
    operation: AnyOperation<C, Input, Output>,
    call: Call<C, Input>,
  ): Promise<Output> {
    switch (operation.kind) {
      case 'reading': {
        const times = timesOf(runtime, operation, call.caller, call.input)
        return times instanceof Promise
          ? times.then((known) => read(operation, call, known))
          : read(operation, call, times)
      }
      case 'operation':
        return runOperation(operation, call, nothing, nothing)
      case 'statement':
        return runStatement(operation, call)
      case 'exchange':
        return runExchange(operation, call, nothing, nothing)
    }
  }

  function read<C extends Caller, Input, Output>(
    operation: Reading<C, Input, Output>,
    { caller, origin, input, signal }: Call<C, Input>,
    times: Times,
  ): Promise<Output> {
    const outside = transactions.outside(caller, origin, times, signal)
    // Background work reads where it writes.
    if (!replicas || operation.primaryOnly || caller.kind === 'system') return operation.body(outside, input)
    return replicas.forRead().then((db) => operation.body({ ...outside, db }, input))
  }

  async function runStatement<C extends Caller, Input, Output>(
    operation: Extract<AnyOperation<C, Input, Output>, { kind: 'statement' }>,
    call: Call<C, Input>,
  ): Promise<Output> {
    const { plan, returned } = await attempt(operation, call)
    if (returned) return operation.output(plan, returned)
    return await runOperation(fallbackOperation(operation, plan), call, nothing, nothing)
  }

  return { run, runOnce: createRunOnce(runtime, { run, attempt, runOperation, runExchange }), settleAbandoned }
}

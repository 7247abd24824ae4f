import type { Caller } from '../../kernel/callers.ts'
import { Refusal } from '../../kernel/refusals.ts'
import type { Inside } from './operation.ts'
import { inSavepoint } from './savepoints.store.ts'

/**
 * Runs a part of an operation that may be refused without the rest. A refusal rolls back the rows and events of this part and is returned
 * as a value. Any other error ends the whole operation.
 */
export async function tryPart<C extends Caller, Result>(
  context: Inside<C>,
  body: (context: Inside<C>) => Promise<Result | Refusal>,
): Promise<Result | Refusal> {
  const later: (() => void)[] = []
  const held: Inside<C> = {
    ...context,
    emit: (...event) => void later.push(() => context.emit(...event)),
    enqueue: (...job) => void later.push(() => context.enqueue(...job)),
    wake: (topic) => void later.push(() => context.wake(topic)),
    authChanged: (...subjects) => void later.push(() => context.authChanged(...subjects)),
  }
  const result = await inSavepoint(context.tx, async () => {
    const returned = await body(held)
    if (returned instanceof Refusal) throw returned
    return returned
  }).catch((error: unknown) => {
    if (error instanceof Refusal) return error
    throw error
  })
  if (!(result instanceof Refusal)) for (const act of later) act()
  return result
}

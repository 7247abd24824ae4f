import { isSerializationFailure } from '../../server/src/platform/database/database.ts'
import type { TestApp } from './app.ts'

let poisons = 0

/** A change of a table can deadlock with running transactions, which lock tables in another order. Then it is repeated. */
async function changeTable(owner: TestApp['owner'], statements: readonly string[]): Promise<void> {
  for (let triesLeft = 20; ; triesLeft--)
    try {
      await owner.transaction(async (tx) => {
        for (const text of statements) await tx.run({ text, values: [], name: undefined })
      })
      return
    } catch (error) {
      if (!isSerializationFailure(error) || triesLeft === 0) throw error
    }
}

/**
 * Makes the database refuse writes to rows of a table, like an unexpected constraint. The condition is SQL on `new`, or
 * on `old` for deletes. Returns the undo function.
 */
export async function poison(
  app: Pick<TestApp, 'owner'>,
  table: string,
  condition: string,
  on: 'insert or update' | 'update' | 'insert' | 'delete' = 'insert or update',
): Promise<() => Promise<void>> {
  const name = `poison_${++poisons}`
  await changeTable(app.owner, [
    `create function ${name}() returns trigger language plpgsql as $$
    begin
      if ${condition} then raise exception 'poisoned'; end if;
      return ${on === 'delete' ? 'old' : 'new'};
    end $$`,
    `create trigger ${name} before ${on} on ${table} for each row execute function ${name}()`,
  ])
  return () => changeTable(app.owner, [`drop trigger ${name} on ${table}`, `drop function ${name}()`])
}

import type { TestApp } from './app.ts'

let poisons = 0

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
  const { pool } = app.owner
  await pool.query(`
    create function ${name}() returns trigger language plpgsql as $$
    begin
      if ${condition} then raise exception 'poisoned'; end if;
      return ${on === 'delete' ? 'old' : 'new'};
    end $$;
    create trigger ${name} before ${on} on ${table} for each row execute function ${name}();`)
  return async () => {
    await pool.query(`drop trigger ${name} on ${table}; drop function ${name}();`)
  }
}

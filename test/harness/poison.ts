import type { TestApp } from './app.ts'

let poisons = 0

/**
 * Has the database refuse writes to rows of a table, as a constraint would that nobody thought of. The condition is SQL about `new`, or about `old`
 * where rows are deleted. Returns what takes it back.
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

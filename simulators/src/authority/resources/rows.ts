/** A list written down as a table: the names of its columns, then its rows. */
export const rows = <Column extends string>(
  columns: readonly Column[],
  values: readonly (readonly string[])[],
): Record<Column, string>[] =>
  values.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? ''])) as Record<Column, string>)

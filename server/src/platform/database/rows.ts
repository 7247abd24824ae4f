/** What rows with the same columns have in common: their keys, and a row without values to copy. */
interface Template {
  readonly keys: readonly string[]
  readonly empty: Readonly<Record<string, unknown>>
}

const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** More than the service has statements; a statement put together of pieces must not fill the memory nevertheless. */
const mostTemplates = 2_000

/**
 * Makes objects of rows, which come as arrays of values in the order of their columns: `created_at` becomes `createdAt`.
 *
 * Each is a copy of an object that has all the keys. `row[key] = value` on an empty object makes V8 keep it as a dictionary from some twenty
 * keys on, which is slower to fill, and far slower to copy (docs/performance.md).
 */
export function createRowMaker({ templates = new Map<string, Template>(), most = mostTemplates } = {}) {
  function templateFor(columns: readonly string[]): Template {
    // No name can hold this character.
    const columnList = columns.join('\0')
    let template = templates.get(columnList)
    if (template === undefined) {
      const keys = columns.map(camel)
      template = { keys, empty: Object.fromEntries(keys.map((key) => [key, null])) }
      if (templates.size >= most) templates.clear()
      templates.set(columnList, template)
    }
    return template
  }

  return <Row>(columns: readonly string[], rows: readonly (readonly unknown[])[]): Row[] => {
    const { keys, empty } = templateFor(columns)
    return rows.map((values) => {
      const row: Record<string, unknown> = { ...empty }
      for (let at = 0; at < keys.length; at++) row[keys[at] as string] = values[at]
      return row as Row
    })
  }
}

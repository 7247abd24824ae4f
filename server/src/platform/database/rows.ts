/** What rows with the same columns share: their keys, and an empty row to copy. */
interface Template {
  readonly keys: readonly string[]
  readonly empty: Readonly<Record<string, unknown>>
}

const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** More than the service has statements. The limit protects the memory from statements that are composed of pieces. */
const mostTemplates = 2_000

/**
 * Turns rows, which are arrays of values in the order of their columns, into objects: `created_at` becomes `createdAt`. Each object is a
 * copy of one with all keys. With `row[key] = value` on an empty object, V8 uses a dictionary from about twenty keys on. A dictionary is
 * slower to fill and far slower to copy (docs/performance.md).
 */
export function createRowMaker({ templates = new Map<string, Template>(), most = mostTemplates } = {}) {
  function templateFor(columns: readonly string[]): Template {
    // No column name can contain this character.
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

import { invalid } from '../../kernel/refusals.ts'
import { routeDefinitions as routes } from '../routes/index.ts'
import { asData, outside } from './outside-words.ts'
import type { ToolContext } from './tool.ts'

interface Named {
  readonly id: string
  readonly name: string
  readonly taxId?: string | null
}

const looked = 20
/** Candidates that a person can choose from. */
const shown = 10

const spelling = (text: string): string => text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
const digitsOf = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()

const isNamed = ({ name, taxId }: Named, words: string): boolean =>
  spelling(name) === spelling(words) || (typeof taxId === 'string' && digitsOf(taxId) === digitsOf(words))

/** A tax number of another country can be words. */
const candidate = ({ id, name, taxId }: Named) => ({
  id,
  name: outside(name),
  ...(taxId ? { taxId: asData(taxId) } : {}),
})

/**
 * The id of the only row with exactly this name or tax number. A part of a name is not enough, also if one row alone has it: money would
 * follow a guess. The refusal has the candidates, for a person to choose from.
 */
async function idOf(
  context: ToolContext,
  path: string,
  words: string,
  route: (typeof routes)['buyers']['search'] | (typeof routes)['items']['list'],
): Promise<string> {
  const { data } = await context.call(route, { query: { q: words, limit: looked } })
  const rows = data as readonly Named[]
  const exact = rows.filter((row) => isNamed(row, words))
  const [found, ...others] = exact
  if (found && others.length === 0) return found.id
  const candidates = (exact.length > 0 ? exact : rows).slice(0, shown).map(candidate)
  const message =
    candidates.length > 0
      ? `must be exactly one name. Ask the person which of these is meant, and send its id: ${JSON.stringify(candidates)}`
      : 'was not found; use look_up with other words, or send the id'
  throw invalid([{ path, rule: 'unknown', message }])
}

type Line = Readonly<Record<string, unknown>>

/** Each name is looked up once, and one after the other: a document of 500 lines must not take the database from others. */
async function withItems(context: ToolContext, lines: readonly Line[]): Promise<readonly Line[]> {
  const ids = new Map<string, string>()
  const found: Line[] = []
  for (const [index, { item, ...line }] of lines.entries()) {
    if (typeof item !== 'string') found.push(line)
    else {
      const id = ids.get(item) ?? (await idOf(context, `lineItems[${index}].item`, item, routes.items.list))
      ids.set(item, id)
      found.push({ ...line, itemId: id })
    }
  }
  return found
}

/** Buyers and items that are named in words become ids. */
export async function withIds(context: ToolContext, { buyer, ...body }: Readonly<Record<string, unknown>>) {
  const lines = Array.isArray(body.lineItems) ? (body.lineItems as readonly Line[]) : undefined
  return {
    ...body,
    ...(typeof buyer === 'string' ? { buyerId: await idOf(context, 'buyer', buyer, routes.buyers.search) } : {}),
    ...(lines ? { lineItems: await withItems(context, lines) } : {}),
  }
}

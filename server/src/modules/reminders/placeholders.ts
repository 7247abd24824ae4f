/** The placeholders of a template, and their values. */
export const placeholders = ['buyer', 'seller', 'number', 'amount due', 'due date', 'days overdue', 'link'] as const
export type Placeholder = (typeof placeholders)[number]
export type PlaceholderValues = Readonly<Record<Exclude<Placeholder, 'link'>, string>>

const inBraces = /\{([^{}\n]{0,40})\}/g
/** `{amount_due}` is the same as `{amount due}`. */
const nameOf = (written: string): string => written.trim().toLowerCase().replaceAll('_', ' ')

/** Words in braces that are no placeholder. */
export function unknownPlaceholders(text: string): string[] {
  const unknown = [...text.matchAll(inBraces)].filter(
    ([, name = '']) => !placeholders.some((known) => known === nameOf(name)),
  )
  return [...new Set(unknown.map(([whole]) => whole))]
}

const fill = (text: string, values: PlaceholderValues): string =>
  text.replace(inBraces, (whole, name: string) => {
    const known = nameOf(name)
    if (known === 'link') return ''
    return Object.hasOwn(values, known) ? values[known as keyof PlaceholderValues] : whole
  })

/** Where `{link}` stands first. */
const linkMark = /\{\s*link\s*\}/i

/** A subject is one line and has no link. */
export const filledSubject = (text: string, values: PlaceholderValues): string =>
  fill(text, values).replace(/\s+/g, ' ').trim()

export interface FilledBody {
  readonly before: readonly string[]
  /** the text after the link */
  readonly after: readonly string[]
}

const paragraphsOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The paragraphs of a body: each line is one. The link stands where the body says, otherwise at its end. */
export function filledBody(text: string, values: PlaceholderValues): FilledBody {
  const mark = linkMark.exec(text)
  const [before, after] = mark ? [text.slice(0, mark.index), text.slice(mark.index + mark[0].length)] : [text, '']
  return { before: paragraphsOf(fill(before, values)), after: paragraphsOf(fill(after, values)) }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Markup that is safe to put into more markup. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const written = (value: Markup | readonly Markup[] | string): string => {
  if (value instanceof Markup) return value.text
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => entities[character] as string)
  return value.map(({ text }) => text).join('')
}

/** Everything put in is escaped, unless it was made by `html` itself: forgetting it is not possible. */
export const html = (parts: TemplateStringsArray, ...values: (Markup | readonly Markup[] | string)[]): Markup =>
  new Markup(parts.reduce((text, part, at) => text + written(values[at - 1] ?? '') + part))

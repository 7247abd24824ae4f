/** Text that is already HTML; all other text is escaped on its way into a page. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Child = Markup | readonly Markup[] | string | number | false | undefined

export const raw = (text: string) => new Markup(text)

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escaped = (text: string) => text.replace(/[&<>"']/g, (char) => escapes[char] as string)

function render(piece: Child): string {
  if (piece === undefined || piece === false) return ''
  if (piece instanceof Markup) return piece.text
  return typeof piece === 'object' ? piece.map(render).join('') : escaped(String(piece))
}

export function html(strings: TemplateStringsArray, ...pieces: Child[]): Markup {
  return raw(strings.map((string, index) => string + render(pieces[index])).join(''))
}

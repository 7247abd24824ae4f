import { html, type Markup, raw } from '../reference/markup.ts'

/** Terms and what they are here; those that are nothing stay away, and so does a list of none. */
export function definitions(
  kind: string,
  entries: readonly (readonly [term: string, value: string | null | undefined])[],
): Markup {
  const known = entries.flatMap(([term, value]) =>
    value ? [html`<div><dt>${term}</dt> <dd>${value}</dd></div>\n`] : [],
  )
  return known.length === 0 ? raw('') : html`<dl class="${kind}">\n${known}</dl>`
}

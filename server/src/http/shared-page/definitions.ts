import { html, type Markup, raw } from '../reference/markup.ts'

/** A list of terms and values; empty values and empty lists are hidden. */
export function definitions(
  kind: string,
  entries: readonly (readonly [term: string, value: string | null | undefined])[],
): Markup {
  const known = entries.flatMap(([term, value]) =>
    value ? [html`<div><dt>${term}</dt> <dd>${value}</dd></div>\n`] : [],
  )
  return known.length === 0 ? raw('') : html`<dl class="${kind}">\n${known}</dl>`
}

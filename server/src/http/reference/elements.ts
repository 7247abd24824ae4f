import { STATUS_CODES } from 'node:http'
import { escaped, html, type Markup, raw } from './markup.ts'

export const badge = (method: string) => html`<span class="method ${method.toLowerCase()}">${method}</span>`

export const statusBadge = (status: number) =>
  html`<span class="status s${String(status).charAt(0)}" title="${STATUS_CODES[status] ?? ''}">${status}</span>`

export const table = (kind: string, heads: readonly string[], rows: readonly Markup[]) =>
  html`<div class="scroll"><table class="${kind}"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`

export const code = (text: string, kind = '') => html`<pre class="${kind}" tabindex="0"><code>${text}</code></pre>`

export const pathText = (path: string) =>
  html`<code class="path">${path.split(/(\{\w+\})/).map((part) => (part.startsWith('{') ? html`<var>${part}</var>` : raw(escaped(part).replaceAll('/', '/<wbr>'))))}</code>`

export const prose = (text: string, kind = '') => html`<p class="${kind}">${inline(text)}</p>`

/** Plain text with `code` in backticks and **weight** in asterisks. */
export const inline = (text: string) =>
  raw(
    escaped(text).replace(/`([^`]+)`|\*\*([^*]+)\*\*/g, (_, quoted?: string, strong?: string) =>
      quoted === undefined ? `<strong>${strong}</strong>` : `<code>${quoted}</code>`,
    ),
  )

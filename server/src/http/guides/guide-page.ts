import { Marked, type Tokens } from 'marked'
import type { Form } from '../definitions/form.ts'
import { layout } from '../reference/layout.ts'
import { escaped, html, type Markup, raw } from '../reference/markup.ts'
import { type Guide, guideIndex } from './guides.ts'

const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** The served address of a link in a guide; `undefined` for files of the repository that are not served. */
function addressOf(href: string, served: ReadonlySet<string>): string | undefined {
  if (/^(https?:|#)/.test(href)) return href
  const [, name, anchor = ''] = /^([a-zA-Z-]+)\.md(#.*)?$/.exec(href) ?? []
  if (name === 'README') return `/guides${anchor}`
  return name !== undefined && served.has(name) ? `/guides/${name}${anchor}` : undefined
}

/** Guides are our own files. Text in them is still escaped, because a placeholder such as `<name>` is no element. */
function renderer(guides: readonly Guide[]): Marked {
  const served = new Set(guides.map(({ name }) => name))
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const address = addressOf(href, served)
        const text = this.parser.parseInline(tokens)
        return address === undefined ? text : `<a href="${escaped(address)}">${text}</a>`
      },
      code({ text }: Tokens.Code) {
        return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`
      },
      table({ header, rows }: Tokens.Table) {
        const cells = (row: readonly Tokens.TableCell[], tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag.split(' ')[0]}>`).join('')
        const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
        return `<div class="scroll"><table><thead><tr>${cells(header, 'th scope="col"')}</tr></thead>\n<tbody>${body}</tbody></table></div>\n`
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escaped(text),
    },
  })
}

/** The guides and the forms whose references the pages link to. */
export interface GuideSet {
  readonly guides: readonly Guide[]
  readonly forms: readonly Pick<Form, 'title' | 'prefix'>[]
}

const contents = ({ guides, forms }: GuideSet, shown?: string): Markup => html`<header class="sidebar">
<a class="brand" href="/guides">Guides</a>
<details class="menu">
<summary>Contents</summary>
<nav aria-label="Contents">
<p class="nav-title">Guides</p>
<ul>${guides.map(({ name, title }) =>
  name === shown
    ? html`<li><a href="/guides/${name}" aria-current="page">${title}</a></li>`
    : html`<li><a href="/guides/${name}">${title}</a></li>`,
)}</ul>
<p class="nav-title">Reference</p>
<ul>${forms.map(({ title, prefix }) => html`<li><a href="${prefix}/docs">${title}</a></li>`)}</ul>
</nav>
</details>
</header>`

const page = (set: GuideSet, title: string, markdown: string, source: string, shown?: string): string =>
  layout({
    title: `${title} · Risiti`,
    side: contents(set, shown),
    content: html`<div class="guide"><p class="eyebrow"><a href="/guides">Guides</a> · <a href="${source}">as Markdown</a></p>
${raw(renderer(set.guides).parse(markdown, { async: false }))}</div>`,
  })

/** A guide in the look of the reference. */
export const guidePage = (set: GuideSet, { name, title, markdown }: Guide): string =>
  page(set, title, markdown, `/guides/${name}.md`, name)

export const guidesPage = (set: GuideSet): string => page(set, 'Guides', guideIndex(), '/guides.md')

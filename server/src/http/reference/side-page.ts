import type { Form } from '../definitions/form.ts'
import { html, type Markup, raw } from './markup.ts'
import { styles } from './styles.ts'

/** A page beside the reference, about one topic. */
export function sidePage(
  form: Form,
  { title, markdown, from = '' }: { title: string; markdown: string; from?: string },
  content: Markup,
): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${form.title}</title>
<style>${raw(styles)}</style>
</head>
<body>
<main id="content">
<p class="eyebrow"><a href="${form.prefix}/docs${from}">${form.title}</a> · <a href="${form.prefix}/${markdown}">as Markdown</a></p>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`
  return page.text
}

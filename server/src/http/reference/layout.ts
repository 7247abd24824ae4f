import { html, type Markup, raw } from './markup.ts'
import { styles } from './styles.ts'

/** A page of the reference or of the guides. The script adds comfort; the page is complete without it. */
export function layout({ title, side, content }: { title: string; side: Markup; content: Markup }): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${raw(styles)}</style>
<script src="/docs/reference.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="layout">
${side}
<main id="content">
${content}
</main>
</div>
</body>
</html>
`
  return page.text
}

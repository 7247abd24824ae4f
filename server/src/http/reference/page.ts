import type { Form } from '../kernel/form.ts'
import type { OpenApiDocument } from '../openapi/index.ts'
import { eventsOf, eventsSection } from './events.ts'
import { introduction } from './introduction.ts'
import { html, raw } from './markup.ts'
import { groupSection } from './operation-section.ts'
import { groupsOf } from './served-operations.ts'
import { sidebar } from './sidebar.ts'
import { styles } from './styles.ts'

/** The reference as one self-contained page. The script adds comfort; the page is complete without it. */
export function referencePage(document: OpenApiDocument, form: Form, others: readonly Form[] = []): string {
  const groups = groupsOf(document)
  const events = eventsOf(document)
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${document.info.title} reference</title>
<style>${raw(styles)}</style>
<script src="/docs/reference.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="layout">
${sidebar(document, groups, events, others)}
<main id="content">
${introduction(document, form, others)}
${groups.map((group) => groupSection(group, form))}
${eventsSection(events)}
</main>
</div>
</body>
</html>
`
  return page.text
}

import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../kernel/refusals.ts'
import type { Form } from '../definitions/form.ts'
import { type GuideSet, guidePage, guidesPage } from '../guides/guide-page.ts'
import { guideIndex, readGuides } from '../guides/guides.ts'
import { openApiOf } from '../openapi/index.ts'
import { changesMarkdown, changesPage } from '../reference/changes-page.ts'
import { errorCodes, errorMarkdown, errorPage } from '../reference/error-page.ts'
import { eventsMarkdown, firstMarkdown, groupMarkdown, llmsText } from '../reference/markdown.ts'
import { eventGroupPage, eventsPage, firstPage, groupPage, operationPage } from '../reference/page.ts'
import { type Reference, referenceOf } from '../reference/reference.ts'
import { searchIndex } from '../reference/search-index.ts'
import { nameOf } from '../reference/served-operations.ts'
import { KeptText } from '../reply/kept-text.ts'
import { type CountParts, countedByAddress } from '../request/counting.ts'

/** A page may only run our own script and call this server. */
const policy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"

const htmlType = 'text/html; charset=utf-8'
const page = (make: () => string) => new KeptText(htmlType, make)
const markdown = (make: () => string) => new KeptText('text/markdown; charset=utf-8', make)

/** The value is made at the first call. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The pages below `/docs` of a form, by the rest of their address. */
function pagesOf(reference: Reference): Map<string, KeptText> {
  const { form } = reference
  const pages = new Map<string, KeptText>()
  for (const one of errorCodes(form)) {
    pages.set(
      `errors/${one.code}`,
      page(() => errorPage(form, one)),
    )
    pages.set(
      `errors/${one.code}.md`,
      markdown(() => errorMarkdown(form, one)),
    )
  }
  for (const group of reference.groups) {
    pages.set(
      group.name,
      page(() => groupPage(reference, group)),
    )
    pages.set(
      `${group.name}.md`,
      markdown(() => groupMarkdown(reference, group)),
    )
    for (const served of group.served)
      pages.set(
        `${group.name}/${nameOf(served)}`,
        page(() => operationPage(reference, group, served)),
      )
  }
  pages.set(
    'events',
    page(() => eventsPage(reference)),
  )
  pages.set(
    'events.md',
    markdown(() => eventsMarkdown(reference)),
  )
  for (const group of reference.eventGroups)
    pages.set(
      `events/${group.name}`,
      page(() => eventGroupPage(reference, group)),
    )
  pages.set('index.json', new KeptText('application/json; charset=utf-8', () => searchIndex(reference)))
  return pages
}

/** The pages below `/guides`, by the rest of their address. */
const guidePagesOf = (set: GuideSet): Map<string, KeptText> =>
  new Map(
    set.guides.flatMap((guide) => [
      [guide.name, page(() => guidePage(set, guide))],
      [`${guide.name}.md`, markdown(() => guide.markdown)],
    ]),
  )

/**
 * Each form's OpenAPI document, the reference and the guides as pages and as Markdown, and an index of all. Requests count by address,
 * except for the script, which is a static file. A page is made when it is first asked for.
 */
export function serveReference(server: FastifyInstance, forms: readonly Form[], parts: CountParts): void {
  const counted = countedByAddress(parts)
  const serve = (path: string, text: KeptText) => {
    server.get(path, counted, (request, reply) => text.send(request, reply.header('content-security-policy', policy)))
  }
  /** Pages whose addresses are known only when they are made. */
  const serveBelow = (path: string, pages: () => ReadonlyMap<string, KeptText>) => {
    server.get(`${path}/*`, counted, (request, reply) => {
      const found = pages().get((request.params as { '*': string })['*'])
      if (!found) throw refuse('route.not_found')
      return found.send(request, reply.header('content-security-policy', policy))
    })
  }
  const script = new KeptText('text/javascript; charset=utf-8', () =>
    readFileSync(new URL('../reference/browser.js', import.meta.url)),
  )
  server.get('/docs/reference.js', (request, reply) => script.send(request, reply))

  const guideSet = once(() => ({ guides: readGuides(), forms }))
  serve(
    '/guides',
    page(() => guidesPage(guideSet())),
  )
  serve('/guides.md', markdown(guideIndex))
  serveBelow(
    '/guides',
    once(() => guidePagesOf(guideSet())),
  )

  const references = forms.map((form) =>
    once(() =>
      referenceOf(
        form,
        forms.filter((one) => one !== form),
      ),
    ),
  )
  serve(
    '/llms.txt',
    new KeptText('text/plain; charset=utf-8', () =>
      llmsText(
        references.map((reference) => reference()),
        guideSet().guides,
      ),
    ),
  )
  forms.forEach((form, at) => {
    const { prefix } = form
    const reference = references[at] as () => Reference
    serve(
      `${prefix}/openapi.json`,
      new KeptText('application/json; charset=utf-8', () => JSON.stringify(openApiOf(form))),
    )
    serve(
      `${prefix}/docs`,
      page(() => firstPage(reference())),
    )
    serve(
      `${prefix}/docs.md`,
      markdown(() => firstMarkdown(reference())),
    )
    serve(
      `${prefix}/docs/changes`,
      page(() => changesPage(form)),
    )
    serve(
      `${prefix}/docs/changes.md`,
      markdown(() => changesMarkdown(form)),
    )
    serveBelow(
      `${prefix}/docs`,
      once(() => pagesOf(reference())),
    )
  })
}

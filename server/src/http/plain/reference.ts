import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Form } from '../kernel/form.ts'
import { openApiOf } from '../openapi/index.ts'
import { changesMarkdown, changesPage } from '../reference/changes-page.ts'
import { errorCodes, errorMarkdown, errorPage } from '../reference/error-page.ts'
import { llmsText, referenceMarkdown } from '../reference/markdown.ts'
import { referencePage } from '../reference/page.ts'
import { KeptText } from '../reply/kept-text.ts'
import { type CountParts, countedByAddress } from '../request/counting.ts'

/** A page may only run our own script and call this server. */
const policy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/**
 * Each form's OpenAPI document, the reference as pages and as Markdown, and an index of all. Requests count by address, except for the
 * script, which is a static file.
 */
export function serveReference(server: FastifyInstance, forms: readonly Form[], parts: CountParts): void {
  const counted = countedByAddress(parts)
  const serve = (path: string, contentType: string, make: () => string) => {
    const text = new KeptText(`${contentType}; charset=utf-8`, make)
    server.get(path, counted, (request, reply) => text.send(request, reply))
  }
  const servePage = (path: string, make: () => string) => {
    const page = new KeptText('text/html; charset=utf-8', make)
    server.get(path, counted, (request, reply) => page.send(request, reply.header('content-security-policy', policy)))
  }
  const script = new KeptText('text/javascript; charset=utf-8', () =>
    readFileSync(new URL('../reference/browser.js', import.meta.url)),
  )
  server.get('/docs/reference.js', (request, reply) => script.send(request, reply))
  serve('/llms.txt', 'text/plain', () => llmsText(forms))
  for (const form of forms) {
    const { prefix } = form
    const others = forms.filter((one) => one !== form)
    serve(`${prefix}/openapi.json`, 'application/json', () => JSON.stringify(openApiOf(form)))
    servePage(`${prefix}/docs`, () => referencePage(openApiOf(form), form, others))
    serve(`${prefix}/docs.md`, 'text/markdown', () => referenceMarkdown(openApiOf(form), form))
    servePage(`${prefix}/docs/changes`, () => changesPage(form))
    serve(`${prefix}/docs/changes.md`, 'text/markdown', () => changesMarkdown(form))
    for (const one of errorCodes(form)) {
      servePage(`${prefix}/docs/errors/${one.code}`, () => errorPage(form, one))
      serve(`${prefix}/docs/errors/${one.code}.md`, 'text/markdown', () => errorMarkdown(form, one))
    }
  }
}

import type { FastifyInstance } from 'fastify'
import type { Form } from '../form.ts'
import { KeptText } from '../kept-text.ts'
import { openApiOf } from '../openapi/index.ts'
import { referencePage } from '../reference/page.ts'

const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** Each form's OpenAPI document and a page for people. */
export function serveReference(server: FastifyInstance, forms: readonly Form[]): void {
  for (const form of forms) {
    const document = new KeptText('application/json', () => JSON.stringify(openApiOf(form)))
    const page = new KeptText('text/html', () => referencePage(openApiOf(form), form))
    server.get(`${form.prefix}/openapi.json`, async (request, reply) => document.send(request, reply))
    server.get(`${form.prefix}/docs`, async (request, reply) =>
      page.send(request, reply.header('content-security-policy', policy)),
    )
  }
}

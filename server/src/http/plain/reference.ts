import type { FastifyInstance } from 'fastify'
import type { Form } from '../form.ts'
import { openApiOf } from '../openapi/index.ts'
import { referencePage } from '../reference/page.ts'

/** Each form's OpenAPI document and a page for people, made once at the start. */
export function serveReference(server: FastifyInstance, forms: readonly Form[]): void {
  for (const form of forms) {
    const document = openApiOf(form)
    const json = JSON.stringify(document)
    const page = referencePage(document, form)
    server.get(`${form.prefix}/openapi.json`, async (_, reply) =>
      reply.type('application/json; charset=utf-8').send(json),
    )
    server.get(`${form.prefix}/docs`, async (_, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
        .send(page),
    )
  }
}

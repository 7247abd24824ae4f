import type { FastifyInstance } from 'fastify'
import type { Form } from '../form.ts'
import { openApiOf } from '../openapi/index.ts'
import { referencePage } from '../reference/page.ts'

/** Made when first asked for, and kept: a start has better things to do. */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Each form's OpenAPI document and a page for people. */
export function serveReference(server: FastifyInstance, forms: readonly Form[]): void {
  for (const form of forms) {
    const document = once(() => openApiOf(form))
    const json = once(() => JSON.stringify(document()))
    const page = once(() => referencePage(document(), form))
    server.get(`${form.prefix}/openapi.json`, async (_, reply) =>
      reply.type('application/json; charset=utf-8').send(json()),
    )
    server.get(`${form.prefix}/docs`, async (_, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
        .send(page()),
    )
  }
}

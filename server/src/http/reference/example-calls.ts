import type { JsonSchema, Parameter } from '../openapi/document.ts'
import { exampleMeta, exampleOf, examplePagination } from '../openapi/example-values.ts'
import type { WholeOperation } from '../openapi/resolved.ts'
import { type Served, successSchemaOf } from './served-operations.ts'

export function curl({ method, path, operation }: Served, prefix: string): string {
  const named = (place: Parameter['in']) => operation.parameters.filter((parameter) => parameter.in === place)
  const filled = named('path').reduce(
    (url, { name, schema }) => url.replace(`{${name}}`, urlExample(schema, name)),
    path,
  )
  const asked = named('query').filter(({ name, required }) => required || /^(page|limit|pageSize)$/.test(name))
  const query = asked.map(({ name, schema }) => `${name}=${urlExample(schema, name)}`).join('&')
  const body = operation.requestBody?.content['application/json']
  const headers = named('header').map(({ name }) => name)
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$RISITI_URL${prefix}${filled}${query && `?${query}`}"`,
    ...(operation.security === undefined ? ['-H "Authorization: Bearer $RISITI_TOKEN"'] : []),
    ...(headers.includes('Idempotency-Key') ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(headers.includes('If-Match') ? [`-H 'If-Match: "3"'`] : []),
    ...(body
      ? ["-H 'Content-Type: application/json'", `-d '${indented(pretty(body.example)).replaceAll("'", "'\\''")}'`]
      : []),
  ].join(' \\\n  ')
}

const urlExample = (schema: JsonSchema, name: string) => encodeURIComponent(String(exampleOf(schema, name, true)))

export function exampleReply(operation: WholeOperation): unknown {
  const { meta, data } = successSchemaOf(operation)?.properties ?? {}
  const pagination = meta?.allOf ? { pagination: examplePagination } : {}
  const mode = operation.security === undefined ? {} : { mode: undefined }
  return { meta: { ...exampleMeta, ...mode, ...pagination }, data: data && exampleOf(data, '', true) }
}

export const pretty = (value: unknown) => JSON.stringify(value, null, 2)
const indented = (text: string) => text.replaceAll('\n', '\n  ')

import type { Parameter } from '../openapi/document.ts'
import { exampleOf } from '../openapi/example-values.ts'
import type { Served } from './served-operations.ts'

/** A request as it is shown, and as it is tried. */
export interface Sample {
  readonly method: string
  /** with ids and query filled in */
  readonly path: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: unknown
}

export function sampleOf({ method, path, operation }: Served, prefix: string): Sample {
  const named = (place: Parameter['in']) => operation.parameters.filter((parameter) => parameter.in === place)
  const spelled = ({ name, schema }: Parameter) => encodeURIComponent(String(exampleOf(schema, name, true)))
  const filled = named('path').reduce((url, param) => url.replace(`{${param.name}}`, spelled(param)), path)
  const asked = named('query').filter(({ name, required }) => required || /^(page|limit|pageSize)$/.test(name))
  const query = asked.map((param) => `${param.name}=${spelled(param)}`).join('&')
  const read = named('header').map(({ name }) => name)
  const body = operation.requestBody?.content['application/json'].example
  return {
    method,
    path: `${prefix}${filled}${query && `?${query}`}`,
    headers: [
      ...(operation.security === undefined ? [['Authorization', 'Bearer $RISITI_TOKEN'] as const] : []),
      ...(read.includes('Idempotency-Key') ? [['Idempotency-Key', '$(uuidgen)'] as const] : []),
      ...(read.includes('If-Match') ? [['If-Match', '"3"'] as const] : []),
      ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
    ],
    body,
  }
}

export const pretty = (value: unknown) => JSON.stringify(value, null, 2)
const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`)

export function curl({ method, path, headers, body }: Sample): string {
  const quoted = (text: string) => (text.includes('"') ? `'${text}'` : `"${text}"`)
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$RISITI_URL${path}"`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d '${indented(pretty(body), '  ').replaceAll("'", "'\\''")}'`]),
  ].join(' \\\n  ')
}

/** With the client of ours: what it takes comes in the same order everywhere. */
export function javascript(served: Served, sample: Sample): string {
  const [module, name] = served.operation.operationId.split('_')
  const ids = [...sample.path.matchAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g)].map(([id]) => `'${id}'`)
  const query = new URLSearchParams(sample.path.split('?')[1] ?? '')
  const asked = [...query].map(([key, value]) => `${key}: ${/^\d+$/.test(value) ? value : `'${value}'`}`)
  const given = [
    ...ids,
    ...(sample.body === undefined ? [] : [pretty(sample.body).replace(/"(\w+)":/g, '$1:')]),
    ...(asked.length > 0 ? [`{ ${asked.join(', ')} }`] : []),
  ]
  return `import { Risiti } from '@risiti/sdk${sample.path.startsWith('/form-b') ? '/form-b' : ''}'

const risiti = new Risiti({ baseUrl: '$RISITI_URL', apiKey: '$RISITI_TOKEN' })
const reply = await risiti.${module}.${name}(${given.join(', ')})`
}

export function python({ method, path, headers, body }: Sample): string {
  const sent = headers.filter(([name]) => name !== 'Content-Type')
  const literal = pretty(body)
    ?.replace(/: true\b/g, ': True')
    .replace(/: false\b/g, ': False')
    .replace(/: null\b/g, ': None')
  return `import requests${usesKey(sent) ? ', uuid' : ''}

reply = requests.request(
    "${method}", "$RISITI_URL${path}",
    headers={${sent.map(([name, value]) => `"${name}": ${usesKey([[name, value]]) ? 'str(uuid.uuid4())' : pretty(value)}`).join(', ')}},${
      literal === undefined ? '' : `\n    json=${indented(literal, '    ')},`
    }
)
print(reply.json())`
}

export function php({ method, path, headers, body }: Sample): string {
  const lines = headers.map(([name, value]) =>
    usesKey([[name, value]]) ? `"${name}: " . bin2hex(random_bytes(16))` : `'${name}: ${value}'`,
  )
  const array = pretty(body)?.replaceAll('{', '[').replaceAll('}', ']').replace(/":/g, '" =>')
  return `$curl = curl_init('$RISITI_URL${path}');
curl_setopt_array($curl, [
    CURLOPT_CUSTOMREQUEST => '${method}',
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [${lines.join(', ')}],${
      array === undefined ? '' : `\n    CURLOPT_POSTFIELDS => json_encode(${indented(array, '    ')}),`
    }
]);
print_r(json_decode(curl_exec($curl), true));`
}

const usesKey = (headers: Sample['headers']): boolean => headers.some(([name]) => name === 'Idempotency-Key')

import type { Form } from '../definitions/form.ts'
import type { Parameter } from '../openapi/document.ts'
import { exampleOf, examples } from '../openapi/example-values.ts'
import type { ServedOperation } from './served-operations.ts'

/** A request, both for display and for sending. */
export interface Sample {
  /** of the form; the TypeScript client has an entry of the same name */
  readonly prefix: string
  readonly method: string
  /** with prefix, ids and query filled in */
  readonly path: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: unknown
}

export function sampleOf(
  { method, path, operation, isMeTaken }: ServedOperation,
  { prefix }: Pick<Form, 'prefix'>,
): Sample {
  const named = (place: Parameter['in']) => operation.parameters.filter((parameter) => parameter.in === place)
  const exampleFor = ({ name, schema }: Parameter) =>
    encodeURIComponent(isMeTaken && name === 'orgId' ? examples.uuid : String(exampleOf(schema, name, true)))
  const filled = named('path').reduce((url, param) => url.replace(`{${param.name}}`, exampleFor(param)), path)
  const asked = named('query').filter(({ name, required }) => required || /^(page|limit|pageSize)$/.test(name))
  const query = asked.map((param) => `${param.name}=${exampleFor(param)}`).join('&')
  const read = named('header').map(({ name }) => name)
  const body = operation.requestBody?.content['application/json'].example
  return {
    prefix,
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

/** How a language writes JSON values. */
interface Spelling {
  readonly object: readonly [open: string, close: string]
  readonly key: (name: string) => string
  readonly text: (text: string) => string
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>
}

const same = { true: 'true', false: 'false', null: 'null' }
const singleQuoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`
const inJavaScript: Spelling = {
  object: ['{', '}'],
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? `${name}: ` : `${singleQuoted(name)}: `),
  text: singleQuoted,
  words: same,
}
const inPython: Spelling = {
  object: ['{', '}'],
  key: (name) => `${JSON.stringify(name)}: `,
  text: (text) => JSON.stringify(text),
  words: { true: 'True', false: 'False', null: 'None' },
}
const inPhp: Spelling = {
  object: ['[', ']'],
  key: (name) => `${singleQuoted(name)} => `,
  // PHP does not expand variables or escapes in single quotes.
  text: (text) => `'${text.replace(/[\\']/g, '\\$&')}'`,
  words: same,
}

function spelled(value: unknown, how: Spelling, indent = ''): string {
  if (typeof value === 'string') return how.text(value)
  if (value === null || typeof value === 'boolean') return how.words[String(value) as 'null']
  if (typeof value !== 'object') return String(value)
  const deeper = `${indent}  `
  const [open, close] = Array.isArray(value) ? ['[', ']'] : how.object
  const parts = Array.isArray(value)
    ? value.map((one) => spelled(one, how, deeper))
    : Object.entries(value).map(([name, one]) => how.key(name) + spelled(one, how, deeper))
  if (parts.length === 0) return open + close
  return `${open}\n${parts.map((part) => `${deeper}${part}`).join(',\n')}\n${indent}${close}`
}

/** With our own client: its arguments have the same order everywhere, and the organisation is the token's own. */
export function javascript(served: ServedOperation, sample: Sample): string {
  const [module, name] = served.operation.operationId.split('_')
  const [path = '', asked = ''] = sample.path.slice(sample.prefix.length).split('?')
  const steps = served.path.split('/')
  const ids = path
    .split('/')
    .filter((step, at) => steps[at]?.startsWith('{') && !(steps[at] === '{orgId}' && step === 'me'))
    .map((step) => singleQuoted(decodeURIComponent(step)))
  const query = [...new URLSearchParams(asked)].map(
    ([key, value]) => `${key}: ${/^\d+$/.test(value) ? value : singleQuoted(value)}`,
  )
  const given = [
    ...ids,
    ...(sample.body === undefined ? [] : [spelled(sample.body, inJavaScript)]),
    ...(query.length > 0 ? [`{ ${query.join(', ')} }`] : []),
  ]
  const token = sample.headers.some(([header]) => header === 'Authorization') ? ", apiKey: '$RISITI_TOKEN'" : ''
  return `import { Risiti } from '@risiti/sdk${sample.prefix}'

const risiti = new Risiti({ baseUrl: '$RISITI_URL'${token} })
const reply = await risiti.${module}.${name}(${given.join(', ')})`
}

export function python({ method, path, headers, body }: Sample): string {
  const sent = headers.filter(([name]) => name !== 'Content-Type')
  const lines = sent.map(
    ([name, value]) => `"${name}": ${usesKey([[name, value]]) ? 'str(uuid.uuid4())' : inPython.text(value)}`,
  )
  return `import requests${usesKey(sent) ? ', uuid' : ''}

reply = requests.request(
    "${method}", "$RISITI_URL${path}",
    headers={${lines.join(', ')}},${body === undefined ? '' : `\n    json=${spelled(body, inPython, '    ')},`}
)
print(reply.json())`
}

export function php({ method, path, headers, body }: Sample): string {
  const lines = headers.map(([name, value]) =>
    usesKey([[name, value]]) ? `'${name}: ' . bin2hex(random_bytes(16))` : inPhp.text(`${name}: ${value}`),
  )
  return `$curl = curl_init('$RISITI_URL${path}');
curl_setopt_array($curl, [
    CURLOPT_CUSTOMREQUEST => '${method}',
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [${lines.join(', ')}],${
      body === undefined ? '' : `\n    CURLOPT_POSTFIELDS => json_encode(${spelled(body, inPhp, '    ')}),`
    }
]);
print_r(json_decode(curl_exec($curl), true));`
}

const usesKey = (headers: Sample['headers']): boolean => headers.some(([name]) => name === 'Idempotency-Key')

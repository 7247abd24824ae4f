import type { DocumentedOperation, Reference, Response } from './document.ts'

type Paths = Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>

/** Responses that several operations share are written once and referred to. */
export function withSharedResponses(paths: Paths): { paths: Paths; responses: Record<string, Response> } {
  const uses = new Map<string, { readonly status: string; readonly response: Response; count: number }>()
  const each = (visit: (status: string, response: Response) => Response | Reference): Paths =>
    mapped(paths, (item) =>
      mapped(item, (operation) => ({
        ...operation,
        responses: mapped(operation.responses, (one, status) => ('$ref' in one ? one : visit(status, one))),
      })),
    )
  each((status, response) => {
    const text = JSON.stringify(response)
    const found = uses.get(text)
    if (found) found.count += 1
    else uses.set(text, { status, response, count: 1 })
    return response
  })
  const named = new Map<string, string>()
  const responses: Record<string, Response> = {}
  for (const [text, { status, response, count }] of uses) {
    if (count < 2) continue
    const about = nameOf(status, response)
    const namesakes = [...named.values()].filter((other) => other.replace(/_\d+$/, '') === about).length
    const name = namesakes === 0 ? about : `${about}_${namesakes + 1}`
    responses[name] = response
    named.set(text, name)
  }
  const shared = each((_, response) => {
    const name = named.get(JSON.stringify(response))
    return name === undefined ? response : { $ref: `#/components/responses/${name}` }
  })
  return { paths: shared, responses }
}

const words: Readonly<Record<string, string>> = { 200: 'Done', 201: 'Created', 202: 'Accepted', 304: 'Current' }

/** Named by the action and the content: `Created-Invoice`. */
function nameOf(status: string, { content }: Response): string {
  const { data } = content?.['application/json']?.schema.properties ?? {}
  const reference = data?.$ref ?? data?.items?.$ref
  const answered = typeof reference === 'string' ? reference.split('/').at(-1) : undefined
  return [words[status] ?? status, ...(answered ? [answered] : [])].join('-')
}

const mapped = <Value, Made>(
  values: Readonly<Record<string, Value>>,
  make: (value: Value, name: string) => Made,
): Record<string, Made> => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, make(value, name)]))

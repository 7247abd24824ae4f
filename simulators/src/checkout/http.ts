import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

export interface Request {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const longestBody = 1_000_000

export const jsonReply = (status: number, value: unknown, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(value),
})

export async function readRequest(message: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > longestBody) throw new Error('the body is too long')
    chunks.push(chunk)
  }
  const { pathname, searchParams } = new URL(message.url ?? '/', 'http://simulator')
  const { method = 'GET', headers } = message
  return { method, path: pathname, query: searchParams, headers, body: Buffer.concat(chunks).toString('utf8') }
}

export function writeReply(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

export const bearer = ({ headers }: Request): string | undefined =>
  /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1]

/** A method and a path in which `:` stands for anything. */
export interface Route {
  readonly on: `${'GET' | 'POST'} /${string}`
  handle(request: Request, named: string): Reply
}

/** The first route that fits, given the part that its `:` stands for. */
export function dispatch(routes: readonly Route[], request: Request, path: string): Reply | undefined {
  for (const { on, handle } of routes) {
    const [method, pattern = ''] = on.split(' ')
    const match = method === request.method && new RegExp(`^${pattern.replace(':', '([^/]+)')}$`).exec(path)
    if (match) return handle(request, decodeURIComponent(match[1] ?? ''))
  }
  return undefined
}

/** Return addresses end in a `Location` header: nothing but a web address may stand there. */
export const isWebAddress = (text: unknown): text is string =>
  typeof text === 'string' && /^https?:\/\//i.test(text) && URL.canParse(text)

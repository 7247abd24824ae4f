import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

export interface Request {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** empty when it was too long */
  readonly body: string
  readonly tooLong: boolean
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What is remembered of a request, for testers. */
export interface RequestRecord {
  readonly method: string
  /** without the query */
  readonly path: string
  /** what stood behind the path, where the simulator keeps it */
  readonly query?: string
  /** 0 when nothing was answered */
  readonly status: number
  /** what was sent, where the simulator keeps it; never a header, so never a key */
  readonly body?: string
}

export const jsonReply = (status: number, value: unknown, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(value),
})

/** A body over the limit is read to its end but not kept, so that the caller can read the refusal. */
export async function readRequest(message: IncomingMessage, mostBytes: number): Promise<Request> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length <= mostBytes) chunks.push(chunk)
  }
  const tooLong = length > mostBytes
  const { method = 'GET', headers, url = '/' } = message
  // not `new URL`: it fails on some paths and tidies others
  const [, path = '/', query = ''] = /^([^?]*)\??(.*)$/s.exec(url) ?? []
  return {
    method,
    path,
    query: new URLSearchParams(query),
    headers,
    body: tooLong ? '' : Buffer.concat(chunks).toString('utf8'),
    tooLong,
  }
}

export function writeReply(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

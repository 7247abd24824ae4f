import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StubRequest {
  readonly method: string
  /** with its query */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface StubAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** a string is sent unchanged, other values as JSON */
  readonly body: unknown
}

/** A server with replies that a test chooses, for replies that no provider or simulator gives. */
export class StubServer implements AsyncDisposable {
  readonly requests: StubRequest[] = []
  /** `undefined` leaves the request without a reply */
  answer: (request: StubRequest) => StubAnswer | undefined | Promise<StubAnswer> = () => ({
    status: 500,
    body: 'nothing was prepared',
  })
  readonly #server = createServer(async (message, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk)
    const { method = '', url: path = '', headers } = message
    const request = { method, path, headers, body: Buffer.concat(chunks).toString() }
    this.requests.push(request)
    const answer = await this.answer(request)
    if (answer === undefined) return
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers }).end(text)
  })

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }
}

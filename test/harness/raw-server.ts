import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A socket server for replies that no HTTP server can give. It records the requests. */
export class RawServer implements AsyncDisposable {
  connections = 0
  /** request heads, with the part of the body that came in the same packet */
  readonly requests: string[] = []
  /** called for every request, with its number on this connection */
  answer: (socket: Socket, onConnection: number) => void = () => {}
  readonly #open = new Set<Socket>()
  // Half-open, so that a test can be the side that closes.
  readonly #server = createServer({ allowHalfOpen: true }, (socket) => {
    this.connections++
    this.#open.add(socket)
    let onConnection = 0
    let text = ''
    socket.on('error', () => {}).on('close', () => this.#open.delete(socket))
    socket.on('end', () => socket.end())
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (!text.includes('\r\n\r\n') || text.length < text.indexOf('\r\n\r\n') + 4 + length) return
      this.requests.push(text)
      text = ''
      this.answer(socket, ++onConnection)
    })
  })

  /** Listens on all local addresses by default. */
  async start(host?: string): Promise<this> {
    this.#server.listen(0, host)
    await once(this.#server, 'listening')
    return this
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get open(): number {
    return this.#open.size
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    for (const socket of this.#open) socket.destroy()
    await once(this.#server, 'close')
  }
}

export const http = (body: string, headers: readonly string[] = [], status = '200 OK'): string =>
  [`HTTP/1.1 ${status}`, `content-length: ${Buffer.byteLength(body)}`, ...headers, '', body].join('\r\n')

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ListeningServer {
  readonly url: string
  close(): Promise<void>
}

/** `closing` ends every wait: an answer that is still underway does not keep the server open. */
export type Answer = (message: IncomingMessage, response: ServerResponse, closing: AbortSignal) => Promise<void>

const ownName = /^(localhost|127\.0\.0\.1)(:\d+)?$/i

/** On loopback alone, and for those alone who say so; at a free port when it is 0. */
export async function listen(port: number, answer: Answer): Promise<ListeningServer> {
  const closing = new AbortController()
  const server = createServer((message, response) => {
    // a page on the web may have its own name lead here, and would be let in by the browser
    if (!ownName.test(message.headers.host ?? '')) {
      message.resume()
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n')
      return
    }
    // it answers its own failures; what is left is a caller who went away, or the end
    answer(message, response, closing.signal).catch(() => response.destroy())
  })
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', listening)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      closing.abort()
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
}

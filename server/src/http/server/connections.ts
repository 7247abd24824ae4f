import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

type WithSockets = Pick<FastifyInstance, 'server'>

const connections = new WeakMap<FastifyInstance['server'], Set<Socket>>()

export function keepTrackOfConnections({ server }: WithSockets): void {
  const open = new Set<Socket>()
  connections.set(server, open)
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
}

export const openConnections = ({ server }: WithSockets): Iterable<Socket> => connections.get(server) ?? []

/** How often each connection is checked within its time limit. */
const looks = 20

/**
 * Closes connections whose client has been behind with its replies for this long. A client that reads a little now and then is never
 * silent, so the timeout for silent connections does not catch it. One timer checks all connections, so replies cost nothing.
 */
export function cutOffSlowReaders(server: WithSockets, readWithinMs: number): void {
  const behindSince = new WeakMap<Socket, number>()
  const look = (): void => {
    const now = performance.now()
    for (const socket of openConnections(server)) {
      if (socket.writableLength === 0) {
        behindSince.delete(socket)
        continue
      }
      const since = behindSince.get(socket)
      if (since === undefined) behindSince.set(socket, now)
      else if (now - since >= readWithinMs) socket.destroy()
    }
  }
  const looking = setInterval(look, readWithinMs / looks).unref()
  server.server.once('close', () => clearInterval(looking))
}

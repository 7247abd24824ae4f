import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'
import type { TestDatabase } from './database.ts'
import { messageReader, statementName } from './frontend-messages.ts'

/**
 * pass: forwards everything. cut: breaks open and new connections. blackhole: connections stay open, but no byte
 * arrives.
 */
type State = 'pass' | 'cut' | 'blackhole'
/** Selects connections by the application_name of their start message. */
type ConnectionFilter = (applicationName: string) => boolean

export interface Link {
  /** for DATABASE_URL */
  readonly url: string
  pass(): void
  cut(which?: ConnectionFilter): void
  blackhole(which?: ConnectionFilter): void
  /** the open connections, by application_name */
  connections(): string[]
  /**
   * every sent statement with the application_name of its connection; an empty name means that it was not kept prepared
   */
  readonly statements: readonly SentStatement[]
  /** number of packets that nodes have sent */
  packets(): number
}

interface SentStatement {
  readonly applicationName: string
  readonly name: string
}

interface Pair {
  readonly node: Socket
  readonly database: Socket
  /** empty until the first packet */
  applicationName: string
}

const all: ConnectionFilter = () => true
/** The connection on which a node watches for revoked tokens. */
export const watch: ConnectionFilter = (name) => name.endsWith(' watch')

const nameIn = (startupPacket: Buffer) => /\0application_name\0([^\0]*)\0/.exec(startupPacket.toString('latin1'))?.[1]

const links = new Set<() => Promise<void>>()

/** A proxy between a node and PostgreSQL that can fail on demand. */
export async function openLink({ host, port, user, database }: TestDatabase): Promise<Link> {
  const pairs = new Set<Pair>()
  const statements: SentStatement[] = []
  let packets = 0
  let state: State = 'pass'
  let which: ConnectionFilter = all

  const stateOf = (pair: Pair): State =>
    which === all || (pair.applicationName !== '' && which(pair.applicationName)) ? state : 'pass'

  function apply(pair: Pair): void {
    const { node, database } = pair
    const now = stateOf(pair)
    if (now === 'cut') {
      node.resetAndDestroy()
      database.destroy()
    } else if (now === 'blackhole') {
      node.pause()
      database.pause()
    } else if (node.destroyed || database.destroyed) {
      node.destroy()
      database.destroy()
    } else {
      node.resume()
      database.resume()
    }
  }

  const server = createServer({ noDelay: true }, (node) => {
    const pair: Pair = {
      node,
      database: host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host),
      applicationName: '',
    }
    pairs.add(pair)
    const read = messageReader((message) => {
      const name = statementName(message)
      if (name !== undefined) statements.push({ applicationName: pair.applicationName, name })
    })
    for (const [from, to] of [
      [node, pair.database],
      [pair.database, node],
    ] as const) {
      from.on('data', (chunk) => {
        if (from === node && pair.applicationName === '') {
          pair.applicationName = nameIn(chunk) ?? 'unnamed'
          apply(pair)
        }
        // A packet in transit when the hole opens is lost with its connection, or waits in the socket.
        if (stateOf(pair) === 'blackhole') from.unshift(chunk)
        else {
          if (from === node) {
            packets++
            read(chunk)
          }
          to.write(chunk)
        }
      })
      from.on('error', () => {})
      from.on('close', () => {
        // In a black hole the other side does not see that this side has closed.
        if (stateOf(pair) !== 'blackhole') to.destroy()
        if (to.destroyed) pairs.delete(pair)
      })
    }
    apply(pair)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  links.add(async () => {
    server.close()
    for (const { node, database } of pairs) {
      node.destroy()
      database.destroy()
    }
    await once(server, 'close')
  })

  const become = (next: State, chosen: ConnectionFilter) => {
    state = next
    which = chosen
    for (const pair of [...pairs]) apply(pair)
  }
  return {
    url: `postgresql://${user}@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`,
    pass: () => become('pass', all),
    cut: (chosen = all) => become('cut', chosen),
    blackhole: (chosen = all) => become('blackhole', chosen),
    connections: () => [...pairs].map((pair) => pair.applicationName),
    statements,
    packets: () => packets,
  }
}

afterAll(async () => {
  await Promise.all([...links].map((close) => close()))
  links.clear()
})

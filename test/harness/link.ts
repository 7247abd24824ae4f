import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'
import type { TestDatabase } from './database.ts'
import { messageReader, statementName } from './frontend-messages.ts'

/** pass: as if it were not there. cut: connections break and new ones too. blackhole: all stays open, nothing arrives. */
type State = 'pass' | 'cut' | 'blackhole'
/** Chosen by the application_name that a connection gives when it starts. */
type Which = (applicationName: string) => boolean

export interface Link {
  /** for DATABASE_URL */
  readonly url: string
  pass(): void
  cut(which?: Which): void
  blackhole(which?: Which): void
  /** the connections that are open now, by application_name */
  connections(): string[]
  /** every statement that was ever sent, by the application_name of its connection; without a name it was not kept prepared */
  readonly statements: readonly SentStatement[]
  /** how many packets nodes have sent */
  packets(): number
}

interface SentStatement {
  readonly applicationName: string
  readonly name: string
}

interface Pair {
  readonly node: Socket
  readonly database: Socket
  /** empty until the first packet has come */
  applicationName: string
}

const all: Which = () => true
/** The connection on which a node follows changes of tokens. */
export const watch: Which = (name) => name.endsWith(' watch')

const nameIn = (startupPacket: Buffer) => /\0application_name\0([^\0]*)\0/.exec(startupPacket.toString('latin1'))?.[1]

const links = new Set<() => Promise<void>>()

/** A road from a node to PostgreSQL on which things can go wrong. */
export async function openLink({ host, port, user, database }: TestDatabase): Promise<Link> {
  const pairs = new Set<Pair>()
  const statements: SentStatement[] = []
  let packets = 0
  let state: State = 'pass'
  let which: Which = all

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
    const pair: Pair = { node, database: connect(`${host}/.s.PGSQL.${port}`), applicationName: '' }
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
        // A packet that was on its way when the hole opened is lost with its connection, or waits in the socket.
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
        // In a black hole the other side does not learn that this one has gone.
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

  const become = (next: State, chosen: Which) => {
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

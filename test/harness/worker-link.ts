import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import type { TestDatabase } from './database.ts'
import { eventually } from './eventually.ts'

/** What happens to a command on its way from the coordinator to a worker. */
export type CommandFault =
  /** it waits until `release` */
  | 'held'
  /** the worker carries it out, and the connection breaks before the reply */
  | 'reply_lost'
  /** the connection breaks before the worker gets it */
  | 'lost'

/** A proxy between the coordinator and one worker, which can disturb the commands that end a transaction. */
export interface WorkerLink {
  /** The next command that begins with these words is disturbed, if its transaction has sent the other words too. */
  disturb(words: string, fault: CommandFault, about?: string): void
  /** what the disturbed transaction had sent to the worker; `undefined` until then */
  disturbed(): string | undefined
  /** disturbs no further command, and lets held ones go on */
  release(): void
}

const links: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of links.splice(0)) await close()
})

/** An answer to the question whether the connection may be encrypted. The proxy has to read it, so `citus.node_conninfo` must not require encryption. */
const notEncrypted = 'N'
const asksForEncryption = (chunk: Buffer): boolean =>
  chunk.length === 8 && [80_877_103, 80_877_104].includes(chunk.readInt32BE(4))

/** Lets the coordinator of this test's database reach its first worker through a proxy. */
export async function linkToWorker(database: TestDatabase): Promise<WorkerLink> {
  const [worker] = inject('workers')
  if (!worker) throw new Error('there is no worker: CITUS_URL is not set')
  const pairs = new Set<readonly [Socket, Socket]>()
  const held: (() => void)[] = []
  let wanted: { readonly words: Buffer; readonly fault: CommandFault; readonly about: string } | undefined
  let disturbed: string | undefined

  const server = createServer({ noDelay: true }, (coordinator) => {
    const behind = connect({ ...worker, noDelay: true })
    const pair = [coordinator, behind] as const
    pairs.add(pair)
    const end = () => {
      coordinator.destroy()
      behind.destroy()
      pairs.delete(pair)
    }
    /** what the transaction has sent so far */
    let sent = ''
    coordinator.on('data', (chunk) => {
      if (asksForEncryption(chunk)) {
        coordinator.write(notEncrypted)
        return
      }
      if (chunk.indexOf('BEGIN') === 5) sent = ''
      sent += chunk.toString('latin1')
      // The coordinator sends such a command alone, and waits for the reply.
      const isWanted = wanted && chunk.indexOf(wanted.words) === 5 && sent.includes(wanted.about)
      if (!wanted || !isWanted || disturbed !== undefined) {
        behind.write(chunk)
        return
      }
      disturbed = sent
      if (wanted.fault === 'lost') end()
      else if (wanted.fault === 'held') {
        coordinator.pause()
        held.push(() => {
          behind.write(chunk)
          coordinator.resume()
        })
      } else {
        behind.removeAllListeners('data')
        behind.once('data', end)
        behind.write(chunk)
      }
    })
    behind.on('data', (chunk) => coordinator.write(chunk))
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', end)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  links.push(async () => {
    server.close()
    for (const sockets of pairs) for (const socket of sockets) socket.destroy()
    await once(server, 'close')
  })

  const owner = new pg.Client({ connectionString: database.owner.url })
  await owner.connect()
  await owner.query(
    `select citus_update_node(nodeid, '127.0.0.1', $1) from pg_dist_node where nodename = $2 and nodeport = $3`,
    [(server.address() as AddressInfo).port, worker.host, worker.port],
  )
  // Until every server knows the new address, no function is delegated.
  await eventually(async () => {
    const { rowCount: unaware } = await owner.query('select from pg_dist_node where not metadatasynced')
    if (unaware) throw new Error('the servers do not know of the link yet')
  })
  await owner.end()
  return {
    disturb(words, fault, about = '') {
      disturbed = undefined
      wanted = { words: Buffer.from(words), fault, about }
    },
    disturbed: () => disturbed,
    release() {
      wanted = undefined
      for (const goOn of held.splice(0)) goOn()
    },
  }
}

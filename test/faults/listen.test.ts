import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type CommandLine, commandLine } from '../../cli/test/command.ts'
import { webhooks as webhooksOfB } from '../../sdk/src/form-b.ts'
import { webhooks } from '../../sdk/src/index.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { seeded } from '../harness/chance.ts'
import { eventually } from '../harness/eventually.ts'
import { ok } from '../harness/issued.ts'

/** An hour is one step here: a whole day, and in the long form a week. */
const hours = process.env.FAULTS === 'all' ? 168 : 24
vi.setConfig({ testTimeout: hours * 25_000 })
const times = { waitSeconds: 1, graceMs: 500, firstPauseMs: 5, longestPauseMs: 40, replyMs: 400, quietMs: 60_000 }

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** A server that can leave its port and come back to it. */
class RestartableServer {
  port = 0
  readonly #server: { listen(port: number, host: string): unknown; close(): unknown } & NodeJS.EventEmitter
  readonly #sockets = new Set<Socket>()

  constructor(server: Server | ReturnType<typeof createServer>) {
    this.#server = server
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket))
    })
  }

  async open(): Promise<void> {
    this.#server.listen(this.port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.port = ((this.#server as Server).address() as AddressInfo).port
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async shut(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.cut()
    await closed
  }
}

/** A TCP proxy before the service, whose network can be slow, silent, cut or away. */
async function startNetwork() {
  const target = Number(new URL(app.url).port)
  const state = { delayMs: 0, isSilent: false, cutsReplies: false, isFailing: false }
  const server = createServer((client) => {
    if (state.isFailing)
      return client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno')
    const service = connect(target, '127.0.0.1')
    const pipe = (from: Socket, to: Socket, cuts: () => boolean) => {
      from.on('data', async (bytes: Buffer) => {
        if (state.isSilent) return
        if (cuts()) return to.write(bytes.subarray(0, bytes.length / 2), () => to.destroy())
        from.pause()
        await wait(state.delayMs)
        to.write(bytes)
        from.resume()
      })
      from.on('error', () => to.destroy()).once('close', () => to.destroy())
    }
    pipe(client, service, () => false)
    pipe(service, client, () => state.cutsReplies)
  })
  const restartable = new RestartableServer(server)
  await restartable.open()
  return { restartable, state }
}

/** The program of a developer, which sometimes is not there, crashes or hangs. */
async function startProgram() {
  const taken: { body: string; headers: IncomingHttpHeaders; path: string }[] = []
  const state = { behaves: 'well' as 'well' | 'crashes' | 'hangs' | 'fails' }
  const server = createHttpServer(async (request, response) => {
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    if (state.behaves === 'crashes') {
      state.behaves = 'well'
      return request.socket.destroy()
    }
    taken.push({ body, headers: request.headers, path: request.url ?? '' })
    if (state.behaves === 'hangs') {
      state.behaves = 'well'
      return
    }
    response.writeHead(state.behaves === 'fails' ? 500 : 204).end()
  })
  const restartable = new RestartableServer(server)
  await restartable.open()
  return { restartable, state, taken, address: (path: string) => `http://127.0.0.1:${restartable.port}${path}` }
}

const nameIn = ({ body }: { body: string }): string => {
  const { data } = JSON.parse(body)
  return data.object?.name ?? data.name
}

async function listener() {
  const person = await app.person()
  await app.openAccount(person.organisationId)
  const key = await app.key(person.organisationId)
  const risiti = await commandLine({ RISITI_API_KEY: key })
  const buyer = async (name: string) =>
    ok(await app.a.post('/i/v1/buyers', { token: person.token, body: { name } }), 201)
  return { key, risiti, buyer }
}

/** A running `listen`, and how to end it. */
function listening(risiti: CommandLine, server: string, words: readonly string[]) {
  const stopping = new AbortController()
  let notes = ''
  const begun = Promise.withResolvers<void>()
  const ended = risiti(['listen', '--server', server, ...words], {
    signal: stopping.signal,
    times,
    onNote: (text) => {
      notes += text
      if (text.includes('listening from')) begun.resolve()
    },
  })
  ended.then(() => begun.resolve())
  return {
    begun: begun.promise,
    ended,
    notes: () => notes,
    async stop() {
      stopping.abort(new Error('interrupted'))
      return await ended
    },
  }
}

/** The command line as a process of its own, with the files and the key of the other one. */
const startProcess = ({ home, key }: { home: string; key: string }, server: string, words: readonly string[]) =>
  spawn(
    process.execPath,
    [join(import.meta.dirname, '../../cli/src/main.ts'), 'listen', '--server', server, ...words],
    {
      env: { PATH: process.env.PATH, RISITI_HOME: home, RISITI_API_KEY: key },
      stdio: 'ignore',
    },
  )

test('through a day of broken networks and programs no event is lost, and none overtakes another', async () => {
  const { chance, seed } = seededChance()
  const { risiti, key, buyer } = await listener()
  const [network, program] = [await startNetwork(), await startProgram()]
  const server = `http://127.0.0.1:${network.restartable.port}`
  const words = ['--forward', program.address('/hook?tenant=7&tenant=8'), '--events', 'buyer.*']
  let running = listening(risiti, server, words)
  await running.begun
  const made: string[] = []
  const names = () => program.taken.map(nameIn)
  const happen = async (count: number) => {
    for (let nth = 0; nth < count; nth++) {
      const name = `Buyer ${made.length}`
      made.push(name)
      await buyer(name)
    }
  }
  const troubles: readonly (() => Promise<void>)[] = [
    async () => network.restartable.cut(),
    async () => {
      await network.restartable.shut()
      await happen(2)
      await network.restartable.open()
    },
    async () => {
      network.state.isSilent = true
      await happen(1)
      await wait(times.graceMs)
      network.state.isSilent = false
      network.restartable.cut()
    },
    async () => {
      network.state.delayMs = 50
      await happen(2)
      network.state.delayMs = 0
    },
    async () => {
      await program.restartable.shut()
      await happen(2)
      await wait(50)
      await program.restartable.open()
    },
    async () => {
      program.state.behaves = 'crashes'
      await happen(1)
    },
    async () => {
      program.state.behaves = 'hangs'
      await happen(1)
    },
    async () => {
      network.state.cutsReplies = true
      await happen(2)
      await wait(times.longestPauseMs)
      network.state.cutsReplies = false
    },
    async () => {
      network.state.isFailing = true
      network.restartable.cut()
      await happen(2)
      await wait(times.longestPauseMs)
      network.state.isFailing = false
    },
    async () => {
      const { code } = await running.stop()
      expect([seed, code]).toEqual([seed, 130])
      await happen(3)
      running = listening(risiti, server, words)
      // The network is good at first: if the first request fails, the command ends.
      await running.begun
    },
  ]
  /** Power fails while an event is on its way: the process has no time to save its cursor. */
  const powerFails = async () => {
    await running.stop()
    program.state.behaves = 'hangs'
    const process = startProcess({ home: risiti.home, key }, server, words)
    await happen(2)
    await eventually(async () => expect(names()).toContain(made.at(-2)))
    process.kill('SIGKILL')
    await once(process, 'close')
    program.state.behaves = 'well'
    running = listening(risiti, server, words)
    await running.begun
  }
  for (let hour = 0; hour < hours; hour++) {
    await happen(1 + Math.floor(chance() * 3))
    if (hour % 24 === 12) await powerFails()
    // Each trouble comes at least once in a day.
    await (troubles[hour < troubles.length ? hour : Math.floor(chance() * troubles.length)] as () => Promise<void>)()
  }
  await happen(1)
  await eventually(async () => expect([seed, names()]).toEqual([seed, expect.arrayContaining(made)]))
  // An event may come twice in a row: its reply was lost. It never comes after a later one.
  expect([seed, names().filter((name, at, all) => name !== all[at - 1])]).toEqual([seed, made])
  const secret = (await risiti(['listen', '--server', server, ...words.slice(0, 2), '--print-secret'])).out.trim()
  for (const { body, headers, path } of program.taken) {
    expect(path).toBe('/hook?tenant=7&tenant=8')
    expect(await webhooks.verify(body, headers, secret)).toMatchObject({ type: 'buyer.created' })
  }
  expect((await running.stop()).code).toBe(130)
  await Promise.all([network.restartable.shut(), program.restartable.shut()])
  await risiti.end()
})

function seededChance() {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  return { seed, chance: seeded(seed) }
}

test('a program that is not there holds the events, and is mentioned once; --no-wait ends with 7', async () => {
  const { risiti, buyer } = await listener()
  const program = await startProgram()
  await program.restartable.shut()
  const words = ['--forward', program.address('/'), '--events', 'buyer.created', '--from', 'start', '--form', 'b']
  const running = listening(risiti, app.url, words)
  await buyer('First')
  await buyer('Second')
  await eventually(async () => expect(running.notes()).toContain('nothing listens at'))
  await wait(10 * times.longestPauseMs)
  expect(running.notes().match(/nothing listens at/g)).toHaveLength(1)
  const elsewhere = words.with(1, program.address('/other'))
  expect(await risiti(['listen', '--server', app.url, ...elsewhere, '--no-wait'], { times })).toMatchObject({ code: 7 })
  await program.restartable.open()
  await eventually(async () => expect(program.taken.map(nameIn)).toEqual(['First', 'Second']))
  const secret = (await risiti(['listen', '--server', app.url, ...words, '--print-secret'])).out.trim()
  for (const { body, headers } of program.taken)
    expect(await webhooksOfB.verify(body, headers, secret)).toMatchObject({
      type: 'buyer.created',
      environment: 'sandbox',
    })
  await running.stop()
  await program.restartable.shut()
  await risiti.end()
})

test('an event that was failed is shown and can be sent again; wrong patterns are refused', async () => {
  const { risiti, buyer } = await listener()
  const program = await startProgram()
  program.state.behaves = 'fails'
  const words = ['--forward', program.address('/in'), '--events', 'buyer.*', '--json']
  const running = listening(risiti, app.url, words)
  await running.begun
  await buyer('Failed')
  await eventually(async () => expect(program.taken).toHaveLength(1))
  const event = JSON.parse((program.taken[0] as { body: string }).body)
  program.state.behaves = 'well'
  const again = ['events', 'resend', event.id, '--forward', program.address('/in'), '--server', app.url, '--json']
  expect(JSON.parse((await risiti(again)).out)).toMatchObject({ status: 204 })
  expect(program.taken[1]?.body).toBe(program.taken[0]?.body)
  const { out } = await running.stop()
  expect(JSON.parse(out)).toMatchObject({ id: event.id, forwarded: { status: 500 }, payload: program.taken[0]?.body })
  const trigger = ['trigger', 'invoice.accepted', '--forward', program.address('/in'), '--server', app.url, '--json']
  expect(JSON.parse((await risiti(trigger)).out)).toMatchObject({ status: 204, type: 'invoice.accepted' })
  expect(JSON.parse(program.taken[2]?.body ?? '')).toMatchObject({ test: true })
  expect((await risiti(['trigger', 'buyer.created', '--real', '--server', app.url])).code).toBe(0)
  for (const wrong of ['--events invioce.*', '--form c', '--forward nowhere', '--from 999999999'])
    expect([wrong, (await risiti(['listen', '--server', app.url, ...wrong.split(' ')], { times })).code]).toEqual([
      wrong,
      wrong.includes('999') ? 1 : 2,
    ])
  await program.restartable.shut()
  await risiti.end()
})

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../harness/eventually.ts'
import { demo, type ServerNode, startNode, until } from '../harness/processes.ts'

const run = promisify(execFile)

let node: ServerNode
/** An empty folder, with the package and nothing else. */
let folder: string
let home: string
/** The program of the new user. */
let receiver: Server
const received: string[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'risiti-new-user-'))
  home = join(folder, 'home')
  await mkdir(home)
  const cli = join(import.meta.dirname, '../../cli')
  const packed = run('npm', ['pack', '--pack-destination', folder], { cwd: cli })
  node = await startNode()
  await packed
  const [tarball] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  await writeFile(join(folder, 'package.json'), '{ "name": "empty", "private": true }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder })
  receiver = createServer(async (request, response) => {
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    received.push(JSON.parse(body).type)
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  await until(async () => (await readdir(node.home)).every((name) => name !== 'demo-left.json'), 'the whole demo data')
})
afterAll(async () => {
  receiver?.close()
  await rm(folder, { recursive: true, force: true })
})

let help = ''
const start = (words: readonly string[]) =>
  spawn(join(folder, 'node_modules/.bin/risiti'), words, {
    cwd: folder,
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: home },
  })

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly notes: string
}

/** Runs a command to its end. `onNote` gets everything on stderr so far. */
async function risiti(line: string, onNote?: (notes: string) => void): Promise<Ended> {
  const words = line.split(' ')
  // The new user reads the help and nothing else.
  if (help !== '')
    expect(help).toContain(`risiti ${words.slice(0, /^(invoices|buyers)$/.test(words[0] ?? '') ? 2 : 1).join(' ')}`)
  const child = start(words)
  let [out, notes] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    out += piece
  })
  child.stderr.setEncoding('utf8').on('data', (piece) => {
    notes += piece
    onNote?.(notes)
  })
  const [code] = await once(child, 'close')
  return { code, out, notes }
}

// biome-ignore lint/suspicious/noExplicitAny: replies of many commands
async function data(line: string): Promise<any> {
  const { code, out, notes } = await risiti(`${line} --json`)
  expect([line, code], notes).toEqual([line, 0])
  return JSON.parse(out)
}

test('the package brings no other package, and the licence of what is in its bundle', async () => {
  expect(await readdir(join(folder, 'node_modules'))).toEqual(['.bin', '.package-lock.json', '@risiti'])
  const notices = join(folder, 'node_modules/@risiti/cli/dist/THIRD-PARTY-LICENCES')
  expect(await readFile(notices, 'utf8')).toContain('commander')
})

test('an older Node gets a sentence and no trace of the program', async () => {
  const older = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.11.0' } })"
  const program = join(folder, 'node_modules/@risiti/cli/bin/risiti.js')
  const child = spawn(process.execPath, ['--import', `data:text/javascript,${older}`, program, '--help'])
  const [[code], out, notes] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  expect([code, out, notes]).toEqual([2, '', 'error: risiti needs Node 22.12 or newer, and this is Node 22.11.0.\n'])
})

test('a new user who reads the help alone signs in, listens, triggers, and repairs a rejected invoice', async () => {
  help = (await risiti('--help')).out
  expect((await risiti('listen')).code).toBe(3)

  // The code is confirmed in the browser of another machine.
  const { email, password } = demo
  const { data: session } = await node.a.post('/a/v1/auth/login', { body: { email, password } })
  const token = session.accessToken as string
  const confirming = Promise.withResolvers<void>()
  const confirm = async (userCode: string) => {
    const { data: request } = await node.a.post('/n/v1/program-requests/find', { token, body: { userCode } })
    const [organization] = request.organizations
    const limits = { amountMinorPerChange: null, amountMinorPerDay: null, currency: null, changesPerDay: null }
    const capabilities = request.requestedCapabilities.filter((one: string) => organization.capabilities.includes(one))
    const body = { organizationId: organization.id, mode: 'sandbox', capabilities, limits }
    expect((await node.a.post(`/n/v1/program-requests/${request.id}/approve`, { token, body })).status).toBe(200)
  }
  let isConfirming = false
  const signedIn = await risiti(`login --server ${node.url} --no-browser`, (notes) => {
    const [userCode] = /[A-Z]{4}-[A-Z]{4}/.exec(notes) ?? []
    if (userCode === undefined || isConfirming) return
    isConfirming = true
    confirm(userCode).then(confirming.resolve, confirming.reject)
  })
  await confirming.promise
  expect(signedIn).toMatchObject({ code: 0, out: '', notes: expect.stringContaining('Signed in: sandbox · ') })
  expect((await risiti('doctor')).out).not.toContain('FAIL')

  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const listening = start(['listen', '--forward', address])
  let notes = ''
  listening.stderr.setEncoding('utf8').on('data', (piece) => {
    notes += piece
  })
  await eventually(async () => expect(notes).toContain('listening from'))
  expect((await risiti(`trigger invoice.created --forward ${address}`)).code).toBe(0)
  expect((await risiti('trigger buyer.created --real')).code).toBe(0)
  await eventually(async () => expect(received).toEqual(expect.arrayContaining(['invoice.created', 'buyer.created'])))

  const [example] = /^\{\n[\s\S]+?\n\}$/m.exec((await risiti('invoices create --help')).out) ?? []
  await writeFile(join(folder, 'sale.json'), example ?? '')
  await data('invoices create --data @sale.json --dry-run')
  const sale = await data('invoices create-and-submit --data @sale.json')
  expect((await data(`invoices wait ${sale.id}`)).status).toBe('accepted')

  const triggered = await data('trigger invoice.rejected --real')
  expect((await risiti(`invoices wait ${triggered.id}`)).code).toBe(1)
  const rejections = await data('invoices list --status rejected')
  const rejected = rejections.find(({ id }: { id: string }) => id === triggered.id)
  const { report } = await data(`invoices status ${rejected.id}`)
  expect(report.refusals).toMatchObject([{ path: 'buyer.taxId', mendedBy: 'reopen' }])
  const { buyerId, buyer } = await data(`invoices get ${rejected.id}`)
  await data(`buyers update ${buyerId} --set taxId=${buyer.taxId.slice(0, 9)}0002`)
  await data(`buyers verify ${buyerId}`)
  await eventually(async () => expect((await data(`buyers get ${buyerId}`)).taxIdStatus).toBe('verified'))
  await data(`invoices reopen ${rejected.id}`)
  await data(`invoices update ${rejected.id} --set notes=Corrected`)
  await data(`invoices finalise ${rejected.id}`)
  await data(`invoices submit ${rejected.id}`)
  expect(await data(`invoices wait ${rejected.id}`)).toMatchObject({ id: rejected.id, status: 'accepted' })
  await eventually(async () => expect(received).toContain('invoice.accepted'))
  listening.kill('SIGINT')
  expect((await once(listening, 'close'))[0]).toBe(130)

  expect((await risiti('logout')).code).toBe(0)
  expect((await risiti('whoami')).code).toBe(3)
  const connected = await node.a.get('/n/v1/connected-programs', { token })
  expect(connected.data.map(({ program }: { program: { name: string } }) => program.name)).toEqual([
    'Bookkeeping assistant',
  ])
})

import type { AddressInfo } from 'node:net'
import { simpleParser } from 'mailparser'
import pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { afterAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../server/src/modules/people/index.ts'
import { hashCheaply } from '../../server/src/modules/people/passwords.ts'
import { loadKeyRing } from '../../server/src/platform/secrets/key-file.ts'
import { createVault } from '../../server/src/platform/secrets/secrets.ts'
import { password, startTestApp } from '../harness/app.ts'
import { createTestDatabase } from '../harness/database.ts'
import { openLink } from '../harness/link.ts'
import { makeKeyFile, type ServerNode, startNode, until, withoutDemo } from '../harness/processes.ts'

const endings: (() => unknown)[] = []
afterAll(async () => {
  for (const end of endings.reverse()) await end()
})

async function sqlOn(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  endings.push(() => client.end())
  return client
}

/** Jobs of a dead worker are due after their lease. The test does not wait for that. */
const pretendThatItsTimeIsOver = (sql: pg.Client) =>
  sql.query(`update jobs set due_at = now() where taken_by is not null`)

const register = (node: ServerNode, email: string) =>
  node.a.post('/a/v1/auth/register', {
    body: {
      email,
      password: 'correct horse battery',
      firstName: 'Ngozi',
      lastName: 'Eze',
      organizationName: 'Eze Stores',
      country: 'NG',
    },
  })

interface Mail {
  readonly messageId: string | undefined
  readonly to: string
}

/** A mail server that can stall: it then receives a complete email and never confirms it. */
async function startMailServer() {
  const heard: Mail[] = []
  const taken: Mail[] = []
  const state = { stalls: true }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onData(stream, session, done) {
      void simpleParser(stream).then(({ messageId }) => {
        const mail = { messageId, to: session.envelope.rcptTo[0]?.address ?? '' }
        heard.push(mail)
        if (state.stalls) return
        taken.push(mail)
        done()
      })
    },
  })
  server.on('error', () => {}) // a client that was killed while it sent an email
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endings.push(() => new Promise<void>((resolve) => server.close(resolve)))
  const hangUp = () => {
    for (const connection of server.connections) connection.close()
  }
  return { heard, taken, state, hangUp, url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` }
}

test.concurrent('sign-ins in progress at shutdown get their reply', async () => {
  const database = await createTestDatabase()
  const SECRETS_FILE = await makeKeyFile()
  const vault = createVault(await loadKeyRing(SECRETS_FILE, { createIfMissing: false }))
  const app = await startTestApp({ database, vault })
  const { email } = await app.person()
  // The check of a real hash takes long enough for the shutdown to come in between.
  hashCheaply(false)
  await app.owner.pool.query('update users set password_hash = $1', [await hashPassword(password)])
  hashCheaply(true)
  await app.close()
  const sql = await sqlOn(database.url)
  const node = await startNode({ env: { DATABASE_URL: database.url, SECRETS_FILE, ...withoutDemo } })
  // Fewer than the connections of the pool: on a slow machine, more would have to wait for one longer than they may.
  const many = 8
  const logins = Array.from({ length: many }, () => node.a.post('/a/v1/auth/login', { body: { email, password } }))
  // Each attempt is counted for its network before the password check. In total only those before the first success count: after it, the
  // network is known.
  await until(async () => {
    const { rows } = await sql.query(
      `select sum(used)::int as used from rate_windows where subject like 'login:%' group by subject`,
    )
    return rows.some(({ used }) => used === many)
  }, 'all logins under way')
  node.signal('SIGTERM')
  expect((await Promise.all(logins)).map(({ status }) => status)).toEqual(Array(many).fill(200))
  expect(await node.ended).toEqual({ code: 0, signal: null })
  expect((await sql.query('select count(*)::int as sessions from sessions')).rows).toEqual([{ sessions: 1 + many }])
  await expect(fetch(`${node.url}/health`)).rejects.toThrow()
})

describe.concurrent('a mail that is being sent at shutdown', () => {
  const waiting = async (sql: pg.Client) =>
    (await sql.query('select recipient from messages where sent_at is null')).rows.map((row) => row.recipient)

  /** An email may be sent more than once, always with the same message id. */
  const expectOneMail = ({ heard, taken }: { heard: readonly Mail[]; taken: readonly Mail[] }) => {
    expect(taken).not.toEqual([])
    for (const mail of [...heard, ...taken]) expect(mail).toEqual(heard[0])
  }

  test('is returned to the queue, and sent after the next start under the same Message-ID', async () => {
    const { url: DATABASE_URL } = await createTestDatabase()
    const mail = await startMailServer()
    const env = { DATABASE_URL, SECRETS_FILE: await makeKeyFile(), SMTP_URL: mail.url, ...withoutDemo }
    const sql = await sqlOn(DATABASE_URL)
    const first = await startNode({ env })
    const email = 'stalled@example.test'
    expect((await register(first, email)).status).toBe(201)
    await until(async () => mail.heard.length > 0, 'a mail on its way')

    expect(await first.stop()).toEqual({ code: 0, signal: null })
    expect(await waiting(sql)).toEqual([email])
    const { rows } = await sql.query(`select taken_by, attempts from jobs where queue <> 'schedule'`)
    expect(rows).toEqual([{ taken_by: null, attempts: 0 }])
    expect(mail.taken).toEqual([])

    mail.state.stalls = false
    const second = await startNode({ env })
    await until(async () => (await waiting(sql)).length === 0, 'the mail sent')
    expectOneMail(mail)
    expect(mail.taken[0]).toEqual({ messageId: expect.stringMatching(/^<.+@.+>$/), to: email })
    expect((await second.stop()).code).toBe(0)
  })

  test('stays with its worker until the lease ends; another worker takes the job of a killed one, and survives an outage', async () => {
    const database = await createTestDatabase()
    const link = await openLink(database)
    const mail = await startMailServer()
    const env = { DATABASE_URL: link.url, SECRETS_FILE: await makeKeyFile(), SMTP_URL: mail.url, ...withoutDemo }
    const sql = await sqlOn(database.url)
    const first = await startNode({ env })
    expect((await register(first, 'killed@example.test')).status).toBe(201)
    await until(async () => mail.heard.length > 0, 'a mail on its way')
    await sql.query(`update jobs set due_at = due_at + interval '1 hour' where taken_by is not null`)
    const second = await startNode({ env })
    // The first worker stands still, so a mail that is sent proves that the second one looks for jobs.
    first.signal('SIGSTOP')
    mail.state.stalls = false
    expect((await register(second, 'other@example.test')).status).toBe(201)
    await until(async () => !(await waiting(sql)).includes('other@example.test'), 'the other mail sent')
    expect(mail.heard.filter(({ to }) => to === 'killed@example.test')).toHaveLength(1)
    expect(await waiting(sql)).toEqual(['killed@example.test'])

    await first.kill()
    await pretendThatItsTimeIsOver(sql)
    await until(async () => (await waiting(sql)).length === 0, 'the mail sent')
    const ofKilled = (mails: readonly Mail[]) => mails.filter(({ to }) => to === 'killed@example.test')
    expectOneMail({ heard: ofKilled(mail.heard), taken: ofKilled(mail.taken) })

    // The database goes away before the result of a mail is saved. Both the mail and the node survive.
    mail.state.stalls = true
    expect((await register(second, 'outage@example.test')).status).toBe(201)
    const ofOutage = (mails: readonly Mail[]) => mails.filter(({ to }) => to === 'outage@example.test')
    await until(async () => ofOutage(mail.heard).length > 0, 'a mail on its way')
    link.cut()
    mail.state.stalls = false
    mail.hangUp()
    await second.said(/job\.failed/)
    await pretendThatItsTimeIsOver(sql)
    link.pass()
    await until(async () => (await fetch(`${second.url}/ready`)).status === 200, 'readiness')
    await until(async () => (await waiting(sql)).length === 0, 'the mail sent')
    expect(mail.taken.at(-1)).toEqual(ofOutage(mail.heard)[0])
    expect((await second.stop()).code).toBe(0)
  })
})

test.concurrent('a job that a killed process queued is run by another process, which gets a wake-up', async () => {
  const { url: DATABASE_URL } = await createTestDatabase()
  const env = { DATABASE_URL, SECRETS_FILE: await makeKeyFile(), ...withoutDemo }
  const sql = await sqlOn(DATABASE_URL)
  const killed = await startNode({ env, args: ['--role=api'] })
  const work = async () => (await sql.query(`select job from jobs where queue <> 'schedule'`)).rows
  const mails = async () => (await sql.query('select recipient from mailbox')).rows

  // No worker runs yet, so the committed job waits.
  const email = 'waiting@example.test'
  expect((await register(killed, email)).status).toBe(201)
  await killed.kill()
  expect(await work()).toEqual([{ job: 'send-message' }])
  expect(await mails()).toEqual([])

  const other = await startNode({ env })
  await until(async () => (await mails()).length === 1, 'the mail')
  expect(await mails()).toEqual([{ recipient: email }])
  await until(async () => (await work()).length === 0, 'nothing left to do')
  expect((await other.stop()).code).toBe(0)
})

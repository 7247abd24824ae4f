import { afterAll, beforeAll, beforeEach } from 'vitest'
import { sql } from '../../server/src/platform/database/sql.ts'
import { startTestApp, type TestApp, type TestAppOptions } from './app.ts'
import { sendDueReminders } from './due-reminders.ts'
import { type Issuer, issuer } from './invoices.ts'
import { type Life, lifeOf, ok } from './issued.ts'
import { sessionAgain } from './session-again.ts'

/** 10:00 in Lagos */
const start = '2026-11-15T09:00:00Z'
export const remindersPath = '/i/v1/reminders'

type FormName = 'A' | 'B'

/** A plan for three days before, on, and 7 and 14 days after the due date. */
export const plan = (more: object = {}) => ({
  on: true,
  hour: 9,
  buyers: 'all',
  steps: [{ days: -3 }, { days: 0 }, { days: 7 }, { days: 14 }],
  ...more,
})

/** A service for the tests of one file, and a new organisation for each of them. */
export function startReminding(options: TestAppOptions = {}) {
  let app: TestApp
  let own: Issuer
  let life: Life
  let buyers = 0

  async function becomeAnotherOrganisation(): Promise<void> {
    own = await issuer(app)
    life = lifeOf(app, own)
  }
  /** A test that moves the clock beyond the life of the token needs a new one. */
  async function signInAgain(): Promise<void> {
    own = await sessionAgain(app, own, 'sandbox')
    life = lifeOf(app, own)
  }
  beforeAll(async () => {
    app = await startTestApp({
      now: start,
      settings: { mailLimits: { document: 5, invitations: 100, hourly: 400 } },
      ...options,
    })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    app.clock.set(start)
    await becomeAnotherOrganisation()
  })

  const client = (form: FormName = 'A') => app.client(form)
  const put = (to: string, body: object, form?: FormName) => client(form).put(to, { token: own.token, body })
  const get = async (to: string, form?: FormName) => ok(await client(form).get(to, { token: own.token }))
  /** Moves the clock, signs in again and lets the workers send what is due. */
  async function at(moment: string): Promise<void> {
    app.clock.set(moment)
    await signInAgain()
    await sendDueReminders(app)
  }

  return {
    get app() {
      return app
    },
    get own() {
      return own
    },
    get life() {
      return life
    },
    becomeAnotherOrganisation,
    signInAgain,
    client,
    put,
    get,
    save: async (more: object = {}, form?: FormName) => ok(await put(`${remindersPath}/plan`, plan(more), form)),
    at,
    /** 09:30 in Lagos */
    on: (day: string) => at(`${day}T08:30:00Z`),
    newBuyer: async (more: object = {}): Promise<{ id: string; email: string }> => {
      const email = `buyer${++buyers}@chidi.test`
      return { id: await life.buyer({ email, ...more }), email }
    },
    /** An invoice that is due on 2 December. */
    invoiceTo: (buyerId: string, more: object = {}) => life.issued({ buyerId, ...more }),
    sentOf: async (id: string): Promise<string[]> =>
      (await get(`${remindersPath}/sent?invoiceId=${id}&limit=100`)).map(
        ({ day, stepDays }: { day: string; stepDays: number | null }) => `${day} ${stepDays ?? 'by hand'}`,
      ),
    mailsOf: (email: string, atLeast: number) => app.mailTo(email, atLeast),
    mailsTotal: async (): Promise<number> => {
      await app.quiet()
      const { many } = await app.runtime.db.one<{ many: number }>(
        sql`select count(*)::int as many from messages where cause like ${`reminder:${own.organisationId}:%`}`,
      )
      return many
    },
  }
}

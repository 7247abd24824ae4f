import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SystemCaller, systemCaller, type UserCaller } from '../kernel/callers.ts'
import { newId, type OrganisationId, type UserId } from '../kernel/ids.ts'
import { systemRole } from '../kernel/roles.ts'
import { mintKey, presets } from '../modules/api-keys/index.ts'
import { organisationOperations } from '../modules/organisations/index.ts'
import type { FormatName } from '../modules/webhooks/index.ts'
import { type Inside, operation } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'
import type { OutboundHttp } from '../platform/outbound/outbound-http.ts'
import { finishDemo, isAnythingLeft, type RemainingParts, readLeft, writeLeft } from './finish-demo.ts'
import { seedBilling } from './seed-billing.ts'
import { type KeyFiles, seedConnection } from './seed-connection.ts'
import { seedExchangeRates } from './seed-exchange-rates.ts'
import { seedInvoices } from './seed-invoices.ts'
import { demoEmail, demoOrigin, demoPassword, seedDemoOrganisation } from './seed-organisation.ts'
import { seedParties } from './seed-parties.ts'
import { seedPrograms } from './seed-programs.ts'
import { seedQuotes } from './seed-quotes.ts'
import { seedReceived } from './seed-received.ts'
import { seedRecurring } from './seed-recurring.ts'
import { seedReminders } from './seed-reminders.ts'
import { seedTeamLife } from './seed-team-life.ts'
import { seedWebhooks } from './seed-webhooks.ts'

export interface Demo {
  readonly baseUrl: string
  readonly email: string
  readonly password: string
  readonly organizationId: string
  readonly sandboxKey: string
}

/** The demo owner, acting in the sandbox. */
export function demoOwner(organisationId: OrganisationId, ownerId: UserId): UserCaller {
  const { id, name, capabilities } = systemRole('OWNER')
  return {
    kind: 'user',
    userId: ownerId,
    sessionId: newId(),
    signedInAt: new Date(),
    tenant: { organisationId, mode: 'sandbox' },
    country: 'NG',
    role: { id, name },
    capabilities: new Set(capabilities),
    email: demoEmail,
    firstName: 'Adaeze',
    lastName: 'Okonkwo',
    emailVerified: true,
    totpEnabled: false,
  }
}

const mintDemoKey = operation(
  { needs: [], refuses: [] },
  async (
    context: Inside<SystemCaller>,
    { organisationId, ownerId }: { organisationId: OrganisationId; ownerId: UserId },
  ) =>
    await mintKey(context, organisationId, {
      mode: 'sandbox',
      name: 'Demo key',
      preset: 'full_integration',
      ownCapabilities: presets.full_integration,
      createdBy: ownerId,
    }),
)

export const demoFile = (dataDir: string): string => join(dataDir, 'demo.json')

/** `undefined` before the demo exists. */
export async function readDemoKey(dataDir: string): Promise<string | undefined> {
  try {
    return (JSON.parse(await readFile(demoFile(dataDir), 'utf8')) as Demo).sandboxKey
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function readDemo(path: string): Promise<Partial<Demo>> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Partial<Demo>
  } catch {
    return {}
  }
}

export interface DemoSurroundings {
  readonly dataDir: string
  readonly baseUrl: string
  /** mail goes only to the built-in mailbox */
  readonly mayMail: boolean
  /** payments go only to the simulator */
  readonly mayPay: boolean
  /** documents for the tax authority go only to the simulator */
  readonly mayReport: boolean
  readonly keyFileOf: KeyFiles | undefined
  /** the demo's webhooks go to the playground's own receiver */
  readonly receiverUrl: string | undefined
  readonly webhookFormats: readonly FormatName[]
  readonly outbound: OutboundHttp
}

export interface PreparedDemo {
  readonly demo: Demo
  /** creates the slow parts in the background; undefined if all exist */
  readonly finish: ((signal: AbortSignal) => Promise<void>) | undefined
}

/** Creates the demo data at the first start; later starts return the same. A lost key is replaced by a new one. */
export async function prepareDemo(
  runner: Runner,
  { dataDir, baseUrl, mayMail, mayPay, mayReport, keyFileOf, receiverUrl, webhookFormats, outbound }: DemoSurroundings,
): Promise<PreparedDemo> {
  const path = demoFile(dataDir)
  const { organisationId, ownerId, isNew } = await seedDemoOrganisation(runner)
  const owner = demoOwner(organisationId, ownerId)
  // Invitations and keys cause mails to invented addresses, so they need the built-in mailbox.
  if (isNew && mayMail) {
    await seedTeamLife(runner, owner)
    await seedPrograms(runner, owner, baseUrl)
  }
  if (mayReport) await seedConnection(runner, owner)
  let left: RemainingParts = isNew ? {} : await readLeft(dataDir, organisationId)
  // If a real authority is configured, it must not receive invented invoices.
  if (!mayReport) left = { ...left, reports: undefined }
  if (isNew) {
    // Before the rest, so that its events are delivered.
    if (receiverUrl !== undefined) await seedWebhooks(runner, owner, receiverUrl, webhookFormats)
    const address = { line1: '27 Awolowo Road', city: 'Ikoyi', state: 'Lagos', country: 'NG' }
    await runner.run(organisationOperations.updateOrganisation, {
      caller: owner,
      origin: demoOrigin,
      input: { address },
    })
    const parties = await seedParties(runner, owner)
    await seedExchangeRates(runner, owner)
    const reports = await seedInvoices(runner, owner, parties, { mayMail })
    await seedQuotes(runner, owner, parties)
    await seedRecurring(runner, owner, parties)
    await seedReminders(runner, owner, parties, { mayMail })
    const { 'Bello Foods Ltd': trader, 'Chiamaka Obi': shop } = parties.buyers
    const webhooks = receiverUrl === undefined ? {} : ({ webhooks: true, endings: true } as const)
    left = { ...webhooks, collection: { trader, shop }, ...(mayReport ? { reports } : {}) }
    await writeLeft(dataDir, organisationId, left)
  }
  if (isNew && mayReport) await seedReceived(runner, owner)
  if (isNew && mayPay) await seedBilling(runner, owner, outbound)
  const before = await readDemo(path)
  // The key in the file is valid only for its organisation: the database may be a new one.
  const known = before.organizationId === organisationId ? before.sandboxKey : undefined
  const sandboxKey =
    known ??
    (await runner.run(mintDemoKey, { caller: systemCaller, origin: demoOrigin, input: { organisationId, ownerId } }))
      .key
  const demo: Demo = { baseUrl, email: demoEmail, password: demoPassword, organizationId: organisationId, sandboxKey }
  await writeFile(path, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  const finish = (signal: AbortSignal) =>
    finishDemo(left, { runner, owner, dataDir, organisationId, receiverUrl, keyFileOf }, signal)
  return { demo, finish: isAnythingLeft(left) ? finish : undefined }
}

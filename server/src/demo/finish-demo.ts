import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { UserCaller } from '../kernel/callers.ts'
import type { OrganisationId } from '../kernel/ids.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { type Payers, seedCollection } from './seed-collection.ts'
import { type KeyFiles, seedKeyFile } from './seed-connection.ts'
import { type DemoReports, seedSubmissions } from './seed-submissions.ts'
import { endWebhooks, openWebhooks } from './seed-webhooks.ts'

/** The parts of the demo that run after the start and are not finished yet, each with its input. */
export interface RemainingParts {
  readonly webhooks?: true
  /** with the references of the accounts that received a payment, or were about to when the process stopped */
  readonly collection?: Payers & { readonly paid?: readonly string[] }
  readonly endings?: true
  readonly reports?: DemoReports | undefined
}

interface StoredProgress {
  readonly organisationId: OrganisationId
  /** the process that works on it */
  readonly pid: number
  readonly left: RemainingParts
}

export const leftFile = (dataDir: string): string => join(dataDir, 'demo-left.json')

function isAlive(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0)
  } catch {
    return false
  }
}

/** What an earlier start left unfinished; `undefined` if another process is working on it. */
export async function readLeft(dataDir: string, organisationId: OrganisationId): Promise<RemainingParts> {
  try {
    const kept = JSON.parse(await readFile(leftFile(dataDir), 'utf8')) as StoredProgress
    return kept.organisationId === organisationId && !isAlive(kept.pid) ? kept.left : {}
  } catch {
    return {}
  }
}

export const isAnythingLeft = (left: RemainingParts): boolean => Object.values(left).some((part) => part !== undefined)

export async function writeLeft(dataDir: string, organisationId: OrganisationId, left: RemainingParts): Promise<void> {
  const kept: StoredProgress = { organisationId, pid: process.pid, left }
  if (!isAnythingLeft(left)) await rm(leftFile(dataDir), { force: true })
  else await writeFile(leftFile(dataDir), JSON.stringify(kept), { mode: 0o600 })
}

export interface DemoPlace {
  readonly runner: Runner
  readonly owner: UserCaller
  readonly dataDir: string
  readonly organisationId: OrganisationId
  readonly receiverUrl: string | undefined
  readonly keyFileOf?: KeyFiles | undefined
}

/** Creates the remaining parts, one by one. Each part can be repeated: existing data stays. */
export async function finishDemo(left: RemainingParts, place: DemoPlace, signal: AbortSignal): Promise<void> {
  const { runner, owner, dataDir, organisationId, receiverUrl, keyFileOf } = place
  const { webhooks, collection, endings, reports } = left
  try {
    await writeLeft(dataDir, organisationId, left)
    if (webhooks && receiverUrl !== undefined) await openWebhooks(runner, owner, receiverUrl, signal)
    if (collection) {
      const paid = new Set(collection.paid)
      await seedCollection(runner, owner, collection, signal, {
        has: (reference) => paid.has(reference),
        async add(reference) {
          paid.add(reference)
          await writeLeft(dataDir, organisationId, { ...left, collection: { ...collection, paid: [...paid] } })
        },
      })
    }
    await writeLeft(dataDir, organisationId, { ...(endings ? { endings } : {}), ...(reports ? { reports } : {}) })
    if (endings) await endWebhooks(runner, owner)
    await writeLeft(dataDir, organisationId, reports ? { reports } : {})
    if (reports && keyFileOf) await seedKeyFile(runner, owner, keyFileOf, signal)
    if (!reports || (await seedSubmissions(runner, owner, reports, signal)))
      await writeLeft(dataDir, organisationId, {})
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

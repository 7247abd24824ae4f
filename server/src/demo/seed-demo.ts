import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SystemCaller, systemCaller } from '../kernel/callers.ts'
import { newId, type OrganisationId, type UserId } from '../kernel/ids.ts'
import { mintKey, presets } from '../modules/api-keys/index.ts'
import { foundOrganisation, listActiveMemberships } from '../modules/organisations/index.ts'
import { findPersonByEmail, hashPassword, insertPerson } from '../modules/people/index.ts'
import { type Inside, type Outside, preparedOperation } from '../platform/operation.ts'
import type { Runner } from '../platform/runner.ts'

const email = 'demo@risiti.test'
const password = 'demo-risiti-2026'

export interface Demo {
  readonly baseUrl: string
  readonly email: string
  readonly password: string
  readonly organizationId: string
  readonly sandboxKey: string
}

/** The demo organisation, made once; and a sandbox key, made again when nobody knows the last one any more. */
const seedDemo = preparedOperation(
  { needs: [], refuses: [] },
  async ({ db }: Outside<SystemCaller>, _input: { knownKey: string | undefined }) => ({
    passwordHash: (await findPersonByEmail(db, email)) ? undefined : await hashPassword(password),
  }),
  async (context: Inside<SystemCaller>, { knownKey }: { knownKey: string | undefined }, { passwordHash }) => {
    const { tx, now } = context
    if (passwordHash !== undefined) {
      const owner: UserId = newId()
      const isNew = await insertPerson(
        tx,
        { id: owner, email, passwordHash, firstName: 'Adaeze', lastName: 'Okonkwo', emailVerifiedAt: now },
        now,
      )
      if (isNew) await foundOrganisation(context, { name: 'Okonkwo Trading Ltd', country: 'NG', ownerId: owner })
    }
    const owner = await findPersonByEmail(tx, email)
    const organisationId = owner && (await listActiveMemberships(tx, owner.id))[0]?.organisationId
    if (!owner || !organisationId) throw new Error('the demo organisation is gone although its owner exists')
    const minted = knownKey
      ? undefined
      : await mintKey(context, {
          organisationId,
          mode: 'sandbox',
          name: 'Demo key',
          capabilities: presets.full_integration,
          createdBy: owner.id,
        })
    return { organisationId, sandboxKey: minted?.key ?? (knownKey as string) }
  },
)

/** The key in demo.json counts only for the organisation it was made for: the database may be a new one. */
async function readDemo(path: string): Promise<Partial<Demo>> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Partial<Demo>
  } catch {
    return {}
  }
}

export async function prepareDemo(
  runner: Runner,
  { dataDir, baseUrl }: { dataDir: string; baseUrl: string },
): Promise<Demo> {
  const path = join(dataDir, 'demo.json')
  const before = await readDemo(path)
  const seed = (knownKey: string | undefined) =>
    runner.run(seedDemo, {
      caller: systemCaller,
      origin: { requestId: 'demo', address: '', userAgent: '' },
      input: { knownKey },
    })
  let seeded: { organisationId: OrganisationId; sandboxKey: string } = await seed(before.sandboxKey)
  if (before.sandboxKey !== undefined && before.organizationId !== seeded.organisationId) seeded = await seed(undefined)
  const demo: Demo = { baseUrl, email, password, organizationId: seeded.organisationId, sandboxKey: seeded.sandboxKey }
  await writeFile(path, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  return demo
}

import { hash } from 'node:crypto'
import { publicCaller, type UserCaller } from '../kernel/callers.ts'
import type { Capability } from '../kernel/capabilities.ts'
import { identityOperations } from '../modules/identity/index.ts'
import { programOperations, programViews } from '../modules/programs/index.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { demoEmail, demoOrigin, demoPassword } from './seed-organisation.ts'

const verifier = 'a-verifier-of-the-demo-which-protects-nothing-at-all'
const redirectUri = 'http://127.0.0.1/callback'

const given = <Result extends object>(result: Result | programViews.OAuthError): Result => {
  if (programViews.isOAuthError(result)) throw new Error(result.description)
  return result
}

/** Only a session that lives can connect a program, so the owner signs in. */
async function signIn(runner: Runner, owner: UserCaller): Promise<UserCaller> {
  const credentials = { email: demoEmail, password: demoPassword, mode: 'sandbox' } as const
  await runner.run(identityOperations.logIn, { caller: publicCaller, origin: demoOrigin, input: credentials })
  const sessions = await runner.run(identityOperations.listSessions, {
    caller: owner,
    origin: demoOrigin,
    input: undefined,
  })
  const [newest] = sessions
  if (!newest) throw new Error('the owner of the demo cannot sign in')
  return { ...owner, sessionId: newest.id }
}

/** An assistant that the owner connected, with limits. It goes the way of every program, and throws its tokens away. */
export async function seedPrograms(runner: Runner, owner: UserCaller, issuer: string): Promise<void> {
  const asStranger = { caller: publicCaller, origin: demoOrigin }
  const asOwner = { caller: await signIn(runner, owner), origin: demoOrigin }
  const metadata = { client_name: 'Bookkeeping assistant', redirect_uris: [redirectUri] }
  const { clientId } = given(await runner.run(programOperations.registerProgram, { ...asStranger, input: metadata }))
  const program = { client_id: clientId, redirect_uri: redirectUri }
  const parameters = {
    ...program,
    response_type: 'code',
    code_challenge_method: 'S256',
    code_challenge: hash('sha256', verifier, 'base64url'),
    resource: `${issuer}/mcp`,
  }
  const asked = { ...asStranger, input: { parameters, issuer } }
  const { id } = given(await runner.run(programOperations.askInBrowser, asked))
  const capabilities: readonly Capability[] = [
    'invoice.read',
    'invoice.stats.read',
    'invoice.create',
    'invoice.validate',
    'invoice.finalise',
    'invoice.record_payment',
    'buyer.read',
    'item.read',
  ]
  const approval = {
    id,
    organisationId: owner.tenant.organisationId,
    mode: 'sandbox',
    capabilities,
    mostPerChange: 50_000_000n,
    mostPerDay: 200_000_000n,
    currency: 'NGN',
    mostChangesPerDay: 20,
  } as const
  const { redirectTo } = await runner.run(programOperations.approveProgramRequest, { ...asOwner, input: approval })
  const code = new URL(redirectTo ?? '').searchParams.get('code') ?? ''
  const input = { ...program, code, code_verifier: verifier }
  given(await runner.run(programOperations.redeemCode, { ...asStranger, input }))
  await runner.run(identityOperations.logOut, { ...asOwner, input: undefined })
}

import type { UserCaller } from '../kernel/callers.ts'
import { systemRole } from '../kernel/roles.ts'
import { apiKeyOperations } from '../modules/api-keys/index.ts'
import { createOrganisation } from '../modules/foundings/index.ts'
import { organisationOperations } from '../modules/organisations/index.ts'
import type { AnyOperation } from '../platform/operations/operation.ts'
import type { Runner } from '../platform/operations/runner.ts'
import { demoOrigin } from './seed-organisation.ts'

/** Roles, invitations and keys in every state. The demo owner creates them through the ordinary operations. */
export async function seedTeamLife(runner: Runner, owner: UserCaller): Promise<void> {
  const act = <Input, Output>(operation: AnyOperation<UserCaller, Input, Output>, input: Input): Promise<Output> =>
    runner.run(operation, { caller: owner, origin: demoOrigin, input })

  await act(organisationOperations.createRole, {
    name: 'branch-clerk',
    label: 'Branch clerk',
    description: 'Writes drafts and looks after buyers, and submits nothing',
    capabilities: [
      'invoice.read',
      'invoice.create',
      'invoice.update_draft',
      'buyer.read',
      'buyer.create',
      'item.read',
      'role.read',
    ],
  })
  await act(organisationOperations.createInvitation, {
    email: 'kemi@example.test',
    fullName: 'Kemi Alabi',
    roleId: systemRole('ACCOUNTANT').id,
    extraCapabilities: [],
    message: 'Welcome to the books!',
  })
  const withdrawn = await act(organisationOperations.createInvitation, {
    email: 'wrong@example.test',
    fullName: 'Wrong Address',
    extraCapabilities: [],
  })
  await act(organisationOperations.withdrawInvitation, { id: withdrawn.id })

  const newKey = (name: string) =>
    act(apiKeyOperations.createApiKey, {
      name,
      mode: 'sandbox' as const,
      grant: { kind: 'capabilities', preset: 'invoicing' },
    })
  const till = await newKey('Till in Yaba')
  await act(apiKeyOperations.rotateApiKey, { id: till.id, graceSeconds: 604_800 })
  const lost = await newKey('Lost laptop')
  await act(apiKeyOperations.revokeApiKey, { id: lost.id })

  await act(createOrganisation, {
    name: 'Okonkwo Trading (Kano)',
    contactEmail: 'kano@risiti.test',
    country: 'NG',
    asChild: true,
  })
}

import { allCapabilities, type Capability, readingCapabilities } from './capabilities.ts'
import type { RoleId } from './ids.ts'

export const systemRoleNames = ['OWNER', 'ADMIN', 'ACCOUNTANT', 'MEMBER', 'DEVELOPER', 'VIEWER'] as const
export type SystemRoleName = (typeof systemRoleNames)[number]

export interface SystemRole {
  readonly id: RoleId
  readonly name: SystemRoleName
  readonly label: string
  readonly description: string
  /** 0 is highest. Nobody can raise another person above their own rank. */
  readonly rank: number
  readonly capabilities: readonly Capability[]
}

const startingWith = (...prefixes: string[]): Capability[] =>
  allCapabilities.filter((name) => prefixes.some((prefix) => name.startsWith(prefix)))

const without = (names: readonly Capability[], ...left: Capability[]): Capability[] =>
  names.filter((name) => !left.includes(name))

const union = (...sets: (readonly Capability[])[]): Capability[] =>
  allCapabilities.filter((c) => sets.some((s) => s.includes(c)))

const parties: readonly Capability[] = startingWith('buyer.', 'seller.')
const invoicing: readonly Capability[] = startingWith('invoice.', 'reference.', 'tax_id.')
const beyondFinalise: readonly Capability[] = [
  'invoice.submit',
  'invoice.retry',
  'invoice.cancel',
  'invoice.record_payment',
]
const teamReads: readonly Capability[] = ['organization.read', 'member.read', 'role.read']

const memberWork = union(teamReads, without(invoicing, ...beyondFinalise), parties, startingWith('item.'), [
  'tax_connection.read',
])

const held: Record<SystemRoleName, readonly Capability[]> = {
  OWNER: allCapabilities,
  ADMIN: without(allCapabilities, 'organization.transfer_ownership'),
  ACCOUNTANT: union(
    teamReads,
    invoicing,
    parties,
    startingWith('item.', 'collection.'),
    readingCapabilities.filter((name) => name.startsWith('billing.')),
    ['tax_connection.read'],
  ),
  MEMBER: memberWork,
  DEVELOPER: union(memberWork, readingCapabilities, startingWith('api_key.', 'webhook.')),
  VIEWER: readingCapabilities,
}

const words: Record<SystemRoleName, [label: string, description: string]> = {
  OWNER: ['Owner', 'Everything, including handing the organisation over'],
  ADMIN: ['Administrator', 'Everything except handing the organisation over'],
  ACCOUNTANT: ['Accountant', 'Invoices, buyers, sellers, items and collection; sees billing'],
  MEMBER: ['Member', 'Invoices up to finalising, buyers, sellers and items'],
  DEVELOPER: ['Developer', 'API keys and webhooks, sees everything, and does what a member does'],
  VIEWER: ['Viewer', 'Sees everything, changes nothing'],
}

/** The same in every organisation, so that scripts can contain them. */
const idOf = (rank: number) => `00000000-0000-7000-8000-00000000000${rank + 1}` as RoleId

export const systemRoles: readonly SystemRole[] = systemRoleNames.map((name, rank) => ({
  id: idOf(rank),
  name,
  label: words[name][0],
  description: words[name][1],
  rank,
  capabilities: held[name],
}))

export const systemRole = (name: SystemRoleName): SystemRole => systemRoles[systemRoleNames.indexOf(name)] as SystemRole

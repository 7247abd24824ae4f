import type { CountryRecord } from '../../../jurisdictions/port.ts'
import { refuse } from '../../../kernel/refusals.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Ports } from '../../../platform/operations/ports.ts'
import type { Vault } from '../../../platform/secrets/secrets.ts'
import { type Connection, credentialsOf, findConnection } from '../../tax-connection/index.ts'

/**
 * If this installation cannot open the keys, it has no access. Its operator must restore the key file that sealed
 * them.
 */
export function openCredentials(vault: Vault, connection: Connection): CountryRecord | undefined {
  try {
    return credentialsOf(vault, connection)
  } catch {
    throw refuse('authority.no_access', {
      message: 'This installation cannot decrypt the keys of your connection. Its operator must restore the key file.',
    })
  }
}

/** The authority with the organisation's keys. Refuses if there is no access. */
export async function authorityOf(
  { db, ports, vault }: { readonly db: Queryable; readonly ports: Ports; readonly vault: Vault },
  tenant: Tenant,
  country: string,
  way: 'authority' | 'authorityForWork' = 'authority',
) {
  const connection = await findConnection(db, tenant)
  const credentials = connection && openCredentials(vault, connection)
  const authority = ports.jurisdictions[way](country, tenant.mode, credentials)
  const rules = ports.jurisdictions.of(country)?.reporting
  if (!authority || !rules) throw refuse('authority.no_access')
  return { authority, rules }
}

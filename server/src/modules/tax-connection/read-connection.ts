import type { TokenCaller } from '../../kernel/callers.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import type { Ports } from '../../platform/operations/ports.ts'
import type { Connection } from './connection.ts'
import { findConnection } from './connections.store.ts'

/** A tenant's connection with the current consent text. `consent` is undefined in countries that we do not serve. */
export interface ConnectionView {
  readonly connection: Connection | undefined
  readonly consent: { readonly textVersion: string; readonly text: string } | undefined
  /** Tax number of the business as people write it. */
  readonly taxId: string | null
}

export function viewOf(
  { jurisdictions }: Pick<Ports, 'jurisdictions'>,
  country: string | undefined,
  connection: Connection | undefined,
): ConnectionView {
  const jurisdiction = country === undefined ? undefined : jurisdictions.of(country)
  const normal = connection?.taxIdNormal ?? null
  return {
    connection,
    consent: jurisdiction?.connections.consent,
    taxId: normal === null ? null : (jurisdiction?.taxIds.written(normal) ?? normal),
  }
}

export const getConnection = reading(
  { needs: ['tax_connection.read'], refuses: [] },
  async ({ db, ports, caller }: Outside<TokenCaller>): Promise<ConnectionView> =>
    viewOf(ports, caller.country, await findConnection(db, caller.tenant)),
)

import { expect, test } from 'vitest'
import { createOlderDatabase } from '../../../../../test/harness/older-database.ts'
import { newId } from '../../../kernel/ids.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { migrate } from '../../../platform/database/migrations.store.ts'
import { sql } from '../../../platform/database/sql.ts'
import { silentLogger } from '../../../platform/logger.ts'
import { findSharedByToken, hashOfToken } from '../shares.store.ts'

test('links from before the look-up are found by it, until an older node withdraws them', async () => {
  const database = await createOlderDatabase('0068')
  const owner = openDatabase({ connection: database.owner })
  const service = openDatabase({ connection: database })
  try {
    const organisation = newId()
    const links = { kept: newId(), withdrawn: newId() }
    await owner.transaction(async (tx) => {
      // The invoices that they lead to are not needed here.
      await tx.run(sql`set local session_replication_role = replica`)
      await tx.run(sql`
        insert into organisations (id, name, country, created_at, updated_at) values (${organisation}, 'Eze', 'NG', now(), now())`)
      for (const [token, invoice] of Object.entries(links))
        await tx.run(sql`
          insert into invoice_shares (organisation_id, mode, id, invoice_id, token_hash, sealed_token, shared_at)
          values (${organisation}, 'live', ${newId()}, ${invoice}, ${hashOfToken(token)}, '', now())`)
    })
    await migrate(database.owner.url, silentLogger)
    for (const [token, invoiceId] of Object.entries(links))
      expect(await findSharedByToken(owner, token)).toMatchObject({
        organisationId: organisation,
        mode: 'live',
        invoiceId,
      })

    // Nodes work on before the service is given rights to what is new.
    await service.run(
      sql`delete from invoice_shares where organisation_id = ${organisation} and invoice_id = ${links.withdrawn}`,
    )
    expect(await owner.rows(sql`select token_hash from invoice_share_tokens`)).toEqual([
      { tokenHash: hashOfToken('kept') },
    ])
  } finally {
    await Promise.all([owner.end(), service.end()])
  }
})

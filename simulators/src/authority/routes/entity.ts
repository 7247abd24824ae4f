import type { Reply } from '../../shared/http.ts'
import { companyNameFrom, hexFrom, pick, tinOf, uuidFrom } from '../derived.ts'
import { invalid, notFound, success } from '../envelope.ts'
import { listReply } from '../paging.ts'
import type { Call, Group } from '../routes.ts'
import type { Authority, KnownEntity } from '../state.ts'

export const entityRoutes = (authority: Authority): Group => ({
  handler: 'entity_actions',
  routes: [
    { on: 'GET /api/v1/entity', handle: (call) => search(authority, call) },
    { on: 'GET /api/v1/entity/:id', handle: (call) => success(entityOf(remembered(authority, uuidIn(call)))) },
  ],
})

/** Finds entities that a caller has read by id before. Those count as the caller's customers. */
function search({ records }: Authority, { request }: Call): Reply {
  const reference = request.query.get('reference')
  const entities = [...records.entities.values()].map(entityOf)
  return listReply(reference ? entities.filter((entity) => entity.reference === reference) : entities, request.query)
}

function uuidIn(call: Call): string {
  const id = call.named('id')
  if (id.length !== 36) throw invalid(`invalid UUID length: ${id.length}`)
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) throw invalid('invalid UUID format')
  return id.toLowerCase()
}

/** Every id exists from its first read on, except ids that end in 0000. */
function remembered({ records, now }: Authority, id: string): KnownEntity {
  if (id.endsWith('0000')) throw notFound('entity')
  const known = records.entities.get(id)
  if (known) return known
  const entity = { id, createdAt: now().toISOString() }
  records.note({ what: 'entity', ...entity })
  return entity
}

const sectors = ['Agriculture', 'Manufacturing', 'Trade', 'Transport', 'Information Technology']
const callersAccessPoint = uuidFrom('access point of the caller')

/** One entity has one tax id and one business, which goes by the entity's own id. */
function entityOf({ id, createdAt }: KnownEntity) {
  const dates = { created_at: createdAt, updated_at: createdAt }
  return {
    id,
    reference: uuidFrom(`entity ${id}`),
    custom_settings: null,
    ...dates,
    is_active: true,
    app_reference: callersAccessPoint,
    businesses: [
      {
        id,
        reference: uuidFrom(`business ${id}`),
        name: companyNameFrom(id),
        custom_settings: null,
        ...dates,
        tin: tinOf(id),
        sector: pick(sectors, id),
        annual_turnover: 'NGN 1bn - NGN 5bn',
        support_peppol: true,
        is_realtime_reporting: true,
        notification_channels: 'email',
        erp_system: 'Other',
        is_active: true,
        irn_template: `{{invoice_id(e.g:INV00XXX)}}-${serviceIdOf(id)}-{{YYYYMMDD(e.g:20250629)}}`,
      },
    ],
  }
}

/** Half of it is the second group of the entity's id, as it has been seen to be. */
const serviceIdOf = (id: string): string => `${id.slice(9, 13)}${hexFrom(`service ${id}`, 4)}`.toUpperCase()

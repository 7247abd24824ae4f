import type { Reply } from '../../shared/http.ts'
import { success } from '../envelope.ts'
import { type Entry, type ListName, listNames, lists } from '../resources/lists.ts'
import { xmlOf } from '../resources/xml.ts'
import type { Call, Group } from '../routes.ts'
import type { Authority } from '../state.ts'

export const resourceRoutes = ({ records }: Authority): Group => ({
  handler: 'resource_actions',
  open: true,
  routes: listNames.map((name: ListName) => ({
    on: `GET /api/v1/invoice/resources/${name}` as const,
    handle: (call: Call) => listReply(records.lists[name] ?? lists[name], call),
  })),
})

/** An empty list is `null`, as everywhere at the authority. */
function listReply(entries: readonly Entry[], { request }: Call): Reply {
  if (!wantsXml(request.headers.accept)) return success(entries.length === 0 ? null : entries)
  return { status: 200, headers: { 'content-type': 'application/xml; charset=utf-8' }, body: xmlOf(entries) }
}

/** XML if the header has it before JSON. Otherwise JSON. */
export const wantsXml = (accept = ''): boolean => /application\/(xml|json)/i.exec(accept)?.[1]?.toLowerCase() === 'xml'

import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import { Refusal } from '../../kernel/refusals.ts'
import { routeDefinitions as routes } from '../routes/index.ts'
import type { ToolContext } from './tool.ts'

/** The code lists and rules of the caller's country. */
export const rulesResource = {
  uri: 'risiti://rules',
  name: 'rules',
  title: 'Rules of the country',
  description: 'Kinds of invoices, tax categories, currencies and words of each country.',
  mimeType: 'application/json',
}

export const resourceTemplates = [
  {
    uriTemplate: 'risiti://invoices/{id}.pdf',
    name: 'invoice-pdf',
    title: 'Invoice as PDF',
    description: 'A link to the PDF, which works for 15 minutes.',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'risiti://invoices/{id}.xml',
    name: 'invoice-xml',
    title: 'Invoice as UBL',
    description: 'A link to the UBL document, which works for 15 minutes.',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'risiti://invoices/{id}/authority-copy',
    name: 'authority-copy',
    title: 'Copy at the tax authority',
    description: 'What the tax authority has stored of an accepted invoice.',
    mimeType: 'application/json',
  },
] as const

const ofInvoice = /^risiti:\/\/invoices\/([0-9a-f-]{36})(?:\.(pdf|xml)|\/authority-copy)$/

/** Files come as links: a file inside the reply would fill the context of the model. */
export async function readResource(context: ToolContext, uri: string) {
  const [, id, format] = ofInvoice.exec(uri) ?? []
  const read = (data: unknown) => ({
    contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }],
  })
  try {
    if (uri === rulesResource.uri) return read(await context.data(routes.reference.listJurisdictions, {}))
    if (id !== undefined && format === undefined)
      return read(await context.data(routes.submissions.readAuthorityCopy, { params: { id } }))
    if (id !== undefined)
      return read(await context.data(routes.invoices.download, { params: { id }, query: { format } }))
  } catch (error) {
    if (!(error instanceof Refusal) || error.refusal !== 'resource.not_found') throw error
  }
  throw new ResourceNotFoundError(uri)
}

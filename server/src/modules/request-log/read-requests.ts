import type { ProgramCaller, UserCaller } from '../../kernel/callers.ts'
import { type Capability, missingFrom } from '../../kernel/capabilities.ts'
import type { Page, PageRequest } from '../../kernel/paging.ts'
import { refuse } from '../../kernel/refusals.ts'
import { type Outside, reading } from '../../platform/operations/operation.ts'
import type { RequestId } from './logged-request.ts'
import { type FoundRequest, findRequest, listRequests, type RequestFilter } from './request-log.store.ts'

type PersonOrProgram = UserCaller | ProgramCaller

/** A caller who can see the keys can see their requests. */
const needs = ['api_key.read'] as const

/** Queries contain search words: names of buyers, numbers of invoices, words of items. */
const toSeeQueries: readonly Capability[] = ['buyer.read', 'invoice.read', 'item.read', 'seller.read']
const seesQueries = ({ capabilities }: PersonOrProgram): boolean => missingFrom(capabilities, toSeeQueries).length === 0

export const listOwnRequests = reading(
  { needs, refuses: [] },
  (
    { db, caller }: Outside<PersonOrProgram>,
    { page, ...filter }: RequestFilter & { page: PageRequest },
  ): Promise<Page<FoundRequest>> => listRequests(db, caller.tenant, filter, page, seesQueries(caller)),
)

export const getRequest = reading(
  { needs, refuses: ['resource.not_found'] },
  async ({ db, caller }: Outside<PersonOrProgram>, { id }: { id: RequestId }): Promise<FoundRequest> => {
    const found = await findRequest(db, caller.tenant, id, seesQueries(caller))
    if (!found) throw refuse('resource.not_found')
    return found
  },
)

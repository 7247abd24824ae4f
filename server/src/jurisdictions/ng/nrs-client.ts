import type { Authority, Business, CountryRecord } from '../port.ts'
import {
  cleanText,
  readBusiness,
  readEntities,
  readEntity,
  readNetworkEntry,
  readTaxpayer,
  saysUnknownNumber,
} from './nrs-answers.ts'
import { type Answer, type NrsCalls, type NrsKeys, type NrsOptions, nrsWay } from './nrs-calls.ts'
import { entriesOf, listPath } from './nrs-lists.ts'
import { nrsReporting } from './nrs-reporting.ts'
import { asAuthorityWrites, taxIds } from './tax-ids.ts'
import { notProtocol, unclear } from './unanswered.ts'

/** A complete list of HS codes has about six thousand entries. */
const mostListBytes = 4 * 1024 * 1024
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * The e-invoicing service of Nigeria's revenue service, with the keys of this installation or of an organisation.
 */
export function nrsAuthorities({
  apiKey,
  apiSecret,
  ...access
}: NrsOptions): (credentials?: CountryRecord) => Required<Authority> {
  const way = nrsWay(access)
  const own = authorityOver(way({ apiKey, apiSecret }))
  return (credentials) => (credentials === undefined ? own : authorityOver(way(keysIn(credentials))))
}

/** The form of the connection requires both. */
const keysIn = ({ apiKey = '', apiSecret = '' }: CountryRecord): NrsKeys => ({ apiKey, apiSecret })

export type AuthorityWith = (credentials?: CountryRecord) => Authority

export const nrsAuthority = (options: NrsOptions): Required<Authority> => nrsAuthorities(options)()

/** Each method sends one request; retries are the caller's decision. */
function authorityOver(calls: NrsCalls): Required<Authority> {
  return {
    ...nrsReporting(calls),

    isHealthy: (signal) => calls.isHealthy(signal),

    async findTaxpayer(taxId, signal) {
      const body = { tin: asAuthorityWrites(taxId) }
      const answer = await calls.ask({ path: '/api/v1/utilities/verify-tin/', body }, signal)
      if ('refused' in answer && saysUnknownNumber(answer)) return undefined
      const { tin, jtb_tin, rc_number, taxpayer_name, address, email, phone } = readTaxpayer(dataOf(answer))
      // A taxpayer can be found by either number, and the answer has each in its own field.
      mustBeAbout(taxId, [normalOf(tin), normalTin(jtb_tin), normalRegistration(rc_number)])
      return {
        taxId,
        name: cleanText(taxpayer_name ?? ''),
        address: textOf(address),
        email: textOf(email),
        phone: textOf(phone),
      }
    },

    async findNetworkEntry(taxId, signal) {
      const path = `/api/v1/invoice/transmit/lookup/tin/${encodeURIComponent(asAuthorityWrites(taxId))}`
      const answer = await calls.ask({ path }, signal)
      if ('refused' in answer && answer.refused === 404) return { reachable: false, provider: undefined }
      const { tin, is_active, app_name } = readNetworkEntry(dataOf(answer))
      mustBeAbout(taxId, [normalOf(tin)])
      return { reachable: is_active, provider: textOf(app_name) }
    },

    async findBusiness(entityId, businessId, signal) {
      // Only a UUID can be an id. The authority answers other texts like its own failures, so they are not sent.
      if (!uuid.test(entityId)) return undefined
      const answer = await calls.ask({ path: `/api/v1/entity/${entityId}` }, signal)
      if ('refused' in answer && answer.refused === 404)
        return isSameId(entityId, businessId) ? await searchBusiness(calls, businessId, signal) : undefined
      const entity = readEntity(dataOf(answer))
      if (!isSameId(entity.id, entityId)) throw unclear('other_document', 'the authority answered about another entity')
      return businessAmong(entity.businesses, businessId)
    },

    async readList(type, signal) {
      const answer = await calls.ask({ path: listPath(type), open: true, mostBytes: mostListBytes }, signal)
      return entriesOf(type, dataOf(answer))
    },
  }
}

/** More pages than all businesses that chose us fill. */
const mostPages = 100

/** Searches all entities that we may see, if the entity of a business is unknown. */
async function searchBusiness(calls: NrsCalls, id: string, signal: AbortSignal): Promise<Business | undefined> {
  for (let page = 1; page <= mostPages; page++) {
    const answer = await calls.ask({ path: `/api/v1/entity?size=100&page=${page}` }, signal)
    const found = readEntities(dataOf(answer))
    for (const { businesses } of found.items ?? []) {
      const business = businessAmong(businesses, id)
      if (business) return business
    }
    if (!found.page.hasNextPage) return undefined
  }
  throw notProtocol('the authority has more pages than there can be')
}

function businessAmong(businesses: readonly { id: string }[] | null | undefined, id: string): Business | undefined {
  const found = businesses?.find((business) => isSameId(business.id, id))
  if (found === undefined) return undefined
  const { name, tin, irn_template } = readBusiness(found)
  return {
    id: found.id,
    name: cleanText(name),
    taxId: normalOf(tin) ?? cleanText(tin),
    numberTemplate: irn_template,
  }
}

function dataOf(answer: Answer): unknown {
  if ('data' in answer) return answer.data
  // This concerns the request, not the health of the authority.
  throw unclear('ambiguous', `the authority refused the question with ${answer.refused}`)
}

type NullableText = string | null | undefined

const normalTin = (text: NullableText): string | undefined => taxIds.normalise('national', text ?? '')
const normalRegistration = (text: NullableText): string | undefined => taxIds.normalise('registration', text ?? '')
/** Plain digits are a TIN if they can be one. A registration number keeps its letters. */
const normalOf = (text: NullableText): string | undefined =>
  normalTin(text) ?? (/^\s*RN/i.test(text ?? '') ? normalRegistration(text) : undefined)

function mustBeAbout(taxId: string, named: readonly (string | undefined)[]): void {
  if (!named.includes(taxId)) throw unclear('other_document', 'the authority answered about another number')
}

const textOf = (text: NullableText): string | undefined => cleanText(text ?? '') || undefined

const isSameId = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

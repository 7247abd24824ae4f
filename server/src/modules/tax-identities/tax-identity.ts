import type { Jurisdiction, Jurisdictions, TaxIdType } from '../../jurisdictions/port.ts'
import { type Fault, invalid } from '../../kernel/refusals.ts'
import { searchText } from '../../kernel/search-text.ts'

/** A tax number as typed, its normal form for comparison, and its type. */
export interface TaxIdentity {
  readonly taxId: string | null
  readonly taxIdNormal: string | null
  readonly taxIdType: TaxIdType
}

export const noTaxIdentity: TaxIdentity = { taxId: null, taxIdNormal: null, taxIdType: 'none' }

const wrong = (path: string, message: string): Fault => ({ path, rule: 'tax-id', message })

/** Without a type, a number counts as a national one, and no number as `none`. */
export function taxIdentityOf(
  { taxIds }: Pick<Jurisdiction, 'taxIds'>,
  taxId: string | null | undefined,
  type: TaxIdType | undefined,
  path = 'taxId',
): TaxIdentity {
  const taxIdType = type ?? (taxId ? 'national' : 'none')
  if (!taxId) {
    if (taxIdType === 'none') return noTaxIdentity
    throw invalid([wrong(path, 'is required unless the type is none')])
  }
  if (taxIdType === 'none') throw invalid([wrong(path, 'must be left out with the type none')])
  const taxIdNormal = taxIds.normalise(taxIdType, taxId)
  if (taxIdNormal === undefined) {
    const { label, example } = taxIds.types.find((one) => one.type === taxIdType) ?? { label: 'tax number' }
    throw invalid([wrong(path, `must be a ${label.toLowerCase()}${example ? `, such as ${example}` : ''}`)])
  }
  return { taxId: taxId.trim(), taxIdNormal, taxIdType }
}

const legalForms = new Set(['ltd', 'limited', 'plc', 'llc', 'inc', 'co', 'company', 'and', 'the', 'rc'])

const wordsOf = (name: string, common: readonly string[]): Set<string> =>
  new Set(
    searchText(name)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '' && !legalForms.has(word) && !common.includes(word)),
  )

/** Compares business names without regard to legal form, common words of our countries, word order and punctuation. */
export function isSameName(one: string, other: string, { all }: Pick<Jurisdictions, 'all'>): boolean {
  const common = all.flatMap(({ words }) => words.commonNameWords)
  const [fewer, more] = [wordsOf(one, common), wordsOf(other, common)].sort((a, b) => a.size - b.size) as [
    Set<string>,
    Set<string>,
  ]
  return fewer.size > 0 && [...fewer].every((word) => more.has(word))
}

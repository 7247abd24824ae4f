import type { Jurisdiction, TaxIdType } from '../../jurisdictions/port.ts'
import { type DocumentWords, quantity } from '../../kernel/document-words.ts'
import type { CodeLists } from '../reference/index.ts'

type Country = Pick<Jurisdiction, 'country' | 'taxLabels' | 'ublRules' | 'words'>

/** `VAT 7.5%`, and `Exempt` without a rate; an unknown code is shown as it is. */
export const wordsOf = (
  codeLists: Pick<CodeLists, 'list'>,
  { country, taxLabels, ublRules, words }: Country,
): DocumentWords => ({
  unitName: (code) => codeLists.list(country, 'units').find(code)?.name ?? code,
  taxName: (category, rate) => {
    const label = Object.hasOwn(taxLabels, category) ? taxLabels[category] : undefined
    const name = label ?? codeLists.list(country, 'tax-categories').find(category)?.name ?? category
    const isExempt = ublRules.taxCategory(category, rate.units !== 0n).code === 'E'
    return isExempt ? name : `${name} ${quantity(rate)}%`
  },
  taxIdName: (type) => words.taxIdNames[type as TaxIdType] ?? 'Tax number',
  referenceName: words.reference.name,
})

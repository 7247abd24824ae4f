import type { Jurisdiction, TaxIdType } from '../../jurisdictions/port.ts'
import type { DocumentWords } from '../../kernel/document-words.ts'
import type { Language } from '../../kernel/languages/languages.ts'
import { wordingOf } from '../../kernel/languages/wording.ts'
import type { CodeLists } from '../reference/index.ts'

type Country = Pick<Jurisdiction, 'country' | 'taxLabels' | 'ublRules' | 'words'>

const own = (names: Readonly<Record<string, string>> | undefined, key: string): string | undefined =>
  names && Object.hasOwn(names, key) ? names[key] : undefined

/**
 * `VAT 7.5%`, and `Exempt` without a rate; an unknown code is shown as it is. A name that nobody has translated stays
 * English.
 */
export function wordsOf(
  codeLists: Pick<CodeLists, 'list'>,
  { country, taxLabels, ublRules, words }: Country,
  language: Language,
): DocumentWords {
  const wording = wordingOf(language)
  const translated = words.translations[language]
  return {
    wording,
    unitName: (code) =>
      (language === 'en' ? undefined : wording.find(`unit.${code}`)) ??
      codeLists.list(country, 'units').find(code)?.name ??
      code,
    taxName: (category, rate) => {
      const label = own(translated?.taxLabels, category) ?? own(taxLabels, category)
      const name = label ?? codeLists.list(country, 'tax-categories').find(category)?.name ?? category
      const isExempt = ublRules.taxCategory(category, rate.units !== 0n).code === 'E'
      return isExempt ? name : `${name} ${wording.quantity(rate)}%`
    },
    taxIdName: (type) =>
      own(translated?.taxIdNames, type) ?? words.taxIdNames[type as TaxIdType] ?? wording.say('party.tax_number'),
    referenceName: words.reference.name,
    keepsEnglishTitle: words.keepsEnglishTitle,
  }
}

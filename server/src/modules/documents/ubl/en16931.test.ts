import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { casesToTry } from '../../../../../test/harness/runs.ts'
import { brokenRules, rules } from '../../../../../test/ubl/broken-rules.ts'
import { isIn } from '../../../../../test/ubl/core-rules.ts'
import {
  anyDocument,
  decimal,
  documentOf,
  documents,
  letterhead,
  line,
  seller,
  unfitDocuments,
} from '../../../../../test/ubl/documents.ts'
import { plants } from '../../../../../test/ubl/planted-faults.ts'
import { nigeria } from '../../../jurisdictions/ng/index.ts'
import { ublRules } from '../../../jurisdictions/ng/ubl-rules.ts'
import { rulesNotMet } from '../../../jurisdictions/ng/ubl-rules-not-met.ts'
import type { DocumentParty, InvoiceDocument } from '../../../kernel/invoice-document.ts'
import { ublOf } from './ubl.ts'

const ruleIds = [...new Set(rules.map(({ id }) => id))].sort()
const idsOf = (of: string) => rulesNotMet.filter((each) => each.of === of).map(({ id }) => id)
const hasAddress = (party: DocumentParty | null) => party?.taxIdType === 'national' && party.taxId?.length === 13
/** The rules that follow from the parties' numbers. */
const expectedOf = ({ buyer, seller }: InvoiceDocument): string[] =>
  [
    ...(hasAddress(buyer) ? [] : idsOf('a buyer without a tax ID of 13 digits')),
    ...(hasAddress(seller) ? [] : idsOf('a seller without a tax ID of 13 digits')),
    ...(hasAddress(buyer) || hasAddress(seller) ? idsOf('a party with a tax ID of 13 digits') : []),
  ].sort()

describe('the checker', () => {
  test.each(plants)('finds a violation of $id', ({ id, before, after }) => {
    expect(after).not.toBe(before)
    expect(brokenRules(before)).not.toContain(id)
    expect(brokenRules(after)).toContain(id)
  })

  test('is tested with a fault for every rule', () => {
    const alsoShown = ['PEPPOL-EN16931-R010', 'PEPPOL-EN16931-R020']
    expect([...new Set([...plants.map(({ id }) => id), ...alsoShown])].sort()).toEqual(ruleIds)
  })
})

describe('a document obeys every rule that a Nigerian document can obey', () => {
  test.each(Object.entries(documents))('%s', (_, document) => {
    expect(brokenRules(ublOf(document, ublRules, letterhead)).sort()).toEqual(expectedOf(document))
    expect(brokenRules(ublOf(document, ublRules)).sort()).toEqual(expectedOf(document))
  })

  test('any document with any texts and amounts', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        expect(brokenRules(ublOf(document, ublRules, letterhead)).sort()).toEqual(expectedOf(document))
      }),
      { numRuns: casesToTry(128, 512) },
    )
  })
})

test('a document between two reachable parties breaks only one rule', () => {
  const document = documentOf({ lines: [line()], seller: { ...seller, taxId: '2019822200021' } })
  expect(brokenRules(ublOf(document, ublRules))).toEqual(['PEPPOL-EN16931-CL008'])
})

describe('the lists that callers choose from', () => {
  const listed = (type: string) => nigeria().builtInLists.find((list) => list.type === type)?.entries ?? []

  test.each([
    ['units', 'UNECERec20'],
    ['countries', 'ISO3166'],
  ])('contain only codes of %s that the standard knows', (type, list) => {
    expect(listed(type).length).toBeGreaterThan(200)
    expect(listed(type).filter(({ code }) => !isIn(list, code))).toEqual([])
  })

  test('contain only tax categories that the standard knows', () => {
    expect(listed('tax-categories').length).toBeGreaterThan(20)
    for (const { code: taxCategory } of listed('tax-categories')) {
      const lines = ['0', '5'].map((rate) => line({ taxCategory, taxRate: decimal(rate) }))
      const document = documentOf({ lines })
      expect(brokenRules(ublOf(document, ublRules)).sort()).toEqual(expectedOf(document))
    }
  })
})

describe('the list of rules that are not met', () => {
  test.each([
    ['to a buyer with a foreign number and no address', 'a buyer abroad without an address'],
    ['a draft without a seller', 'a seller without any number'],
    ['by a seller without any number', 'a seller without any number'],
    ['at less than half a per cent', 'a rate below 0.5 %'],
  ])('is right about a document %s', (name, of) => {
    const document = unfitDocuments[name] as InvoiceDocument
    expect(brokenRules(ublOf(document, ublRules)).sort()).toEqual([...expectedOf(document), ...idsOf(of)].sort())
  })

  test('is the table of docs/ubl.md', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../../docs/ubl.md'), 'utf8')
    const rows = [...page.matchAll(/^\| `((?:BR|PEPPOL)-[A-Z0-9-]+)` \| (.+) \| (.+) \|$/gm)].map(
      ([, id, of, reason]) => ({
        id,
        of,
        reason,
      }),
    )
    expect(rows).toEqual(rulesNotMet)
  })
})

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { casesToTry } from '../../../../../test/harness/runs.ts'
import { anyDocument, documents, letterhead, unfitDocuments } from '../../../../../test/ubl/documents.ts'
import { ublRules } from '../../../jurisdictions/ng/ubl-rules.ts'
import type { InvoiceDocument } from '../../../kernel/invoice-document.ts'
import { ublOf } from './ubl.ts'

/** The folder of the OASIS schema, with `common` and `maindoc`; its licence does not let us include it. */
const folder = process.env.UBL_XSD_DIR ?? ''
const isHere = folder !== ''
if (!isHere) process.stdout.write('UBL_XSD_DIR is not set: no document was held against the schema of OASIS UBL 2.1.\n')

const sound = isHere ? 'is valid' : 'is well-formed, and was held against no schema'

const validators = new Map<string, XsdValidator>()

function validatorOf(root: 'Invoice' | 'CreditNote'): XsdValidator {
  const path = join(folder, 'maindoc', `UBL-${root}-2.1.xsd`)
  const schema = XmlDocument.fromBuffer(readFileSync(path), { url: path })
  try {
    return XsdValidator.fromDoc(schema)
  } finally {
    schema.dispose()
  }
}

function faultsIn(xml: string): string[] {
  const parsed = XmlDocument.fromString(xml)
  try {
    validators.get(parsed.root.name)?.validate(parsed)
    return []
  } catch (error) {
    if (error instanceof XmlValidateError) return error.details.map(({ message }) => message)
    throw error
  } finally {
    parsed.dispose()
  }
}

const faultsOf = (document: InvoiceDocument): string[] => faultsIn(ublOf(document, ublRules, letterhead))

beforeAll(() => {
  if (!isHere) return
  xmlRegisterFsInputProviders()
  for (const root of ['Invoice', 'CreditNote'] as const) validators.set(root, validatorOf(root))
})
afterAll(() => {
  for (const validator of validators.values()) validator.dispose()
})

describe('against the schema of OASIS, where UBL_XSD_DIR names it', () => {
  test('the schema exists', () => {
    expect(!isHere || existsSync(join(folder, 'maindoc', 'UBL-Invoice-2.1.xsd'))).toBe(true)
  })

  test('a document with another order of elements is refused', () => {
    const xml = ublOf(documents.goods as InvoiceDocument, ublRules)
    const turned = xml.replace(/(<cbc:IssueDate>.*?<\/cbc:IssueDate>)(<cbc:DueDate>.*?<\/cbc:DueDate>)/, '$2$1')
    expect(turned).not.toBe(xml)
    expect(faultsIn(turned).length > 0).toBe(isHere)
  })

  test.each(Object.entries({ ...documents, ...unfitDocuments }))(`%s ${sound}`, (_, document) => {
    expect(faultsOf(document)).toEqual([])
  })

  test(`any document ${sound}`, () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        expect(faultsOf(document)).toEqual([])
      }),
      { numRuns: casesToTry(128, 512) },
    )
  })
})

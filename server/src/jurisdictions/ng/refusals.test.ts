import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { explain } from './refusals.ts'

const at = 'invoicerequest.invoice'

/** Texts that were seen, and the same in other spellings. */
test.each([
  [
    `${at}.taxtotal[0].taxsubtotal[0].taxcategory.id must be a valid tax category, refer to the invoice resource apis`,
    'lineItems',
    'list',
  ],
  [`${at}.accountingcustomerparty.tin must be at least in length or value 5`, 'buyer.taxId', 'least'],
  [`${at}.accounting_customer_party.tin must be at least in length or value 5`, 'buyer.taxId', 'least'],
  [`${at}.invoiceline[3].price.priceunit can not be more than in length or value 3`, 'lineItems[3].unitCode', 'most'],
  [`${at}.invoice_line[12].item.description is required`, 'lineItems[12].description', 'required'],
  [
    `${at}.invoiceline[0].service_category is required when isic_code is provided`,
    'lineItems[0].serviceCategory',
    'required',
  ],
  [`${at}.taxpointdate must be a valid date value yyyy-mm-dd`, 'supplyDate', 'date'],
  [`${at}.issuedate is required`, 'invoiceDate', 'required'],
  [
    `${at}.accountingsupplierparty.businessdescription must be at least in length or value 5`,
    'seller.businessDescription',
    'least',
  ],
  [`${at}.accountingsupplierparty.postaladdress.cityname is required`, 'seller.address.city', 'required'],
  [`${at}.accountingcustomerparty is required`, 'buyerId', 'required'],
  [`${at}.billingreference is required`, 'originalInvoiceNumber', 'required'],
  [`${at}.invoiceline[1].hsncode invalid isic code for 8471.30`, 'lineItems[1].hsnCode', 'list'],
  [`${at}.invoiceline[1].isiccode can not be used with hsn_code`, 'lineItems[1].isicCode', 'exclusive'],
  [`${at}.legalmonetarytotal.payableamount does not match the tax inclusive amount`, 'payableMinor', 'amounts'],
  [`${at}.invoicekind must be a valid invoice kind`, 'invoiceKind', 'format'],
  ['priceunit can not be more than in length or value 3', 'lineItems', 'most'],
  [`  ${at.toUpperCase()}.ISSUEDATE  is required. `, 'invoiceDate', 'required'],
])('%s', (told, path, rule) => {
  const { isKnown, fault, mendedBy, authorityText: kept } = explain(told)
  expect({ isKnown, mendedBy, kept }).toEqual({ isKnown: true, mendedBy: 'reopen', kept: told })
  expect([fault.path, fault.rule]).toEqual([path, `authority.${rule}`])
  expect(fault.message).toMatch(/^[a-z].{10,}(: .+)?$/)
})

test.each([
  ['irn validation failed for this business, refer to the template and try again', 'invoiceNumber', 'connection'],
  ['invalid UUID length: 13', '', 'connection'],
  [`${at}.businessid is required`, '', 'connection'],
  ['webhook url is not setup', '', 'operator'],
  ['the body is not valid JSON', '', 'operator'],
])('the refusal "%s" cannot be solved by a change of the document', (told, path, mendedBy) => {
  expect(explain(told)).toMatchObject({ isKnown: true, mendedBy, fault: { path } })
})

describe('an unknown refusal of the authority', () => {
  test('is passed on in its own words', () => {
    expect(explain('The moon is in the wrong house')).toEqual({
      authorityText: 'The moon is in the wrong house',
      isKnown: false,
      fault: { path: '', rule: 'authority.unknown', message: 'The authority says: The moon is in the wrong house' },
      mendedBy: 'unknown',
    })
  })

  test('keeps its field if the field is known', () => {
    expect(explain(`${at}.duedate is unlucky`)).toMatchObject({ isKnown: false, fault: { path: 'dueDate' } })
  })

  test('is not confused with a property that every object has', () => {
    for (const told of ['constructor invoicerequest.invoice', 'toString is required', '__proto__ is required'])
      expect(typeof explain(told).fault.path).toBe('string')
  })

  test('never makes the explanation throw', () => {
    const word = fc.constantFrom(
      at,
      'invoiceline[0]',
      '.',
      ' ',
      'is required',
      'constructor',
      '__proto__',
      'tin',
      '[',
      ']',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word).map((words) => words.join('')),
        ),
        (told) => {
          const { fault } = explain(told)
          expect(typeof fault.path).toBe('string')
          expect(fault.message).not.toMatch(/undefined|function/)
        },
      ),
    )
  })
})

import { expect, test } from 'vitest'
import { taxIdTypes } from '../../jurisdictions/port.ts'
import { sampleEvent } from '../../modules/webhooks/index.ts'
import { webhookFormat as formatA } from '../form-a/webhook-format.ts'
import { webhookFormat as formatB } from '../form-b/webhook-format.ts'
import {
  addressFrom,
  deliveryFrom,
  sampleCountry,
  taxIdTypeFrom,
  toAddress,
  toDelivery,
  toEventData,
  toTaxIdType,
  wireDeliveries,
  wireTaxIdTypes,
} from './contract-words.ts'

test('every word of the contract has exactly one value in the core', () => {
  expect(taxIdTypes.map(toTaxIdType)).toEqual(wireTaxIdTypes)
  for (const word of wireTaxIdTypes) expect(toTaxIdType(taxIdTypeFrom(word))).toBe(word)
  for (const word of wireDeliveries) expect(toDelivery(deliveryFrom(word))).toBe(word)
})

test('the district of an address is its local government area', () => {
  const sent = { line1: '1 Marina', city: 'Lagos', lga: 'Epe', state: null, country: 'NG' }
  const stored = { line1: '1 Marina', city: 'Lagos', district: 'Epe', country: 'NG' }
  expect(addressFrom(sent)).toEqual(stored)
  expect(toAddress(stored)).toEqual({ line1: '1 Marina', city: 'Lagos', lga: 'Epe', country: 'NG' })
  expect(toAddress(null)).toBeNull()
})

test('both formats of webhooks use the words of the contract', () => {
  const event = sampleEvent('buyer.created', sampleCountry)
  expect(event.data).toMatchObject({ taxIdType: 'national' })
  expect(JSON.parse(formatA.bodyOf(event, 'sandbox')).data.object.taxIdType).toBe('tin')
  expect(JSON.parse(formatB.bodyOf(event, 'sandbox')).data.taxNumberType).toBe('tin')
  expect(toEventData({ name: 'Eze' })).toEqual({ name: 'Eze' })
})

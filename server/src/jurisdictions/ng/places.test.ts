import { expect, test } from 'vitest'
import type { CodeEntry, ListType } from '../port.ts'
import { builtInLists } from './lists.ts'
import { findLocalGovernment, findState } from './places.ts'

const lists = builtInLists()
const entriesOf = (type: ListType): readonly CodeEntry[] => lists.find((list) => list.type === type)?.entries ?? []
const states = entriesOf('states')
const localGovernments = entriesOf('lgas')

test.each([
  ['Lagos', 'NG-LA'],
  [' lagos state ', 'NG-LA'],
  ['NG-LA', 'NG-LA'],
  ['ng-la', 'NG-LA'],
  ['AKWA-IBOM', 'NG-AK'],
  ['Ọ̀yọ́', 'NG-OY'],
  ['FCT', 'NG-FC'],
  ['Abuja', 'NG-FC'],
  ['FCT, Abuja', 'NG-FC'],
  ['Federal Capital Territory', 'NG-FC'],
  ['Lagoss', undefined],
  ['LA', undefined],
  ['State', undefined],
  ['', undefined],
])('%j is the state %s', (text, code) => {
  expect(findState(text, states)?.code).toBe(code)
})

test.each([
  ['Epe', 'NG-LA', 'NG-LA-EPE'],
  ['epe LGA', 'NG-LA', 'NG-LA-EPE'],
  ['NG-LA-EPE', 'NG-LA', 'NG-LA-EPE'],
  ['Aba North Local Government Area', 'NG-AB', 'NG-AB-ANO'],
  ['Surulere', 'NG-LA', 'NG-LA:Surulere'],
  ['Surulere', 'NG-OY', 'NG-OY:Surulere'],
  ['Epe', 'NG-OY', undefined],
  ['NG-LA-EPE', 'NG-OY', undefined],
  ['', 'NG-LA', undefined],
])('%j in %s is the local government %s', (text, state, code) => {
  expect(findLocalGovernment(text, findState(state, states) as CodeEntry, localGovernments)?.code).toBe(code)
})

test('every state and local government is found by its code and by its name', () => {
  for (const state of states)
    for (const text of [state.code, state.name, state.name.toUpperCase()]) expect(findState(text, states)).toBe(state)
  for (const one of localGovernments) {
    const state = findState(one.category ?? '', states) as CodeEntry
    for (const text of [one.code, one.name, `${one.name.toLowerCase()} lga`])
      expect(findLocalGovernment(text, state, localGovernments)).toBe(one)
  }
})

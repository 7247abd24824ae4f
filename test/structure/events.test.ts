import { expect, test } from 'vitest'
import { eventTypes } from '../../server/src/kernel/events.ts'
import { checkEvents } from './events.ts'
import { file, readTree } from './source-tree.ts'

const types = ['item.eaten']
const code = (text: string, path = 'modules/items/eat-item.ts') => file(`server/src/${path}`, text)

test('the check finds planted violations', () => {
  const tellings = [
    `emit('item.eaten', about, {})`,
    `context.emit(isWhole ? 'item.eaten' : 'item.eaten', about, {})`,
    `emitItemEvent(context, 'item.eaten', tenant, item)`,
    'insertingEvents(`item.eaten`, told, from)',
    `const told = { eaten: 'item.eaten' }`,
  ]
  for (const text of tellings) expect(checkEvents(types, [code(text)]), text).toEqual([])

  const silent = [
    code(`jobOn('digest', 'upkeep', ['item.eaten'])`),
    code(`const consumer = { on: ['item.eaten'] }`),
    code(`findEventData(db, organisationId, id, 'item.eaten')`),
    code(`if (type === 'item.eaten') digest()`),
    code(`type Eaten = 'item.eaten'`),
    code(`// emit('item.eaten')`),
    code(`emit('item.eaten', about, {})`, 'modules/items/eat-item.test.ts'),
    code(`export const eventNames = { x: 'item.eaten' }`, 'http/form-b/events.ts'),
  ]
  for (const source of silent) expect(checkEvents(types, [source]), source.text).toEqual(['item.eaten is never told'])

  expect(checkEvents([], [code(`emit('item.eaten', about, {})`)])).toEqual([
    'server/src/modules/items/eat-item.ts:1 tells of item.eaten, which is not in the catalogue',
  ])
})

test('the code emits every event type, and no other type', () => {
  expect(checkEvents(Object.keys(eventTypes), readTree())).toEqual([])
})

import { expect, test } from 'vitest'
import { searchText, searchTextOf } from './search-text.ts'

test.each([
  ['Adébáyọ̀ & Sons', 'adebayo & sons'],
  ['ỌYÀTÚNJÍ', 'oyatunji'],
  ['Ṣẹ̀gun', 'segun'],
  ['Ɗanjuma ƙwarai', 'danjuma kwarai'],
  ['Straße  Øl', 'strasse ol'],
  ['ﬁnance', 'finance'],
  ['100%_sure', '100%_sure'],
  ['  two   blanks\t', 'two blanks'],
])('%j is searched for as %j', (text, found) => {
  expect(searchText(text)).toBe(found)
})

test('nothing matches across two texts', () => {
  expect(searchTextOf('Ada', null, 'Eze', '')).toBe('ada\neze')
})

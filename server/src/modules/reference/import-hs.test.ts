import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CodeEntry } from '../../jurisdictions/port.ts'
import { cellsOf, ImportFault, readHsFile } from './import-hs.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'risiti-hs-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function read(text: string | Buffer, onProgress: (rows: number) => void = () => {}): Promise<CodeEntry[]> {
  const path = join(folder, 'hs.csv')
  await writeFile(path, text)
  return await readHsFile(path, onProgress)
}
const faultOf = async (text: string | Buffer): Promise<string> => {
  const error: unknown = await read(text).then(
    () => undefined,
    (reason) => reason,
  )
  expect(error).toBeInstanceOf(ImportFault)
  return (error as ImportFault).message
}

test.each([
  ['a,b,c', ['a', 'b', 'c']],
  ['', ['']],
  [',', ['', '']],
  ['"a,b",c', ['a,b', 'c']],
  ['"He said ""no""",c', ['He said "no"', 'c']],
  ['"",c', ['', 'c']],
  ['""""', ['"']],
  ['5" pipe,c', ['5" pipe', 'c']],
  ['a,"b"', ['a', 'b']],
  ['a, b ', ['a', ' b ']],
])('the line %s has the cells %j', (line, cells) => {
  expect(cellsOf(line)).toEqual(cells)
})

test('chapters become categories; headings and subheadings become codes, in order', async () => {
  const text =
    'section,hscode,description,parent,level\n' +
    'I,02,Meat,TOTAL,2\n' +
    'I,0201,"Meat of cattle, fresh",02,4\n' +
    'I,010121,Horses for breeding,0101,6\n' +
    'I,0101,Live horses,01,4\n' +
    'I,01,Live animals,TOTAL,2\n' +
    'I,9999,Of no chapter,99,4\n'
  expect(await read(text)).toEqual([
    { code: '0101', name: 'Live horses', category: 'Live animals' },
    { code: '0101.21', name: 'Horses for breeding', category: 'Live animals' },
    { code: '0201', name: 'Meat of cattle, fresh', category: 'Meat' },
    { code: '9999', name: 'Of no chapter' },
  ])
})

const horses = [{ code: '0101.21', name: 'Horses' }]
test.each([
  ['lines of Windows', 'hscode,description\r\n010121,Horses\r\n'],
  ['no line break at the end', 'hscode,description\n010121,Horses'],
  ['a byte order mark', '\ufeffhscode,description\n010121,Horses\n'],
  ['a byte order mark and quotes', '\ufeff"hscode","description"\r\n"010121","Horses"\r\n'],
  ['empty lines', 'hscode,description\n\n   \n010121,Horses\n\n\n'],
  ['a row for everything', 'hscode,description\nTOTAL,All products\n010121,Horses\n'],
  ['other names for its columns', 'Name, CODE \nHorses,010121\n'],
  ['dots and blanks in its codes', 'hs_code,description\n 0101.21 , Horses \n'],
  ['more columns than it needs', 'x,hscode,y,description,z\n1,010121,2,Horses\n'],
])('a file with %s is read', async (_, text) => {
  expect(await read(text)).toEqual(horses)
})

test.each([
  ['an empty file', '', /no code/],
  ['a header alone', 'hscode,description\n', /no code/],
  ['chapters alone', 'hscode,description\n01,Live animals\n', /no code/],
  ['no column of codes', 'number,description\n010121,Horses\n', /^line 1: .*hscode and description/],
  ['no column of descriptions', 'hscode,words\n010121,Horses\n', /^line 1: .*hscode and description/],
  ['an empty first line', '\nhscode,description\n010121,Horses\n', /^line 1: /],
  ['an open quote in its header', '"hscode,description\n010121,Horses\n', /^line 1: .*quote/],
  ['letters in a code', 'hscode,description\n010121,Horses\n01O122,Asses\n', /^line 3: "01O122" is not an HS code/],
  ['a code of five digits', 'hscode,description\n10121,Horses\n', /^line 2: "10121"/],
  ['a code of eight digits', 'hscode,description\n01012100,Horses\n', /^line 2: "01012100"/],
  ['a range', 'hscode,description\n0101-0102,Horses\n', /^line 2: "0101-0102"/],
  ['no code in a row', 'hscode,description\n\n,Horses\n', /^line 3: ""/],
  ['a row that stops early', 'hscode,description\n010121\n', /^line 2: 010121 has no description/],
  ['a blank description', 'hscode,description\r\n010121,Horses\r\n\r\n0102,  \r\n', /^line 4: 0102 has no description/],
  ['an endless description', `hscode,description\n0101,${'x'.repeat(1001)}\n`, /^line 2: .*0101 is too long/],
  ['a code twice', 'hscode,description\n010121,Horses\n0101.21,Horses\n', /^line 3: 010121 occurs twice/],
  ['a chapter twice', 'hscode,description\n01,Animals\n01,Animals\n0101,Horses\n', /^line 3: 01 occurs twice/],
  ['an open quote', 'hscode,description\n0101,"Horses\n0102,Cattle\n', /^line 2: a quote is opened and not closed/],
])('a file with %s is refused', async (_, text, fault) => {
  expect(await faultOf(text)).toMatch(fault)
})

test('a file that is not UTF-8 is refused', async () => {
  const text = Buffer.from('hscode,description\n0101,Caf\u00e9\n', 'latin1')
  expect(await faultOf(text)).toMatch(/^line 2: .*UTF-8/)
})

test('a description of a thousand characters is accepted', async () => {
  const name = 'x'.repeat(1000)
  expect(await read(`hscode,description\n0101,${name}\n`)).toEqual([{ code: '0101', name }])
})

test('the import reports its progress every thousand codes and at the end', async () => {
  const rows = Array.from({ length: 2500 }, (_, at) => `${String(100_000 + at)},Thing ${at}`)
  const told: number[] = []
  const entries = await read(`hscode,description\n${rows.join('\n')}\n`, (count) => told.push(count))
  expect(entries).toHaveLength(2500)
  expect(told).toEqual([1000, 2000, 2500])
})

test('a missing file is an error', async () => {
  await expect(readHsFile(join(folder, 'nowhere.csv'), () => {})).rejects.toThrow('ENOENT')
})

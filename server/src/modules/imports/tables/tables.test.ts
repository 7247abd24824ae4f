import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { workbookOf, zipOf } from '../../../../../test/harness/workbook.ts'
import { csvOf } from '../../../http/reply/csv.ts'
import { Refusal } from '../../../kernel/refusals.ts'
import { readCsv } from '../../../kernel/tables/csv.ts'
import { readXlsx } from './xlsx.ts'

const faultOf = async (read: () => unknown): Promise<string> => {
  const refusal = await Promise.resolve()
    .then(read)
    .catch((error: unknown) => error)
  if (!(refusal instanceof Refusal)) throw new Error(`not refused: ${refusal}`)
  return refusal.details?.[0]?.message ?? ''
}

describe('CSV', () => {
  test.each([
    ['commas', 'a,b\n1,2\n'],
    ['semicolons', 'a;b\r\n1;2'],
    ['tabs', 'a\tb\r1\t2\r'],
    ['a mark of its encoding, and blanks', '\ufeff a , b \n 1 , 2 \n\n , \n'],
    ['quotation marks', '"a","b"\n"1","2"\n'],
  ])('is read with %s', (_, text) => {
    expect(readCsv(text)).toMatchObject({ header: ['a', 'b'], rows: [{ number: 2, cells: ['1', '2'] }] })
  })

  test('cells may hold separators, line breaks and quotation marks', () => {
    expect(readCsv('a,b\n"x, ""y""\nz",2\n').rows).toEqual([{ number: 2, cells: ['x, "y"\nz', '2'] }])
  })

  test('our own exports are read as they were written', () => {
    const cell = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((text) => /^[\p{L}\p{N}]/u.test(text) && text.trim() === text && !/[\r\n;\t]/.test(text))
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 5 }), (rows) => {
        const read = readCsv(csvOf(['a', 'b', 'c'], rows))
        expect(read.rows.map(({ cells }) => cells)).toEqual(rows)
      }),
    )
  })

  test.each([
    ['', 'is empty'],
    ['\n\n', 'is empty'],
    ['a,b', 'no rows below'],
    ['a,b\n"1,2', 'not closed in row 2'],
    ['a,b\n"1"x,2', 'after a closing quotation mark in row 2'],
    [`a\n${'1\n'.repeat(5_001)}`, 'more than 5000 rows'],
    [`a\n${'1,'.repeat(101)}`, 'more than 100 columns in row 2'],
    [`${'a'.repeat(501)}\n1`, 'a column whose name is longer than 500'],
    [`a\n${'\n'.repeat(20_001)}1`, 'very many empty rows'],
    [`a\n${'1'.repeat(10_001)}`, 'more than 10000 characters in a cell of row 2'],
  ])('%j is refused', async (text, message) => {
    expect(await faultOf(() => readCsv(text))).toContain(message)
  })
})

describe('XLSX', () => {
  test('texts, numbers, dates and gaps are read as the sheet shows them', async () => {
    const file = workbookOf(
      `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>Price</t></is></c><c r="D1" t="str"><f>X</f><v>Day</v></c></row>
       <row r="2"/>
       <row r="5"><c r="A5" t="s"><v>1</v></c><c r="B5" s="3"><v>0.30000000000000004</v></c><c r="C5"/><c r="D5" s="1"><v>46053</v></c></row>
       <row r="6"><c t="s"><v>1</v></c><c><v>1.25E3</v></c><c t="b"><v>1</v></c><c s="2"><v>46053.75</v></c></row>`,
      ['Name', 'Ade &amp; &#x1F600; Sons'],
    )
    expect(await readXlsx(file)).toMatchObject({
      header: ['Name', 'Price', '', 'Day'],
      rows: [
        { number: 5, cells: ['Ade & 😀 Sons', '0.3', '', '2026-01-31'] },
        { number: 6, cells: ['Ade & 😀 Sons', '1250', 'true', '2026-01-31'] },
      ],
    })
  })

  test('rows with wrong positions follow each other', async () => {
    const row = (at: string) => `<row r="${at}"><c t="str"><v>a</v></c></row>`
    const closedTwice = '</row></row>'
    const { rows } = await readXlsx(
      workbookOf(['5', '5', '1', 'x', '99999999999', '9'].map(row).join('') + closedTwice),
    )
    expect(rows.map(({ number }) => number)).toEqual([6, 7, 8, 9, 10])
  })

  test('a text in several fonts is one text', async () => {
    const parts = { 'xl/worksheets/sheet1.xml': '<row><c t="s"><v>0</v></c></row><row><c><v>7</v></c></row>' }
    const shared = '<si><r><t>Na</t></r><r><t>me</t></r><rPh><t>x</t></rPh></si>'
    const file = zipOf({ ...parts, 'xl/sharedStrings.xml': shared })
    expect((await readXlsx(file)).header).toEqual(['Name'])
  })

  test('a file that is no workbook, or too large, is refused', async () => {
    const whole = workbookOf('<row><c t="str"><v>a</v></c></row>')
    const noWorkbook = 'is not a readable Excel workbook'
    expect(await faultOf(() => readXlsx(Buffer.from('a,b\n1,2')))).toContain(noWorkbook)
    expect(await faultOf(() => readXlsx(whole.subarray(0, whole.length - 30)))).toContain(noWorkbook)
    expect(await faultOf(() => readXlsx(zipOf({ 'a.txt': 'a' })))).toContain(noWorkbook)
    const bomb = zipOf({ 'xl/worksheets/sheet1.xml': ' '.repeat(9 * 1024 * 1024) })
    expect(bomb.length).toBeLessThan(100_000)
    expect(await faultOf(() => readXlsx(bomb))).toContain('too large when it is unpacked')
    const nul = workbookOf('<row><c t="str"><v>a</v></c></row><row><c t="str"><v>b\0</v></c></row>')
    expect(await faultOf(() => readXlsx(nul))).toContain('must not contain the NUL character, as in row 2')
    const failed = workbookOf('<row><c t="str"><v>a</v></c></row><row><c r="A2" t="e"><v>#N/A</v></c></row>')
    expect(await faultOf(() => readXlsx(failed))).toContain('a formula that failed (#N/A) in A2')
    const shared = `<row>${'<c t="s"><v>0</v></c>'.repeat(10)}</row>`
    const swollen = workbookOf(`<row><c t="str"><v>a</v></c></row>${shared.repeat(100)}`, ['x'.repeat(9_000)])
    expect(await faultOf(() => readXlsx(swollen))).toContain('has too much text')
    const far = workbookOf('<row><c r="ZZZ1" t="str"><v>a</v></c></row>')
    expect(await faultOf(() => readXlsx(far))).toContain('more than 100 columns')
  })

  test('any bytes lead to a refusal and to no other error', async () => {
    const whole = workbookOf('<row r="1"><c r="A1" t="str"><v>a</v></c></row><row r="2"><c r="A2"><v>1</v></c></row>')
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 }), async (at, byte) => {
        const changed = Buffer.from(whole)
        changed[at] = byte
        await readXlsx(changed).catch((error: unknown) => expect(error).toBeInstanceOf(Refusal))
      }),
      { numRuns: 300 },
    )
  })

  describe('takes a time that grows linearly with the file', () => {
    const parts = (styles: string, texts: string, rows: string) => ({
      'xl/workbook.xml': '<workbook><sheets><sheet r:id="rId7"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId7" Target="worksheets/a.xml"/></Relationships>',
      'xl/styles.xml': styles,
      'xl/sharedStrings.xml': `<sst><si><t>${texts}</t></si></sst>`,
      'xl/worksheets/a.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    })
    const text = (...words: string[]) => `<row>${words.map((word) => `<c t="str"><v>${word}</v></c>`).join('')}</row>`
    const small = text('Name') + text('Oke')

    test.each(['[', '\\'])('with two million %s in a format code and a thousand styles', async (character) => {
      const code = `<numFmts><numFmt numFmtId="200" formatCode="${character.repeat(2_000_000)}"/></numFmts>`
      const formats = `<cellXfs>${'<xf numFmtId="200"/>'.repeat(1_000)}</cellXfs>`
      expect((await readXlsx(zipOf(parts(code + formats, '', small)))).rows).toHaveLength(1)
    })

    test('with one long text in every cell', async () => {
      const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`
      const file = zipOf(parts('', `x${' '.repeat(4_000_000)}`, row.repeat(1_500)))
      expect(await faultOf(() => readXlsx(file))).toContain('has too much text')
    })

    test('with an error message of limited length', async () => {
      const failed = `<row><c t="e" r="${'A'.repeat(1_000)}"><v>${'#'.repeat(1_000_000)}</v></c></row>`
      expect((await faultOf(() => readXlsx(zipOf(parts('', '', failed))))).length).toBeLessThan(100)
    })
  })
})

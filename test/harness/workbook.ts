import { crc32, deflateRawSync } from 'node:zlib'

/** A compressed ZIP file of these parts, as spreadsheets write it. */
export function zipOf(parts: Readonly<Record<string, string>>): Buffer {
  const [locals, directory]: [Buffer[], Buffer[]] = [[], []]
  let at = 0
  for (const [name, text] of Object.entries(parts)) {
    const packed = deflateRawSync(text)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(crc32(text), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(Buffer.byteLength(text), 18)
    head.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), head, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), head, tail, Buffer.from(name)]))
    locals.push(local)
    at += local.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(directory.length, 4)
  end.writeUInt16LE(directory.length, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...locals, list, Buffer.from('PK\x05\x06', 'latin1'), end])
}

/** A workbook with one sheet. Texts are shared, as in Excel, and days are numbers with a date format. */
export function workbookOf(sheetRows: string, sharedTexts: readonly string[] = []): Buffer {
  const texts = sharedTexts.map((text) => `<si><t xml:space="preserve">${text}</t></si>`).join('')
  return zipOf({
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': '<workbook><workbookPr/><sheets><sheet name="One" sheetId="1" r:id="rId7"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId7" Type="sheet" Target="worksheets/first.xml"/></Relationships>',
    'xl/styles.xml':
      '<styleSheet><numFmts count="1"><numFmt numFmtId="164" formatCode="dd\\-mmm\\-yyyy"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="4"/></cellXfs></styleSheet>',
    'xl/sharedStrings.xml': `<sst>${texts}</sst>`,
    'xl/worksheets/first.xml': `<worksheet><sheetData>${sheetRows}</sheetData></worksheet>`,
  })
}

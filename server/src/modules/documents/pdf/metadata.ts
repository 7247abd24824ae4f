import type { Language } from '../../../kernel/languages/languages.ts'
import { escaped, holdable } from '../ubl/xml.ts'

/** A file's metadata for programs. */
export interface Metadata {
  readonly language: Language
  readonly title: string
  readonly author: string
  readonly subject: string
  readonly date: Date
  /**
   * the standard that the file claims: accessible (PDF/UA-1), archivable with its text (PDF/A-3a), or archivable
   * (PDF/A-3b)
   */
  readonly claim: Claim | undefined
}

type Claim = 'PDF/UA-1' | 'PDF/A-3a' | 'PDF/A-3b'

/**
 * The standard that a file may claim. An archivable file claims nothing about accessibility, because its metadata
 * would need an extension.
 */
export function claimOf(isReadable: boolean, isKept: boolean): Claim | undefined {
  if (isKept) return isReadable ? 'PDF/A-3a' : 'PDF/A-3b'
  return isReadable ? 'PDF/UA-1' : undefined
}

const schemas = {
  dc: 'http://purl.org/dc/elements/1.1/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  pdf: 'http://ns.adobe.com/pdf/1.3/',
  pdfuaid: 'http://www.aiim.org/pdfua/ns/id/',
  pdfaid: 'http://www.aiim.org/pdfa/ns/id/',
} as const

const written = (text: string): string => escaped(holdable(text))
const inWords = (name: string, text: string): string =>
  text === '' ? '' : `<${name}><rdf:Alt><rdf:li xml:lang="x-default">${written(text)}</rdf:li></rdf:Alt></${name}>`

const claims: Readonly<Record<Claim, string>> = {
  'PDF/UA-1': '<pdfuaid:part>1</pdfuaid:part>',
  'PDF/A-3a': '<pdfaid:part>3</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>',
  'PDF/A-3b': '<pdfaid:part>3</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>',
}

/** The XMP packet of a file. The library would write its own, with the title unescaped. */
function packetOf({ language, title, author, subject, date, claim }: Metadata): string {
  const used = Object.entries(schemas).filter(
    ([prefix]) => !prefix.endsWith('id') || (claim && claims[claim].includes(prefix)),
  )
  return [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    `<rdf:Description rdf:about="" ${used.map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`).join(' ')}>`,
    inWords('dc:title', title),
    author === '' ? '' : `<dc:creator><rdf:Seq><rdf:li>${written(author)}</rdf:li></rdf:Seq></dc:creator>`,
    inWords('dc:description', subject),
    `<dc:language><rdf:Bag><rdf:li>${language}</rdf:li></rdf:Bag></dc:language>`,
    `<xmp:CreateDate>${date.toISOString()}</xmp:CreateDate><xmp:CreatorTool>Risiti</xmp:CreatorTool>`,
    '<pdf:Producer>PDFKit</pdf:Producer>',
    claim ? claims[claim] : '',
    '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>',
  ].join('')
}

/**
 * Makes the file carry our XMP packet. The packet of the library would contain the title unescaped, and it could not tell PDF/A-3a
 * from PDF/A-3b at the end. So we replace the object that the library collects its packet in, and the library writes ours.
 */
export function replaceMetadata(doc: PDFKit.PDFDocument, metadata: () => Metadata): void {
  const getXML = () => packetOf(metadata())
  const packet = { append() {}, end() {}, getXML, getLength: () => getXML().length }
  Object.assign(doc, { metadata: packet })
}

export function attachXml(doc: PDFKit.PDFDocument, xml: string, date: Date): void {
  // The library supports relationships, but its types do not.
  const file: PDFKit.Mixins.PDFAttachmentOptions & { readonly relationship: string } = {
    name: 'invoice.xml',
    type: 'application/xml',
    description: 'The same document in UBL',
    relationship: 'Alternative',
    modifiedDate: date,
  }
  doc.file(Buffer.from(xml), file)
}

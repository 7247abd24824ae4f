import { FormatFactoryService, type Invoice, invoiceSchema, type Logger } from '@e-invoice-eu/core'
import { ublRules } from '../server/src/jurisdictions/ng/ubl-rules.ts'
import { ublOf } from '../server/src/modules/documents/ubl/ubl.ts'
import { documentOf, letterhead, line, serviceLine } from '../test/ubl/documents.ts'
import { type Element, treeOf } from '../test/ubl/tree.ts'
import { medianRound, type Row } from './measure.ts'

const rounds = 7
const seconds = 1

const document = documentOf({
  lines: [line(), serviceLine(), line({ feeMinor: 500n }), line({ discountMinor: 1_000n }), serviceLine()],
  allowanceMinor: 10_000n,
})

interface Schema {
  readonly type?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}
type Json = string | Json[] | { [key: string]: Json }

/** Converts our XML into the library's JSON. The library's schema decides which elements are lists. */
function jsonOf(element: Element, schema: Schema): Json {
  if (element.children.length === 0) return element.text
  const object: { [key: string]: Json } = {}
  for (const child of element.children) {
    const known = schema.properties?.[child.name]
    if (known === undefined) throw new Error(`the library does not know ${child.name}`)
    for (const [name, value] of Object.entries(child.attributes)) object[`${child.name}@${name}`] = value
    if (known.type !== 'array') object[child.name] = jsonOf(child, known)
    else object[child.name] = [...((object[child.name] as Json[]) ?? []), jsonOf(child, known.items ?? {})]
  }
  return object
}

async function timesPerSecond(make: () => unknown): Promise<number> {
  const begun = performance.now()
  let done = 0
  while (performance.now() - begun < seconds * 1000) {
    await make()
    done++
  }
  return (done * 1000) / (performance.now() - begun)
}

const silent: Logger = { log: () => {}, warn: () => {}, error: () => {} }

/**
 * An invoice of five lines as UBL. The yardstick is a library that writes the same facts. The library's input checks
 * are off, because they compile a schema per invoice and would slow it down a lot.
 */
export async function benchUbl(say: (text: string) => void): Promise<Row> {
  const xml = ublOf(document, ublRules, letterhead)
  const schema = invoiceSchema.properties?.['ubl:Invoice'] as unknown as Schema
  const invoice = { 'ubl:Invoice': jsonOf(treeOf(xml), schema) } as unknown as Invoice
  const library = new FormatFactoryService().createFormatService('UBL', silent)
  const theirs = async () => (await library.generate(invoice, { format: 'UBL', lang: 'en' })) as string
  say(`${xml.length} characters of ours, ${(await theirs()).length} of the library’s, which indents.`)
  const ours = () => ublOf(document, ublRules, letterhead)
  const figures: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    figures[0].push(await timesPerSecond(ours))
    figures[1].push(await timesPerSecond(theirs))
  }
  return {
    name: 'UBL of five lines',
    unit: 'documents/s',
    ...medianRound(...figures),
    yardstickName: '@e-invoice-eu/core, unchecked',
    goal: 10,
  }
}

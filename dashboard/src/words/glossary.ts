/** Terms that the owner of a small shop need not know, in one or two sentences each. */
export const glossary = {
  hsCode: [
    'HS code',
    'A number with six digits for a kind of goods, the same in every country. Type a word such as “chair” into the field, and choose the code that fits best.',
  ],
  serviceCode: [
    'Service code',
    'A number for a kind of service, such as hairdressing or transport. Type a word into the field, and choose the code that fits best.',
  ],
  unit: [
    'Unit',
    'What you count or measure: EA is one piece, KGM a kilogram, LTR a litre, MTR a metre, HUR an hour, BX a box.',
  ],
  kindOfSale: [
    'Kind of sale',
    'Who buys: B2B is a sale to a business, B2C to a consumer, B2G to a public body. G2B is a sale by a public body. Risiti chooses it from the buyer if you do not.',
  ],
  authorityReference: [
    'Reference of the authority',
    'The number under which the tax authority knows the invoice. It is valid once the authority has registered the invoice, and your buyer can check the number there.',
  ],
  taxNumber: [
    'Tax number',
    'The number under which the tax authority knows a business. Yours is on letters of the authority. Ask your buyers for theirs.',
  ],
  serviceId: [
    'Service id',
    'Eight letters and digits that the tax authority gives your business. They are part of each reference number. You find them in the dashboard of the authority.',
  ],
  businessId: [
    'Business id',
    'A long number that the tax authority gives your business. You find it in the dashboard of the authority.',
  ],
  sku: ['SKU', 'Your own stock number of the item, if you have one.'],
} as const satisfies Readonly<Record<string, readonly [term: string, meaning: string]>>

export type Term = keyof typeof glossary

export const isTerm = (name: string): name is Term => Object.hasOwn(glossary, name)

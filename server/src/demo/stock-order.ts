import type { DraftInput } from '../modules/invoices/index.ts'

const staples: readonly [name: string, hsnCode: string, taxCategory: string, nairaByKilogram: bigint][] = [
  ['Parboiled rice', '1006.30', 'zero', 1_370n],
  ['Brown beans', '0713.35', 'zero', 1_540n],
  ['White garri', '1106.20', 'zero', 980n],
  ['Yellow maize', '1005.90', 'zero', 720n],
  ['Millet', '1008.29', 'zero', 860n],
  ['Groundnuts, shelled', '1202.42', 'zero', 2_150n],
  ['Wheat flour', '1101.00', 'zero', 1_260n],
  ['White sugar', '1701.99', 'standard', 1_690n],
  ['Table salt', '2501.00', 'zero', 410n],
  ['Cereal for infants', '1901.10', 'exempt', 4_100n],
  ['Spaghetti', '1902.19', 'standard', 1_820n],
]

/** Every staple in every size of bag: a long order of more than one page. */
export const stockOrder: DraftInput['lines'] = staples.flatMap(([name, hsnCode, taxCategory, naira]) =>
  [5n, 10n, 25n, 50n].map((kilograms) => ({
    description: `${name}, ${kilograms} kg`,
    hsnCode,
    unitCode: 'XBG',
    quantity: { units: 100n / kilograms, scale: 0 },
    unitPrice: { units: naira * kilograms, scale: 0 },
    taxCategory,
  })),
)

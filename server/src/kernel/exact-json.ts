interface ExactJson {
  rawJSON(text: string): unknown
  parse(text: string, revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
}
const json = JSON as unknown as ExactJson

/** Minor units as a JSON number with every digit. Amounts on received documents, and sums of them, can exceed safe integers. */
export const exactMinor = (minor: bigint): number => {
  const number = Number(minor)
  return Number.isSafeInteger(number) ? number : (json.rawJSON(String(minor)) as number)
}

/** Most texts have no number of so many digits. They are read the quick way. */
const manyDigits = /\d{16}/
const wholeNumber = /^-?\d+$/

/** Reads JSON. A whole number that a binary number cannot hold exactly keeps its digits: it is written again as it was read. */
export function parseExact(text: string): unknown {
  if (!manyDigits.test(text)) return JSON.parse(text)
  return json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && wholeNumber.test(source)
      ? json.rawJSON(source)
      : value,
  )
}

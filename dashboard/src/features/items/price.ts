/** The service counts every currency in hundredths. */
const hundredths = 2

/** Moves the decimal point in the text, because a division could lose digits. */
function movePoint(text: string, places: number): string {
  const [whole = '', part = ''] = text.split('.')
  const behind = part.length - places
  const digits = (whole + part).padStart(behind + 1, '0')
  if (behind <= 0) return digits.padEnd(digits.length - behind, '0').replace(/^0+(?=\d)/, '')
  const fraction = digits.slice(-behind).replace(/0+$/, '')
  const before = digits.slice(0, -behind).replace(/^0+(?=\d)/, '')
  return fraction === '' ? before : `${before}.${fraction}`
}

/** A price in minor units, such as `195000.5`, in major units: `1950.005`. */
export const majorOf = (minor: string): string => movePoint(minor, -hundredths)

/** A typed price as the API takes it. Invalid text stays unchanged, so that the API can report it. */
export function minorOf(typed: string): string {
  const plain = typed.replaceAll(/[,\s₦]/g, '')
  return /^\d+(\.\d+)?$/.test(plain) ? movePoint(plain, hundredths) : plain
}

/** 3, 7, 3 over and over, as the central bank's standard has it. */
const weights = [3, 7, 3]

/**
 * The six digits that stand for a bank in the sum: a commercial bank's code of three digits with zeros before it, another
 * institution's of five behind a 9. A code of six digits is taken as it is.
 */
function institution(bankCode: string): string {
  if (bankCode.length === 5) return `9${bankCode}`
  return bankCode.padStart(6, '0')
}

/** The tenth digit of an account number, from the bank's code and the first nine. */
export function checkDigit(bankCode: string, serial: string): number {
  const digits = [...`${institution(bankCode)}${serial}`]
  const sum = digits.reduce((total, digit, at) => total + Number(digit) * (weights[at % 3] as number), 0)
  return (10 - (sum % 10)) % 10
}

/** An account number of ten digits for the nth account of a bank. */
export function nuban(bankCode: string, nth: number): string {
  const serial = String(nth).padStart(9, '0')
  return `${serial}${checkDigit(bankCode, serial)}`
}

export const isNuban = (bankCode: string, number: string): boolean =>
  /^\d{10}$/.test(number) && Number(number[9]) === checkDigit(bankCode, number.slice(0, 9))

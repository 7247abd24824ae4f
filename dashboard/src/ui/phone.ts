/** How the telephone numbers of a country begin, abroad and at home. */
interface PhonePrefixes {
  /** the plus sign and the code of the country */
  readonly phonePrefix: string
  /** the digits that people dial first at home instead of the prefix, such as `0` */
  readonly phoneTrunkPrefix: string
}

/**
 * A telephone number as people write it at home or abroad, in the international form without blanks. Other text stays
 * as it is, so that it is refused and not misread.
 */
export function internationalPhone(typed: string, { phonePrefix, phoneTrunkPrefix }: PhonePrefixes): string {
  const number = typed.replaceAll(/[\s().\-/]/g, '')
  if (!/^\+?\d+$/.test(number) || phonePrefix === '') return typed
  if (number.startsWith('+')) return number.replace(`${phonePrefix}${phoneTrunkPrefix}`, phonePrefix)
  if (number.startsWith('00')) return `+${number.slice(2)}`
  if (phoneTrunkPrefix !== '' && number.startsWith(phoneTrunkPrefix))
    return `${phonePrefix}${number.slice(phoneTrunkPrefix.length)}`
  return number.startsWith(phonePrefix.slice(1)) ? `+${number}` : typed
}

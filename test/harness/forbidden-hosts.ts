/** IPv4 addresses that no user may make us call, at least one of every kind. */
export const forbiddenV4 = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.251',
  '240.0.0.1',
  '255.255.255.255',
] as const

const bytesOf = (address: string): number[] => address.split('.').map(Number)
const numberOf = (address: string): number => bytesOf(address).reduce((all, byte) => all * 256 + byte, 0)
const hex = (value: number, width = 0): string => value.toString(16).padStart(width, '0')
const pairsOf = (address: string): string => {
  const [a, b, c, d] = bytesOf(address) as [number, number, number, number]
  return `${hex(a * 256 + b)}:${hex(c * 256 + d)}`
}
/** Writes digits in another script, starting at its zero. */
const inDigitsFrom = (zero: number) => (address: string) =>
  address.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))

/** Other spellings of an IPv4 address that URL parsers accept. */
export const spellingsV4: Readonly<Record<string, (address: string) => string>> = {
  plain: (address) => address,
  decimal: (address) => String(numberOf(address)),
  hexadecimal: (address) => `0x${hex(numberOf(address))}`,
  octal: (address) => `0${numberOf(address).toString(8)}`,
  'dotted hexadecimal': (address) =>
    bytesOf(address)
      .map((byte) => `0x${hex(byte)}`)
      .join('.'),
  'dotted octal': (address) =>
    bytesOf(address)
      .map((byte) => `0${byte.toString(8)}`)
      .join('.'),
  'padded octal': (address) =>
    bytesOf(address)
      .map((byte) => byte.toString(8).padStart(8, '0'))
      .join('.'),
  mixed: (address) => {
    const [a, b, c, d] = bytesOf(address) as [number, number, number, number]
    return `0x${hex(a)}.0${b.toString(8)}.${c * 256 + d}`
  },
  'in two parts': (address) => {
    const [a, ...rest] = bytesOf(address) as [number, number, number, number]
    return `${a}.${rest.reduce((all, byte) => all * 256 + byte, 0)}`
  },
  'with a final dot': (address) => `${address}.`,
  'full width': inDigitsFrom(0xff10),
  'mathematical digits': inDigitsFrom(0x1d7ce),
  'ideographic stops': (address) => address.replaceAll('.', '。'),
  'percent-encoded': (address) => [...address].map((char) => `%${hex(char.charCodeAt(0))}`).join(''),
  'with a tab inside': (address) => `${address.slice(0, 2)}\t${address.slice(2)}`,
}

/** IPv6 addresses that contain an IPv4 address, for translation mechanisms. */
export const carriersV6: Readonly<Record<string, (address: string) => string>> = {
  mapped: (address) => `::ffff:${address}`,
  'mapped, in pairs': (address) => `0:0:0:0:0:ffff:${pairsOf(address)}`,
  compatible: (address) => `::${address}`,
  translated: (address) => `::ffff:0:${address}`,
  NAT64: (address) => `64:ff9b::${address}`,
  'local NAT64': (address) => `64:ff9b:1::${address}`,
  '6to4': (address) => `2002:${pairsOf(address)}::1`,
  Teredo: (address) =>
    `2001:0:4136:e378:8000:63bf:${pairsOf(
      bytesOf(address)
        .map((byte) => 255 - byte)
        .join('.'),
    )}`,
  'ISATAP on the link': (address) => `fe80::5efe:${address}`,
}

/** IPv6 addresses that no user may make us call. */
export const forbiddenV6 = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  '::2',
  '1::',
  '100::1',
  '100:0:0:1::1',
  '2001::1',
  '2001:1::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:db8::1',
  '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
  '2002::1',
  '3fff::1',
  '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
  '4000::1',
  '5f00::1',
  '8000::1',
  'fc00::1',
  'fd00::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  'fe80::1',
  'fe80::a9fe:a9fe',
  'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  'fec0::1',
  'ff00::1',
  'ff01::1',
  'ff02::1',
  'ff02::fb',
  'ff0e::1',
  'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
] as const

/** Names that resolve to internal hosts, and invalid names. */
export const forbiddenNames = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'ｌｏｃａｌｈｏｓｔ',
  'loca\u00adlhost',
  'local%68ost',
  'api.localhost',
  'printer.local',
  'metadata.google.internal',
  'db.internal',
  'router.home.arpa',
  'metadata',
  'kubernetes',
  'example.com.',
  '127.0.0.1..',
  '[fe80::1%25lo]',
  '[fe80::1%lo]',
  '[::1%25]',
  '[::1].',
  '[127.0.0.1]',
  '256.256.256.256',
  '127.0.0.1.1',
  '0x7f.0.0.0.1',
  '٢١٣٠٧٠٦٤٣٣',
  '',
] as const

/** Every spelling of a forbidden host in a URL, with a description. */
export const forbiddenHosts: readonly (readonly [spelling: string, host: string])[] = [
  ...forbiddenV4.flatMap((address) => [
    ...Object.entries(spellingsV4).map(([name, spell]) => [`${address}, ${name}`, spell(address)] as const),
    ...Object.entries(carriersV6).map(([name, spell]) => [`${address}, ${name}`, `[${spell(address)}]`] as const),
  ]),
  ...forbiddenV6.map((address) => [address, `[${address}]`] as const),
  ...forbiddenNames.map((name) => [JSON.stringify(name), name] as const),
]

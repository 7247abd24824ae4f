/** Letters that Unicode decomposition does not turn into plain ones. */
const plain: Readonly<Record<string, string>> = {
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ı: 'i',
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
  ƴ: 'y',
  ŋ: 'n',
}

/** Text for searching: without case, accents, tone marks and double blanks. */
export const searchText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[øđðłßæœþıɓɗƙƴŋ]/g, (letter) => plain[letter] as string)
    .replace(/\s+/g, ' ')
    .trim()

/** Joins texts for searching. A line break between them prevents matches across two texts. */
export const searchTextOf = (...texts: readonly (string | null | undefined)[]): string =>
  texts
    .filter((text) => text)
    .map((text) => searchText(text as string))
    .join('\n')

/** Letters that no decomposition turns into plain ones. */
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

/** A text as people search for it: without case, accents, tone marks and doubled blanks. */
export const searchText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[øđðłßæœþıɓɗƙƴŋ]/g, (letter) => plain[letter] as string)
    .replace(/\s+/g, ' ')
    .trim()

/** Several texts as one to search in; a line between them, so that nothing matches across two. */
export const searchTextOf = (...texts: readonly (string | null | undefined)[]): string =>
  texts
    .filter((text) => text)
    .map((text) => searchText(text as string))
    .join('\n')

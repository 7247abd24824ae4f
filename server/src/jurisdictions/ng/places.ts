import { searchText } from '../../kernel/search-text.ts'
import type { CodeEntry } from '../port.ts'

/** As on an envelope, without accents, punctuation and the word for the kind of place. */
const plain = (text: string): string =>
  searchText(text)
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replace(/ (state|lga|local government( area)?)$/, '')

/** Common names of the capital territory. */
const capital = new Set(['fct', 'abuja', 'fct abuja', 'abuja fct'])
const capitalCode = 'NG-FC'

const isCalled = ({ code, name }: CodeEntry, text: string): boolean =>
  code.toUpperCase() === text.trim().toUpperCase() || plain(name) === plain(text)

/** Finds a state by its name or code. */
export const findState = (text: string, states: readonly CodeEntry[]): CodeEntry | undefined =>
  states.find((state) => isCalled(state, text) || (state.code === capitalCode && capital.has(plain(text))))

/** Finds a local government; several states have one of the same name. */
export const findLocalGovernment = (
  text: string,
  state: CodeEntry,
  localGovernments: readonly CodeEntry[],
): CodeEntry | undefined => localGovernments.find((one) => one.category === state.code && isCalled(one, text))

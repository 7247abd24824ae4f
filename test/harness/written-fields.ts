import { aboutField, type WrittenFieldName, writtenFieldNames } from '../../server/src/kernel/written-fields.ts'

const isDay = (name: WrittenFieldName): boolean => aboutField(name).kind === 'day'
const days = writtenFieldNames.filter(isDay)

/** A valid value of each written field. Days rise in the order of the rows, so that each may follow the rows above it. */
export const sampleOf = (name: WrittenFieldName): string =>
  isDay(name) ? `2026-10-${10 + days.indexOf(name)}` : `The ${name}`

/** The given value for a text, and a valid value for a day. */
export const textOrDay = <Text>(name: WrittenFieldName, text: Text): Text | string =>
  isDay(name) ? sampleOf(name) : text

import { numberLocale } from './locale.ts'

export const count = new Intl.NumberFormat(numberLocale)

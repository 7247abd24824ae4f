/** English with the day before the month and 24 hours. */
export const dateLocale = 'en-GB'
export const numberLocale = 'en'

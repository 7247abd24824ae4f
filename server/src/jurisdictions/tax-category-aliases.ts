/**
 * Aliases of the usual tax categories, and their codes. Several aliases may name the same code. `standard` is the
 * default.
 */
export type TaxCategoryAliases = Readonly<Record<'standard' | 'zero' | 'exempt', string>>

/** The code that a text means: an alias in any case, or a code. */
export function taxCategoryFrom(text: string, aliases: TaxCategoryAliases): string {
  const alias = text.toLowerCase()
  return Object.hasOwn(aliases, alias) ? aliases[alias as keyof TaxCategoryAliases] : text
}

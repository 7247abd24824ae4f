/** A word as it stands alone: `growth` is the plan Growth, `transfer` the way Transfer. */
export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

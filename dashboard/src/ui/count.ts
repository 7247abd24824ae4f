/** How many, written as amounts are. */
export const count = new Intl.NumberFormat('en-NG')

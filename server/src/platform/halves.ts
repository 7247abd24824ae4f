/** Two halves, to find the item at fault in a batch that failed. The first half has one item more if their number is odd. */
export function halvesOf<Item>(items: readonly Item[]): readonly [readonly Item[], readonly Item[]] {
  const middle = Math.ceil(items.length / 2)
  return [items.slice(0, middle), items.slice(middle)]
}

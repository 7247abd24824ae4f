import type { Item } from '@risiti/sdk'
import { Dialog } from '../../ui/index.ts'
import { type ItemDefaults, ItemForm } from './item-form.tsx'

/** Saves an item without leaving the page. */
export const NewItemDialog = ({
  defaults,
  onClose,
  onDone,
}: {
  readonly defaults: ItemDefaults
  readonly onClose: () => void
  readonly onDone: (item: Item) => void
}) => (
  <Dialog title="Add an item" open onClose={onClose}>
    <ItemForm defaults={defaults} isShort onDone={onDone} />
  </Dialog>
)

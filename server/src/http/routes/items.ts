import { createItem, deleteItem, itemOperations } from '../../modules/items/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

const items = '/i/v1/items'

export const itemRoutes = {
  list: defineRoute('GET', items, 'token', itemOperations.listOwnItems, { summary: 'List items' }),
  create: defineRoute('POST', items, 'token', createItem, {
    summary: 'Create an item',
    description: 'Free. Goods need `hsnCode`, services need `serviceCode`.',
  }),
  get: defineRoute('GET', `${items}/{id}`, 'token', itemOperations.getItem, {
    summary: 'Get an item, archived or not',
  }),
  update: defineRoute('PATCH', `${items}/{id}`, 'token', itemOperations.updateItem, {
    summary: 'Edit an item',
    description: 'Invoice lines that were made from the item do not change.',
  }),
  delete: defineRoute('DELETE', `${items}/{id}`, 'token', deleteItem, {
    summary: 'Delete an item that no invoice line names',
  }),
  archive: defineRoute('POST', `${items}/{id}/archive`, 'token', itemOperations.archiveItem, {
    summary: 'Archive an item',
  }),
  unarchive: defineRoute('POST', `${items}/{id}/unarchive`, 'token', itemOperations.unarchiveItem, {
    summary: 'Restore an archived item',
  }),
}

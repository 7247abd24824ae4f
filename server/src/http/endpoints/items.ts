import {
  archiveItem,
  createItem,
  deleteItem,
  getItem,
  listOwnItems,
  unarchiveItem,
  updateItem,
} from '../../modules/items/index.ts'
import { endpoint } from '../endpoint.ts'

const items = '/i/v1/items'

export const itemEndpoints = {
  list: endpoint('GET', items, 'both', listOwnItems, { summary: 'List items' }),
  create: endpoint('POST', items, 'both', createItem, {
    summary: 'Create an item',
    description: 'Free. Goods need `hsnCode`, services need `serviceCode`.',
  }),
  get: endpoint('GET', `${items}/{id}`, 'both', getItem, { summary: 'Get an item, archived or not' }),
  update: endpoint('PATCH', `${items}/{id}`, 'both', updateItem, {
    summary: 'Edit an item',
    description: 'Invoice lines that were made from the item do not change.',
  }),
  delete: endpoint('DELETE', `${items}/{id}`, 'both', deleteItem, {
    summary: 'Delete an item that no invoice line names',
  }),
  archive: endpoint('POST', `${items}/{id}/archive`, 'both', archiveItem, { summary: 'Archive an item' }),
  unarchive: endpoint('POST', `${items}/{id}/unarchive`, 'both', unarchiveItem, {
    summary: 'Restore an archived item',
  }),
}

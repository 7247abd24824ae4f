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
  list: endpoint('GET', items, 'both', listOwnItems, { summary: 'Saved items' }),
  create: endpoint('POST', items, 'both', createItem, {
    summary: 'Save an item',
    description: 'Free. Goods need `hsnCode`, a service needs `serviceCode`.',
  }),
  get: endpoint('GET', `${items}/{id}`, 'both', getItem, { summary: 'A saved item, archived or not' }),
  update: endpoint('PATCH', `${items}/{id}`, 'both', updateItem, {
    summary: 'Edit an item',
    description: 'Lines that were made from it do not change.',
  }),
  delete: endpoint('DELETE', `${items}/{id}`, 'both', deleteItem, {
    summary: 'Delete an item that no invoice line names',
  }),
  archive: endpoint('POST', `${items}/{id}/archive`, 'both', archiveItem, { summary: 'Archive an item' }),
  unarchive: endpoint('POST', `${items}/{id}/unarchive`, 'both', unarchiveItem, {
    summary: 'Bring an item back from the archive',
  }),
}

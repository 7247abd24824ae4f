/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { archiveItem, unarchiveItem, updateItem } from './change-items.ts'
export { getItem, listOwnItems } from './read-items.ts'

/** The operations behind routes and pages, for the outer layer. */
export { confirmAction } from './confirm-action.ts'
export { prepareAction } from './prepare-action.ts'

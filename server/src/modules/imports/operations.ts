/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { runImport, undoImport } from './ask-of-import.ts'
export { getImport, getImportSetup, listOwnImports } from './read-imports.ts'
export { startImport } from './start-import.ts'

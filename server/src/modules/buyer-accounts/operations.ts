/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { downloadStatement, openStatementDownload } from './download-statement.ts'
export { sendStatement } from './mail-statement.ts'
export { getStatementOfAccount } from './read-statement.ts'
export {
  listStatementShares,
  openSharedStatement,
  openSharedStatementPdf,
  shareStatement,
  unshareStatement,
} from './share-statement.ts'

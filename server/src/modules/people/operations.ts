/** The operations behind routes and pages, for the outer layer. Other modules use the names in `index.ts`. */
export { confirmTotp } from './confirm-totp.ts'
export { disableTotp } from './disable-totp.ts'
export { enrolTotp } from './enrol-totp.ts'

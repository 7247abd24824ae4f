export { createOrganisation } from './create-organisation.ts'
export { foundOrganisation } from './found-organisation.ts'

export { ages, getOverview } from './get-overview.ts'

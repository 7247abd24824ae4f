export type { Account, Refund, Settlement, SubAccount, Transfer } from './ledger.ts'
export {
  type CollectionSimulator,
  type CollectionSimulatorOptions,
  type Fault,
  startCollectionSimulator,
} from './simulator.ts'

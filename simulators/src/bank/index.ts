export type { Behaviour } from './behaviour.ts'
export {
  type BankControl,
  type BankSimulator,
  type BankSimulatorOptions,
  startBankSimulator,
} from './simulator.ts'

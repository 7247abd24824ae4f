export type { Fault } from './faults.ts'
export {
  type CheckoutControl,
  type CheckoutSimulator,
  type CheckoutSimulatorOptions,
  startCheckoutSimulator,
} from './simulator.ts'

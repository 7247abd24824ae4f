export type { Behaviour } from './behaviour.ts'
export type { Fault } from './faults.ts'
export {
  type AuthorityControl,
  type AuthoritySimulator,
  type AuthoritySimulatorOptions,
  startAuthoritySimulator,
} from './simulator.ts'

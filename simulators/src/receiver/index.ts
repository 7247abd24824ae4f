export { type ReceiverSimulator, startReceiverSimulator } from './receiver.ts'

import { parentPort, workerData } from 'node:worker_threads'
import { type Attack, attack } from './hostile.ts'

/** The thread that `startAttacks` runs. */
const { url, attacks } = workerData as { url: string; attacks: readonly Attack[] }
const running = attacks.map((one) => attack(url, one))

parentPort?.on('message', async (what: 'figures' | 'stop') => {
  if (what === 'stop') await Promise.all(running.map((one) => one.stop()))
  parentPort?.postMessage(running.map((one) => one.figures()))
})

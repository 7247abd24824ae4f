import { GCProfiler } from 'node:v8'

/**
 * Loaded before the program (`--import`) in a process whose heap is to be watched. One SIGUSR2 begins a watch, the
 * next one ends it and says by how much the heap had grown at its largest, before each collection and at the end, and for how many milliseconds the
 * process computed.
 */
let watch: { readonly profiler: GCProfiler; readonly before: number; readonly cpu: NodeJS.CpuUsage } | undefined
let watches = 0

const used = () => process.memoryUsage().heapUsed

process.on('SIGUSR2', () => {
  if (watch === undefined) {
    globalThis.gc?.()
    const profiler = new GCProfiler()
    profiler.start()
    watch = { profiler, before: used(), cpu: process.cpuUsage() }
    process.stdout.write(`heap watch ${++watches} begins\n`)
    return
  }
  const collections = watch.profiler.stop()?.statistics ?? []
  const peaks = collections.map(({ beforeGC }) => beforeGC.heapStatistics.usedHeapSize)
  const { user, system } = process.cpuUsage(watch.cpu)
  const computedMs = Math.round((user + system) / 1000)
  process.stdout.write(`heap watch ${watches} saw ${Math.max(used(), ...peaks) - watch.before} in ${computedMs} ms\n`)
  watch = undefined
})

import { GCProfiler } from 'node:v8'

/**
 * Loaded with `--import` into a process whose heap is watched. The first SIGUSR2 starts the watch, the next ends it.
 * The probe then prints the largest growth of the heap, before each collection and at the end, and the CPU time in
 * milliseconds.
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

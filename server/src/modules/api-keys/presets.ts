import { type Capability, keyCapabilities, readingCapabilities } from '../../kernel/capabilities.ts'

export const presetNames = ['read_only', 'invoicing', 'full_integration'] as const
export type PresetName = (typeof presetNames)[number]

const reads = keyCapabilities.filter((name) => readingCapabilities.includes(name))
const invoicingWork = keyCapabilities.filter((name) => /^(invoice|buyer|item|tax_id)\./.test(name))

export const presets: Readonly<Record<PresetName, readonly Capability[]>> = {
  read_only: reads,
  invoicing: keyCapabilities.filter((name) => reads.includes(name) || invoicingWork.includes(name)),
  full_integration: keyCapabilities,
}

/** Those that pretend to be another come before the one they pretend to be. */
const browsers = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const systems = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

/** A program as people call it; what is not known is shown as it named itself. */
export function programName(userAgent: string): string {
  const [, browser] = browsers.find(([sign]) => sign.test(userAgent)) ?? []
  const [, system] = systems.find(([sign]) => sign.test(userAgent)) ?? []
  if (browser === undefined) return userAgent.slice(0, 40) || 'Unknown'
  return system === undefined ? browser : `${browser} on ${system}`
}

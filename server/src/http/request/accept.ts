interface Range {
  readonly type: string
  readonly quality: number
}

function rangesOf(accept: string): Range[] {
  return accept.split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    const quality = q === undefined ? 1 : Number(q)
    return { type, quality: Number.isNaN(quality) ? 0 : quality }
  })
}

function qualityOf(media: string, ranges: readonly Range[]): number {
  // The most specific matching range decides.
  for (const wanted of [media, `${media.split('/')[0]}/*`, '*/*']) {
    const range = ranges.find(({ type }) => type === wanted)
    if (range) return range.quality
  }
  return 0
}

/** The offered media type that the caller prefers; the first one if none is named or none fits. */
export function preferredMedia(accept: string | undefined, offered: readonly [string, ...string[]]): string {
  if (accept === undefined || offered.length === 1) return offered[0]
  const ranges = rangesOf(accept)
  let best = offered[0]
  for (const media of offered) if (qualityOf(media, ranges) > qualityOf(best, ranges)) best = media
  return best
}

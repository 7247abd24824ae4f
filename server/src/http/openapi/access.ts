import { capabilitiesOf } from '../../platform/operations/operation.ts'
import type { Who } from '../endpoint.ts'
import type { Route } from '../speak.ts'
import type { Access } from './document.ts'

export function accessOf({ endpoint }: Route): Access {
  const { needs } = endpoint.operation
  return {
    who: endpoint.who,
    capabilities: capabilitiesOf(needs),
    ...('by' in needs && needs.oneOf.length > 0 ? { dependsOnRequest: true } : {}),
    ...(endpoint.unverified ? { unverified: true } : {}),
    ...(endpoint.operation.liveOnly ? { liveOnly: true } : {}),
  }
}

const whoSentences: Record<Who, string> = {
  public: 'Called without a token.',
  user: 'Called by a signed-in user; API keys are refused.',
  key: 'Called with an API key; users are refused.',
  both: 'Called by a signed-in user or with an API key.',
}

export function accessSentences({ who, capabilities, dependsOnRequest, unverified, liveOnly }: Access): string[] {
  const named = capabilities.map((name) => `\`${name}\``)
  const sentences = [whoSentences[who]]
  if (liveOnly) sentences.push('Needs a session in live mode.')
  if (unverified) sentences.push('A user whose email address is not verified yet may call it too.')
  if (dependsOnRequest) sentences.push(`What is asked for decides which it needs of ${named.join(', ')}.`)
  else if (named.length === 1) sentences.push(`Needs the capability ${named[0]}.`)
  else if (named.length > 1)
    sentences.push(`Needs the capabilities ${named.slice(0, -1).join(', ')} and ${named.at(-1)}.`)
  return sentences
}

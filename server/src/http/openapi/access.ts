import { capabilitiesOf } from '../../platform/operations/operation.ts'
import type { Route } from '../definitions/describe-route.ts'
import type { Who } from '../definitions/route-definition.ts'
import type { Access } from './document.ts'

export function accessOf({ definition }: Route): Access {
  const { needs } = definition.operation
  return {
    who: definition.who,
    capabilities: capabilitiesOf(needs),
    ...('by' in needs && needs.oneOf.length > 0 ? { dependsOnRequest: true } : {}),
    ...(definition.unverified ? { unverified: true } : {}),
    ...(definition.operation.liveOnly ? { liveOnly: true } : {}),
  }
}

const whoSentences: Record<Who, string> = {
  public: 'No token is needed.',
  user: 'For signed-in users. API keys and connected programs are refused.',
  user_or_program: 'For signed-in users and connected programs. API keys are refused.',
  key: 'For API keys. Signed-in users are refused.',
  token: 'For signed-in users, API keys and connected programs.',
}

export function accessSentences({ who, capabilities, dependsOnRequest, unverified, liveOnly }: Access): string[] {
  const named = capabilities.map((name) => `\`${name}\``)
  const sentences = [whoSentences[who]]
  if (liveOnly) sentences.push('Needs a session in live mode.')
  if (unverified) sentences.push('Users whose email address is not verified can also call it.')
  if (dependsOnRequest)
    sentences.push(`Needs one or more of the capabilities ${named.join(', ')}, depending on the request.`)
  else if (named.length === 1) sentences.push(`Needs the capability ${named[0]}.`)
  else if (named.length > 1)
    sentences.push(`Needs the capabilities ${named.slice(0, -1).join(', ')} and ${named.at(-1)}.`)
  return sentences
}

import type { Caller } from '../../kernel/callers.ts'
import { newId } from '../../kernel/ids.ts'
import { programName } from '../../kernel/program-name.ts'
import type { Inside } from '../../platform/operations/operation.ts'
import { compose, queueMessage } from '../messages/index.ts'
import type { oneTimeCodes, Person } from '../people/index.ts'
import type { Registration } from './registrations.store.ts'

type To = Pick<Person, 'email' | 'firstName'>

/** Anybody can request a code with any name, so that the mail does not repeat the name. */
const helloStranger = 'Hello,'

async function mail(
  context: Inside<Caller>,
  to: To,
  cause: string,
  subject: string,
  contents: Omit<Parameters<typeof compose>[0], 'greeting'>,
  greeting = `Hello ${to.firstName},`,
) {
  await queueMessage(context, {
    cause,
    sentFor: 'recipient',
    channel: 'email',
    to: to.email,
    subject,
    ...compose({ greeting, ...contents }),
  })
}

/** Says which registration the code is for, because several people may have registered the address. */
export const sendVerificationCode = (
  context: Inside<Caller>,
  email: string,
  { firstName, createdAt, address, userAgent }: Registration,
  { id, code }: oneTimeCodes.IssuedCode,
  isOneOfSeveral: boolean,
) =>
  mail(
    context,
    { email, firstName },
    `verify-email:${id}`,
    `${code} is your Risiti code`,
    {
      code,
      paragraphs: [
        'Enter this code to verify your email address and open your account at Risiti. It works once, for 15 minutes.',
        `It belongs to the registration of ${createdAt.toISOString()}. Address: ${address || 'unknown'}. Program: ${programName(userAgent)}.`,
        ...(isOneOfSeveral
          ? [
              'This address was registered more than once. Each registration has its own code and password. Enter the code of the registration that you made.',
            ]
          : []),
      ],
      closing: 'If you did not make this registration, do not enter or share the code. Nothing happens without it.',
    },
    helloStranger,
  )

export const sendAlreadyRegistered = (context: Inside<Caller>, to: To) =>
  mail(context, to, `register-again:${newId()}`, 'You already have a Risiti account', {
    paragraphs: [
      'Somebody tried to register at Risiti with this address, perhaps you. The address has an account already, so nothing was changed.',
      'Sign in as usual, or choose a new password if you have forgotten yours.',
    ],
  })

export const sendResetCode = (context: Inside<Caller>, to: To, { id, code }: oneTimeCodes.IssuedCode) =>
  mail(
    context,
    to,
    `reset-password:${id}`,
    `${code} is your Risiti code`,
    {
      code,
      paragraphs: ['Enter this code to choose a new password. It works once, for 15 minutes.'],
      closing: 'If you did not request the code, ignore this mail. Your password stays as it is.',
    },
    helloStranger,
  )

import { identityOperations } from '../../modules/identity/index.ts'
import { personOperations } from '../../modules/people/index.ts'
import { defineRoute } from '../definitions/route-definition.ts'

export const identityRoutes = {
  register: defineRoute('POST', '/a/v1/auth/register', 'public', identityOperations.register, {
    summary: 'Register a person with a new organisation',
    description:
      'Sends a six-digit code to the email address. The reply is the same if the address has an account already. An address that is not verified yet can be registered again, with a new code. The registration that is verified first counts.',
    constantTime: true,
  }),
  verifyEmail: defineRoute('POST', '/a/v1/auth/verify-email', 'public', identityOperations.verifyEmail, {
    summary: 'Verify an email address and sign in',
    description:
      'The code works once, for 15 minutes and five attempts. It verifies the registration that it was sent for, with the password of that registration.',
    constantTime: true,
  }),
  resendVerification: defineRoute(
    'POST',
    '/a/v1/auth/resend-verification',
    'public',
    identityOperations.resendVerification,
    {
      summary: 'Send a new verification code',
      description: 'Sends one code for each open registration of the address. Older codes stop working.',
      constantTime: true,
    },
  ),
  logIn: defineRoute('POST', '/a/v1/auth/login', 'public', identityOperations.logIn, {
    summary: 'Sign in',
    description: 'If the account has a second factor, send `code` too: from the authenticator app, or a recovery code.',
    constantTime: true,
  }),
  refreshSession: defineRoute('POST', '/a/v1/auth/refresh', 'public', identityOperations.refreshSession, {
    summary: 'Refresh the tokens',
    description: 'A refresh token works once. A second use ends the session.',
  }),
  logOut: defineRoute('POST', '/a/v1/auth/logout', 'user', identityOperations.logOut, {
    summary: 'End this session',
    unverified: true,
  }),
  whoAmI: defineRoute('GET', '/a/v1/auth/me', 'token', identityOperations.whoAmI, {
    summary: 'Get who the token belongs to and what it may do',
    unverified: true,
  }),
  listSessions: defineRoute('GET', '/a/v1/auth/sessions', 'user', identityOperations.listSessions, {
    summary: 'List your sessions',
    unverified: true,
  }),
  endSession: defineRoute('DELETE', '/a/v1/auth/sessions/{id}', 'user', identityOperations.endOneSession, {
    summary: 'End one of your sessions',
    unverified: true,
  }),
  switchMode: defineRoute('POST', '/a/v1/auth/mode', 'user', identityOperations.switchMode, {
    summary: 'Switch this session between sandbox and live',
    description: 'The old tokens stop working. Use the new pair.',
  }),
  enrolTotp: defineRoute('POST', '/a/v1/auth/totp/enrol', 'user', personOperations.enrolTotp, {
    summary: 'Start to set up a second factor',
    description: 'Needs your password. Show `uri` as a QR code, then confirm with a code from the app.',
  }),
  confirmTotp: defineRoute('POST', '/a/v1/auth/totp/confirm', 'user', personOperations.confirmTotp, {
    summary: 'Switch the second factor on',
    description:
      'The reply has ten recovery codes, which are never shown again. Each works once in place of a code from the app.',
  }),
  disableTotp: defineRoute('DELETE', '/a/v1/auth/totp', 'user', personOperations.disableTotp, {
    summary: 'Switch the second factor off',
  }),
  forgotPassword: defineRoute('POST', '/a/v1/auth/forgot-password', 'public', identityOperations.forgotPassword, {
    summary: 'Send a code to reset the password',
    description: 'Older codes stop working.',
    constantTime: true,
  }),
  resetPassword: defineRoute('POST', '/a/v1/auth/reset-password', 'public', identityOperations.resetPassword, {
    summary: 'Reset the password with a code',
    description:
      'Ends every session. A second factor stays on. Twenty wrong codes within a day lock this operation for a while.',
    constantTime: true,
  }),
  changePassword: defineRoute('POST', '/a/v1/auth/change-password', 'user', identityOperations.changePassword, {
    summary: 'Change your password',
    description: 'Ends your other sessions.',
  }),
  issueKeyToken: defineRoute('POST', '/a/v1/auth/token', 'key', identityOperations.issueKeyToken, {
    summary: 'Get a short-lived token for an API key',
    description:
      'For places where the key itself must not be stored. The token stops working if the key is revoked or its capabilities change.',
  }),
}

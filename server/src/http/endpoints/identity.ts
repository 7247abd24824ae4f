import {
  changePassword,
  confirmTotp,
  disableTotp,
  endOneSession,
  enrolTotp,
  forgotPassword,
  issueKeyToken,
  listSessions,
  logIn,
  logOut,
  refreshSession,
  register,
  resendVerification,
  resetPassword,
  switchMode,
  verifyEmail,
  whoAmI,
} from '../../modules/identity/index.ts'
import { endpoint } from '../endpoint.ts'

export const identityEndpoints = {
  register: endpoint('POST', '/a/v1/auth/register', 'public', register, {
    summary: 'Register a person with a new organisation',
    description:
      'Mails a six-digit code to the address. The answer is the same for an address that has an account already. An address that is not verified yet can be registered again, with a code of its own; the registration that is verified first wins.',
    steady: true,
  }),
  verifyEmail: endpoint('POST', '/a/v1/auth/verify-email', 'public', verifyEmail, {
    summary: 'Verify an email address and sign in',
    description:
      'The code works once, for 15 minutes and five tries. It verifies the registration that it was mailed for, with the password chosen there.',
    steady: true,
  }),
  resendVerification: endpoint('POST', '/a/v1/auth/resend-verification', 'public', resendVerification, {
    summary: 'Mail a new verification code',
    description: 'One for each open registration of the address; the codes before stop working.',
    steady: true,
  }),
  logIn: endpoint('POST', '/a/v1/auth/login', 'public', logIn, {
    summary: 'Sign in',
    description: 'Send `code` from the authenticator app, or a recovery code, when the account has a second factor.',
    steady: true,
  }),
  refreshSession: endpoint('POST', '/a/v1/auth/refresh', 'public', refreshSession, {
    summary: 'Trade a refresh token for new tokens',
    description: 'A refresh token works once. Using one a second time ends its session.',
  }),
  logOut: endpoint('POST', '/a/v1/auth/logout', 'user', logOut, { summary: 'End this session', unverified: true }),
  whoAmI: endpoint('GET', '/a/v1/auth/me', 'both', whoAmI, {
    summary: 'Who the token speaks for, and what it may do',
    unverified: true,
  }),
  listSessions: endpoint('GET', '/a/v1/auth/sessions', 'user', listSessions, {
    summary: 'Where you are signed in',
    unverified: true,
  }),
  endSession: endpoint('DELETE', '/a/v1/auth/sessions/{id}', 'user', endOneSession, {
    summary: 'End one of your sessions',
    unverified: true,
  }),
  switchMode: endpoint('POST', '/a/v1/auth/mode', 'user', switchMode, {
    summary: 'Switch this session between sandbox and live',
    description: 'Tokens issued before stop working; use the new pair.',
  }),
  enrolTotp: endpoint('POST', '/a/v1/auth/totp/enrol', 'user', enrolTotp, {
    summary: 'Begin to set up a second factor',
    description: 'Takes your password. Show `uri` as a QR code, then confirm with a code from the app.',
  }),
  confirmTotp: endpoint('POST', '/a/v1/auth/totp/confirm', 'user', confirmTotp, {
    summary: 'Switch the second factor on',
    description: 'Answers ten recovery codes, once. Each works once in place of a code from the app.',
  }),
  disableTotp: endpoint('DELETE', '/a/v1/auth/totp', 'user', disableTotp, {
    summary: 'Switch the second factor off',
  }),
  forgotPassword: endpoint('POST', '/a/v1/auth/forgot-password', 'public', forgotPassword, {
    summary: 'Mail a code to choose a new password',
    description: 'A newer code voids the one before.',
    steady: true,
  }),
  resetPassword: endpoint('POST', '/a/v1/auth/reset-password', 'public', resetPassword, {
    summary: 'Choose a new password with a mailed code',
    description: 'Ends every session. A second factor stays on. Twenty wrong codes a day close this for a while.',
    steady: true,
  }),
  changePassword: endpoint('POST', '/a/v1/auth/change-password', 'user', changePassword, {
    summary: 'Change your password',
    description: 'Ends your other sessions.',
  }),
  issueKeyToken: endpoint('POST', '/a/v1/auth/token', 'key', issueKeyToken, {
    summary: 'Get a short-lived token of an API key',
    description:
      'For places where the key itself should not go. It stops when the key is revoked or its capabilities change.',
  }),
}

/** Where a person joins an organisation with a new account, in each form. */
export const newAccountPath = { A: '/a/v1/accept-invitation/new-account', B: '/a/v1/accept-invitation' } as const

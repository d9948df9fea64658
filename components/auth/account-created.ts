/**
 * The confirmation of a registration. It is the same for a new and a known address, so that it does not disclose
 * accounts.
 */
export const accountCreated = 'Account created! Please check your email to verify your account before logging in.';

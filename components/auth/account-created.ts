/** The message after a registration, the same for a new and a known address. */
export const accountCreated = 'Account created! Please check your email to verify your account before logging in.';

/** Said after a registration (spec 000, section 8), for a new and a known address alike. */
export const accountCreated = 'Account created! Please check your email to verify your account before logging in.';

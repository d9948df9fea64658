export const title = 'Sign-in';
export const description = 'Which roles require two-step sign-in, and how long staff sessions last.';

/** Spec 000, section 9. Apart from password.ts, so that a form can show it without the hashing code. */
export const minPasswordLength = 8;

/** A longer one would only cost hashing time. */
export const maxPasswordLength = 200;

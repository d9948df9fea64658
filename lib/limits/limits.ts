/** How often in how long; per account and per address, because either alone can be got around. */
export const limits = {
  /** Failed sign-ins only; a success clears the account's count (decision 5). */
  signIn: { account: { max: 10, seconds: 15 * 60 }, address: { max: 60, seconds: 15 * 60 } },
  /** A signed-in person's own password, asked for again; failures only. */
  password: { account: { max: 10, seconds: 15 * 60 }, address: { max: 60, seconds: 15 * 60 } },
  register: { account: { max: 5, seconds: 60 * 60 }, address: { max: 20, seconds: 60 * 60 } },
  forgot: { account: { max: 5, seconds: 60 * 60 }, address: { max: 20, seconds: 60 * 60 } },
  reset: { account: { max: 20, seconds: 60 * 60 }, address: { max: 20, seconds: 60 * 60 } },
  resend: { account: { max: 5, seconds: 60 * 60 }, address: { max: 20, seconds: 60 * 60 } },
  topup: { account: { max: 20, seconds: 10 * 60 }, address: { max: 60, seconds: 10 * 60 } },
} as const;

export type LimitName = keyof typeof limits;

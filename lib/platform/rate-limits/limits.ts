export type LimitRule = {
  /** Tries in a window; the next one is refused. */
  max: number;
  /** The window, from the first try on. */
  seconds: number;
};

/** A rule that is left out does not count. */
export type LimitRules = { pair?: LimitRule; account?: LimitRule; address?: LimitRule };

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** For whoever gives a password: failures only, a success clears the account's count (decision 5). */
const passwordTries = {
  pair: { max: 10, seconds: 15 * minute },
  account: { max: 100, seconds: hour },
  address: { max: 60, seconds: 15 * minute },
};

/** For what sends a mail. */
const mailRequests = {
  pair: { max: 5, seconds: hour },
  account: { max: 20, seconds: hour },
  address: { max: 20, seconds: hour },
};

/**
 * How often in how long, counted three ways, because each alone can be got around:
 * - `pair`, an account from one address: the strict one. Whoever tries out passwords from one place is stopped, and the
 *   owner at another place does not notice.
 * - `account`, from wherever: for guessing from many places. It is higher than one place can reach by its pair, so that
 *   no single stranger can keep the owner out; where an account signs in or asks for a link it does not hold for addresses that the owner has signed in
 *   from (lib/auth/known-device.ts), so that many strangers cannot either. 100 an hour are 2,400 guesses a day, of which
 *   none is likely: a chosen password takes more than 10^8.
 * - `address`, for all accounts: one guess each at many accounts.
 */
export const limits = {
  signIn: passwordTries,
  /** A signed-in person's own password, asked for again. */
  password: passwordTries,
  /** Wrong codes of an authenticator app at sign-in, from all addresses and sessions together. A right code takes back
   * its own try only; the bound that follows is computed in lib/auth/check-second-factor.ts. */
  secondFactor: { account: { max: 16, seconds: 30 * day } },
  /** Codes that confirm an authenticator app; the person who enters them has the secret. */
  enrolment: { account: { max: 10, seconds: 15 * minute } },
  /** Sign-ins by passkey: nothing can be guessed, but each stores a challenge. */
  passkey: { address: { max: 60, seconds: 15 * minute } },
  /** Audit lines about refused sign-ins, over all addresses: beyond it they are counted together. */
  failureLines: { account: { max: 100, seconds: 15 * minute } },
  /** Reports of browsers (app/api/csp-reports), each a line of the log: from one address, and in the installation. */
  cspReports: { pair: { max: 30, seconds: 15 * minute }, account: { max: 300, seconds: hour } },
  register: mailRequests,
  forgot: mailRequests,
  resend: mailRequests,
  /** Of one's own address; each sends a mail to an address that nobody has confirmed. */
  changeEmail: mailRequests,
  reset: { address: { max: 20, seconds: hour } },
  /** The account is signed in: nobody else can use it up. */
  topup: { account: { max: 20, seconds: 10 * minute }, address: { max: 60, seconds: 10 * minute } },
  /** Calls to outside services, among them a mail, on behalf of a person who tests what is set up. */
  testIntegration: { account: { max: 20, seconds: 10 * minute } },
  /** Of a title and a description; an answer of the model costs the house money. */
  suggest: { account: { max: 60, seconds: 10 * minute } },
  /** Imports of sites, checks and failures too: each reads a whole file. */
  import: { account: { max: 100, seconds: 24 * hour } },
} as const satisfies Record<string, LimitRules>;

/** Lists that are asked for without a limit, and exports. */
export const wholeLists = {
  /** Up to so many rows a list is read at once and does not count. */
  shortRows: 1_000,
  /** How many of the longer ones may be sent at once. */
  perPerson: 2,
  perInstallation: 4,
  /** For how long a caller may take nothing, and all of it. */
  stallSeconds: 30,
  maxSeconds: 10 * minute,
  retryAfterSeconds: 10,
} as const;

export type LimitName = keyof typeof limits;

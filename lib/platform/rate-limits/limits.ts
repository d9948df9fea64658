export type LimitRule = {
  /** The maximum number of attempts in a window. */
  max: number;
  /** The length of the window, from the first attempt. */
  seconds: number;
};

/** An omitted rule is not enforced. */
export type LimitRules = { pair?: LimitRule; account?: LimitRule; address?: LimitRule };

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** For password checks. Only failures count: a success clears the account's counts. */
const passwordAttempts = {
  pair: { max: 10, seconds: 15 * minute },
  account: { max: 100, seconds: hour },
  address: { max: 60, seconds: 15 * minute },
};

/** For requests that send a mail. */
const mailRequests = {
  pair: { max: 5, seconds: hour },
  account: { max: 20, seconds: hour },
  address: { max: 20, seconds: hour },
};

/**
 * The rate limits. Each is counted in three ways, because each alone can be circumvented:
 * - `pair`, an account from one address: the strict limit. It stops password guessing from one address without
 * affecting   the account's owner at another.
 * - `account`, from any address: against guessing from many addresses. It is higher than one address can reach within
 * its   pair limit, so that a single attacker cannot lock out the owner. For sign-in and reset links it does not apply
 * to   addresses from which the owner has signed in (lib/auth/known-device.ts), so that many attackers cannot either.
 * 100 an   hour are 2,400 guesses a day; a chosen password takes more than 10^8.
 * - `address`, for all accounts: against a few guesses at many accounts each.
 */
export const limits = {
  signIn: passwordAttempts,
  /** The password of the signed-in user, entered for reauthentication. */
  password: passwordAttempts,
  /** Wrong authenticator codes at sign-in, over all addresses and sessions. A correct code only uncounts its own
   * attempt; lib/auth/second-factor.ts computes the resulting bound. */
  secondFactor: { account: { max: 16, seconds: 30 * day } },
  /** Codes that confirm an authenticator app during its setup; the user has the secret. */
  enrolment: { account: { max: 10, seconds: 15 * minute } },
  /** Sign-ins with a passkey: they cannot be guessed, but each stores a challenge. */
  passkey: { address: { max: 60, seconds: 15 * minute } },
  /** Audit entries about failed sign-ins over all addresses; further ones are counted in one entry. */
  failureLines: { account: { max: 100, seconds: 15 * minute } },
  /** CSP reports (app/api/csp-reports), each a log line: from one address, and in the installation. */
  cspReports: { pair: { max: 30, seconds: 15 * minute }, account: { max: 300, seconds: hour } },
  register: mailRequests,
  forgot: mailRequests,
  resend: mailRequests,
  /** Changes of the user's email address; each sends a mail to an unconfirmed address. */
  changeEmail: mailRequests,
  /** Invitations of members by a user; each sends a mail to an unconfirmed address. */
  inviteMember: { account: { max: 60, seconds: hour }, address: { max: 120, seconds: hour } },
  /** Invitations to one mail address, by whomever. */
  invitedAddress: { pair: mailRequests.pair, account: mailRequests.account },
  /** New accounts of a user. */
  createAccount: { account: { max: 20, seconds: hour }, address: { max: 60, seconds: hour } },
  /** Changes of the payout method; each sends mails. */
  payoutMethod: { account: { max: 20, seconds: hour }, address: { max: 60, seconds: hour } },
  /** Requests of buyers for a refund to the payment method; each sends mails to staff. */
  refundRequest: { account: { max: 20, seconds: hour } },
  /** Wrong setup codes; they cannot be guessed. */
  setUp: { address: { max: 20, seconds: 15 * minute } },
  reset: { address: { max: 20, seconds: hour } },
  /** The account is signed in, so that other users cannot exhaust its limit. */
  topup: { account: { max: 20, seconds: 10 * minute }, address: { max: 60, seconds: 10 * minute } },
  /** Calls to external services, including a mail, when an admin tests an integration. */
  testIntegration: { account: { max: 20, seconds: 10 * minute } },
  /** Checks of a buyer's VAT id, each a request to VIES. */
  vatIdCheck: { account: { max: 20, seconds: hour } },
  /** Suggestions for a title and a description; each calls a paid model. */
  suggest: { account: { max: 60, seconds: 10 * minute } },
  /** Articles that buyers upload for briefs; an order has at most a hundred. */
  article: { account: { max: 100, seconds: hour } },
  /** Quotes of orders; each stores its request. */
  quote: { account: { max: 60, seconds: 10 * minute } },
  /** Messages about orders, each with up to five files. */
  orderMessage: { account: { max: 60, seconds: 10 * minute } },
  /** The size of the files of messages, in kB. They are kept with the order. */
  messageFiles: { account: { max: 500_000, seconds: 24 * hour } },
  /** The size of the files that browsers send to the bucket directly, in kB. A file that no request uses is kept a day. */
  directUpload: { account: { max: 2_000_000, seconds: 24 * hour } },
  /** Backup archives that staff send to the bucket directly. */
  directArchive: { account: { max: 10, seconds: 24 * hour } },
  /** Checks of links that users request at once; each opens a connection to another server. */
  linkCheck: { account: { max: 30, seconds: hour } },
  /** Checks of pages before they are delivered: by a seller, and of one host, in place of the account. */
  deliveryCheck: { account: { max: 300, seconds: hour } },
  deliveryHost: { account: { max: 200, seconds: hour } },
  /** Checks of the ownership of a domain; each makes four requests to other servers. */
  ownershipCheck: { account: { max: 30, seconds: hour } },
  /** Requests of a seller to WordPress: connections, articles and repairs; each opens connections to another server. */
  wordpress: { account: { max: 60, seconds: 10 * minute }, address: { max: 120, seconds: 10 * minute } },
  /** Webhooks that users send at once: tests, retries and replays. */
  webhookSend: { account: { max: 60, seconds: 10 * minute } },
  /** New webhook endpoints and secrets; each sends a mail. */
  webhookChange: { account: { max: 30, seconds: hour } },
  /** Public link passports by id (app/api/proofs). */
  proof: { address: { max: 300, seconds: 15 * minute } },
  /** Client reports by token; each reads up to 2,000 orders (app/reports). */
  report: { address: { max: 300, seconds: 15 * minute } },
  /** The PDFs of client reports; one of 2,000 links takes seconds of a processor. */
  reportPdf: { account: { max: 30, seconds: 15 * minute }, address: { max: 30, seconds: 15 * minute } },
  /** Requests to the link of an order request (app/approve): to one link, and to all of them from an address. */
  approval: { account: { max: 30, seconds: minute }, address: { max: 300, seconds: 15 * minute } },
  /** The passwords of client reports. */
  reportPassword: passwordAttempts,
  /** Requests of an API token. */
  token: { account: { max: 600, seconds: minute } },
  /** Imports of sites, including dry runs and failures: each reads a whole file. */
  import: { account: { max: 100, seconds: 24 * hour } },
} as const satisfies Record<string, LimitRules>;

/** Lists without a limit, and exports. */
export const unpaginatedLists = {
  /** Lists up to this many rows are read at once and do not count. */
  shortRows: 1_000,
  /** How many longer lists may be sent at the same time. */
  perPerson: 2,
  perInstallation: 4,
  /** The maximum time without progress by the client, and for the whole response. */
  stallSeconds: 30,
  maxSeconds: 10 * minute,
  retryAfterSeconds: 10,
} as const;

export type LimitName = keyof typeof limits;

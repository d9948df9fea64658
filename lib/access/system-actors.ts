/**
 * The names under which the audit log, the history of an order and exports show work that no user started, by the part
 * of the app that does it. A background job (lib/jobs/jobs.ts) is named as one; the webhooks of payment providers are
 * named after the provider.
 */
export const systemActors = {
  auditLog: 'Audit log job',
  backup: 'Backup job',
  booksCheck: 'Books check job',
  clientReports: 'Client report job',
  earnings: 'Earnings job',
  eventCatchUp: 'Event catch-up job',
  exchangeRates: 'Exchange rate job',
  figuresImport: 'Figures import',
  invoices: 'Invoice job',
  linkChecks: 'Link check job',
  linkPassports: 'Link passport job',
  mail: 'Mail job',
  orderDeadlines: 'Order deadline job',
  outgoingWebhooks: 'Webhook delivery job',
  ownership: 'Ownership check job',
  paymentCheck: 'Payment check job',
  paypalPayouts: 'PayPal payout job',
  providerEvents: 'Provider event job',
  refunds: 'Refund job',
  scheduledPayouts: 'Scheduled payout job',
  settlement: 'Settlement job',
  signInFailures: 'Sign-in job',
  emailLink: 'Email link',
  emailVerification: 'Email verification',
  invitation: 'Invitation',
  keyRotation: 'Key rotation',
  passkeyCheck: 'Passkey check',
  passwordReset: 'Password reset',
  registration: 'Registration',
  setup: 'Setup',
  signIn: 'Sign-in',
  startUp: 'Start-up',
} as const;

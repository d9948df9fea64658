import { isFullRun, rotatingThird } from './tier';

/**
 * Test files of which a run of all tests has a third in the standard tier, which its seed selects; the full tier and a run
 * of selected files have them all. Each names what protects the same rules in every run. Money, permissions and races
 * are not among them. The order of a suite spreads its slow files over the thirds.
 */
export const filesByTurn: Record<string, string> = {
  'tests/unit/scripts/postgres.test.ts': 'tests/faults/database-away.test.ts',
  'tests/unit/health/end-in-order.test.ts': 'tests/faults/shutdown.test.ts',
  'tests/unit/links/judge-in-worker.test.ts': 'tests/unit/links/judge-page.test.ts',
  'tests/unit/sandbox/deliveries.test.ts': 'tests/domain/payments-providers.test.ts',
  'tests/unit/scripts/npm-killed.test.ts': 'tests/faults/killed.test.ts',
  'tests/unit/scripts/gateway-ports.test.ts': 'tests/unit/scripts/lock.test.ts',
  'tests/unit/scripts/failed-command.test.ts': 'tests/unit/scripts/outcome.test.ts',
  'tests/unit/sandbox/start.test.ts': 'tests/domain/payments-providers.test.ts',
  'tests/unit/links/passport-verify.test.ts': 'tests/domain/link-passport.test.ts',

  'tests/domain/link-checks-run.test.ts': 'tests/domain/link-checks.test.ts tests/domain/delivery-checks.test.ts',
  'tests/domain/list-blocks.test.ts': 'tests/domain/sites-filter.test.ts tests/domain/one-round-trip.test.ts',
  'tests/domain/whole-lists.test.ts': 'tests/domain/orders-export.test.ts tests/api/formula-cells.test.ts',
  'tests/domain/wordpress.test.ts': 'tests/domain/delivery-checks.test.ts tests/api/foreign-records.test.ts',
  'tests/domain/mail-smtp.test.ts': 'tests/domain/mail-queue.test.ts tests/domain/auth-mail.test.ts',
  'tests/domain/backup-restore.test.ts': 'tests/domain/backup-refusals.test.ts tests/api/backup.test.ts',
  'tests/domain/content-s3.test.ts': 'tests/domain/content.test.ts tests/domain/direct-uploads.test.ts',
  'tests/domain/backup-archive.test.ts': 'tests/domain/backup-refusals.test.ts tests/domain/backup-list.test.ts',
  'tests/domain/sites-import-large.test.ts': 'tests/domain/sites-import.test.ts',
  'tests/domain/sites-import-check.test.ts': 'tests/domain/sites-import.test.ts tests/unit/sites-import-cells.test.ts',
  'tests/domain/primary-socket.test.ts': 'tests/domain/lost-connections.test.ts tests/domain/readiness.test.ts',
  'tests/domain/invoice-delivery.test.ts': 'tests/domain/invoices.test.ts tests/domain/month-documents.test.ts',
  'tests/domain/metrics.test.ts': 'tests/api/metrics.test.ts',
  'tests/domain/content-scan.test.ts': 'tests/domain/content-upload.test.ts',

  'tests/api/instances.test.ts': 'tests/domain/jobs.test.ts tests/domain/leases.test.ts',
  'tests/api/link-checks.test.ts': 'tests/domain/link-checks.test.ts tests/domain/delivery-checks.test.ts',
  'tests/api/outgoing-webhooks.test.ts': 'tests/api/outgoing.test.ts tests/domain/webhooks.test.ts',
  'tests/api/outgoing-checks.test.ts': 'tests/api/outgoing.test.ts tests/unit/links/fetch-page.test.ts',
  'tests/api/quotas.test.ts': 'tests/domain/api-tokens.test.ts tests/domain/auth-limits.test.ts',
  'tests/api/broken-bodies.test.ts': 'tests/api/fuzz.test.ts tests/api/hostile-fields.test.ts',
  'tests/api/examples.test.ts': 'tests/api/openapi-responses.test.ts',
  'tests/api/mcp.test.ts': 'tests/domain/mcp.test.ts',
  'tests/api/upload-tricks.test.ts': 'tests/api/refused-uploads.test.ts tests/domain/content.test.ts',

  'tests/e2e/seller-sites.spec.ts': 'tests/domain/ownership.test.ts tests/domain/sites-own-bulk.test.ts',
  'tests/e2e/keyboard.spec.ts': 'tests/e2e/thirty-sites.spec.ts',
  'tests/e2e/agency-month.spec.ts': 'tests/e2e/people.spec.ts tests/e2e/requests.spec.ts tests/domain/members.test.ts',
  'tests/e2e/first-day.spec.ts': 'tests/domain/first-admin.test.ts tests/domain/setup-checklist.test.ts',
  'tests/e2e/admin-inventory.spec.ts': 'tests/api/sites-admin.test.ts tests/domain/sites-staff-list.test.ts',
  'tests/e2e/settings-screens.spec.ts': 'tests/domain/api-keys.test.ts tests/domain/announcements.test.ts',
  'tests/e2e/tax-settings.spec.ts': 'tests/domain/operator.test.ts tests/e2e/whole-installation-tax.spec.ts',
  'tests/e2e/projects.spec.ts': 'tests/domain/projects.test.ts tests/api/projects.test.ts',
  'tests/e2e/my-orders.spec.ts':
    'tests/domain/orders-tabs.test.ts tests/domain/orders-create.test.ts tests/e2e/main-job.spec.ts',
  'tests/e2e/link-checks.spec.ts': 'tests/domain/link-checks.test.ts',
  'tests/e2e/security.spec.ts':
    'tests/domain/auth-sessions.test.ts tests/domain/auth-second-factor.test.ts tests/api/auth.test.ts',
  'tests/e2e/site-drawer.spec.ts': 'tests/domain/site-details.test.ts tests/e2e/marketplace.spec.ts',
  'tests/e2e/order-queue.spec.ts': 'tests/domain/staff-queue.test.ts tests/domain/orders-tabs.test.ts',
  'tests/e2e/desk-morning.spec.ts': 'tests/domain/orders-desk.test.ts tests/domain/staff-notes.test.ts',
  'tests/e2e/packages-licenses.spec.ts': 'tests/api/packages.test.ts tests/domain/licenses.test.ts',
  'tests/e2e/account-screens.spec.ts': 'tests/api/auth.test.ts tests/e2e/accounts.spec.ts',
  'tests/e2e/order-desk.spec.ts': 'tests/domain/orders-update.test.ts tests/domain/partial-refunds.test.ts',
  'tests/e2e/webhooks.spec.ts': 'tests/domain/webhooks.test.ts',
  'tests/e2e/palette.spec.ts': 'tests/domain/palette.test.ts',
  'tests/e2e/review-deliveries.spec.ts': 'tests/domain/placements-verbs.test.ts tests/domain/delivery-checks.test.ts',
  'tests/e2e/page-titles.spec.ts': 'tests/e2e/every-page.spec.ts tests/api/guards.test.ts',
  'tests/e2e/backup.spec.ts': 'tests/api/backup.test.ts tests/domain/backup-refusals.test.ts',
  'tests/e2e/passkeys.spec.ts': 'tests/domain/auth-passkeys.test.ts',
  'tests/e2e/audit-log.spec.ts': 'tests/domain/audit-log.test.ts',
  'tests/e2e/long-words.spec.ts': 'tests/e2e/every-page.spec.ts',
  'tests/e2e/session-ended.spec.ts': 'tests/e2e/step-up.spec.ts',
  'tests/e2e/welcome.spec.ts': 'tests/domain/dashboard.test.ts',
  'tests/e2e/admin-sidebar.spec.ts': 'tests/domain/access-rights.test.ts tests/api/guards.test.ts',
  'tests/e2e/whole-installation.spec.ts':
    'tests/domain/branding.test.ts tests/domain/legal.test.ts tests/domain/features.test.ts',
  'tests/e2e/serp-preview.spec.ts': 'tests/domain/serp-model.test.ts',
  'tests/e2e/developers.spec.ts': 'tests/api/openapi.test.ts tests/api/headers.test.ts',
};

/** The files that this run leaves to others. Only `npm test` sets TEST_BY_TURN, for a run of all files. */
export const outOfTurn: string[] = isFullRun || !process.env.TEST_BY_TURN ? [] : listOutOfTurn();

function listOutOfTurn(): string[] {
  return ['unit', 'domain', 'api', 'e2e'].flatMap((suite) => {
    const own = Object.keys(filesByTurn).filter((file) => file.startsWith(`tests/${suite}/`));
    const selected = rotatingThird(own);
    return own.filter((file) => !selected.includes(file));
  });
}

import { expect, it } from 'vitest';
import { classifyCaptureIssue } from '@/lib/payments/providers/paypal/capture-issues';
import { captureIssues, inventedIssue } from '@/tests/setup/conformance/paypal';

it.each([...captureIssues(403), ...captureIssues(422)])('classifies the published issue %s', (issue) => {
  // With status 400, an unlisted issue has no kind.
  const isAboutOrder = issue === 'ORDER_ALREADY_CAPTURED' || issue === 'ORDER_NOT_APPROVED';
  expect(classifyCaptureIssue(issue, 400) === null).toBe(isAboutOrder);
});

it.each([
  ['INSTRUMENT_DECLINED', 'payer_action'],
  ['PAYER_ACTION_REQUIRED', 'payer_action'],
  ['REDIRECT_PAYER_FOR_ALTERNATE_FUNDING', 'payer_action'],
  ['TRANSACTION_REFUSED', 'final'],
  ['PAYER_CANNOT_PAY', 'final'],
  ['ORDER_COMPLETION_IN_PROGRESS', 'temporary'],
  ['PAYEE_ACCOUNT_RESTRICTED', 'merchant_action'],
  [inventedIssue, 'temporary'],
])('%s requires %s', (issue, kind) => {
  expect(classifyCaptureIssue(issue, 422)).toBe(kind);
});

it('an unknown issue with a status other than 422 does not change the order', () => {
  expect(classifyCaptureIssue(inventedIssue, 403)).toBeNull();
});

import type { CollectionRefusal } from '@/lib/payments/providers/provider';

/**
 * How to handle each issue with which PayPal refuses to capture an approved order. The names are those of
 * `orders.capture-403` and `orders.capture-422` in PayPal's OpenAPI for Orders v2
 * (github.com/paypal/paypal-rest-api-specifications, openapi/checkout_orders_v2.json, version 2.13); issues about the
 * payee are from its common list `422`. `tests/unit/payments/paypal-capture-issues.test.ts` compares the table with
 * that list.
 *
 * Issues about parameters that a wallet payment does not send (cards, banks, vaults, shipping) are `merchant_action`:
 * the payer cannot resolve them, and a retry does not help.
 */
const issuesByKind: Readonly<Record<CollectionRefusal['kind'], string>> = {
  // The order stays open at PayPal: the payer chooses another funding source or confirms.
  payer_action: `
    INSTRUMENT_DECLINED PAYER_ACTION_REQUIRED REDIRECT_PAYER_FOR_ALTERNATE_FUNDING PREFERRED_PAYMENT_SOURCE_MISMATCH
    CARD_BRAND_NOT_SUPPORTED REFERENCED_CARD_EXPIRED APPLE_PAY_AMOUNT_MISMATCH`,
  // The order can never be captured.
  final: `
    AGREEMENT_ALREADY_CANCELLED BILLING_AGREEMENT_NOT_FOUND COMPLIANCE_VIOLATION DECLINED_DUE_TO_RELATED_TXN
    DOMESTIC_TRANSACTION_REQUIRED MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED PAYEE_BLOCKED_TRANSACTION
    PAYER_ACCOUNT_LOCKED_OR_CLOSED PAYER_ACCOUNT_RESTRICTED PAYER_CANNOT_PAY PLATFORM_FEE_PAYEE_CANNOT_BE_SAME_AS_PAYER
    TRANSACTION_BLOCKED_BY_PAYEE TRANSACTION_LIMIT_EXCEEDED TRANSACTION_REFUSED`,
  // A retry may succeed.
  temporary: 'ORDER_COMPLETION_IN_PROGRESS',
  // The PayPal account or app that receives the money has to be changed.
  merchant_action: `
    AUTH_CAPTURE_NOT_ENABLED BANK_NOT_SUPPORTED_FOR_VERIFICATION BILLING_AGREEMENT_ID_MISMATCH CANCEL_URL_REQUIRED
    CARD_EXPIRY_REQUIRED CARD_NUMBER_REQUIRED CONSENT_NEEDED CURRENCY_NOT_SUPPORTED_FOR_BANK DUPLICATE_INVOICE_ID
    IBAN_COUNTRY_NOT_SUPPORTED IDENTIFIER_NOT_FOUND INCOMPATIBLE_PARAMETER_VALUE INVALID_IBAN INVALID_PICKUP_ADDRESS
    INVALID_PREVIOUS_TRANSACTION_REFERENCE INVALID_SECURITY_CODE_LENGTH MERCHANT_INITIATED_WITH_AUTHENTICATION_RESULTS
    MERCHANT_INITIATED_WITH_MULTIPLE_PURCHASE_UNITS MERCHANT_INITIATED_WITH_SECURITY_CODE
    MISMATCHED_VAULT_ID_TO_PAYMENT_SOURCE MISSING_CRYPTOGRAM MISSING_PREVIOUS_REFERENCE
    NOT_ELIGIBLE_FOR_PAYPAL_TRANSACTION_ID_PROCESSING NOT_ELIGIBLE_FOR_PNREF_PROCESSING
    NOT_ELIGIBLE_FOR_TOKEN_PROCESSING NOT_ENABLED_FOR_BANK_PROCESSING NOT_ENABLED_FOR_CARD_PROCESSING
    ONLY_ONE_BANK_SOURCE_ALLOWED PAYEE_ACCOUNT_INVALID PAYEE_ACCOUNT_LOCKED_OR_CLOSED PAYEE_ACCOUNT_RESTRICTED
    PAYEE_FX_RATE_ID_EXPIRED PAYEE_NOT_ENABLED_FOR_BANK_PROCESSING PAYEE_NOT_ENABLED_FOR_CARD_PROCESSING
    PAYMENT_SOURCE_MISMATCH PAYMENT_SOURCE_NOT_SUPPORTED PAYPAL_TRANSACTION_ID_EXPIRED PAYPAL_TRANSACTION_ID_NOT_FOUND
    PERMISSION_DENIED PERMISSION_DENIED_FOR_DONATION_ITEMS PNREF_EXPIRED PNREF_NOT_FOUND
    PREVIOUS_TRANSACTION_REFERENCE_HAS_CHARGEBACK PREVIOUS_TRANSACTION_REFERENCE_VOIDED
    REQUIRED_PARAMETER_FOR_CUSTOMER_INITIATED_PAYMENT RETURN_URL_REQUIRED SETUP_ERROR_FOR_BANK SHIPPING_ADDRESS_INVALID
    TOKEN_ID_NOT_FOUND TRANSACTION_RECEIVING_LIMIT_EXCEEDED VAULT_INSTRUCTION_REQUIRED`,
};

/** The state of the order determines the outcome of these issues. */
const orderStateIssues = new Set(['ORDER_ALREADY_CAPTURED', 'ORDER_EXPIRED', 'ORDER_NOT_APPROVED']);

const kindByIssue = new Map(
  (['payer_action', 'final', 'temporary', 'merchant_action'] as const).flatMap((kind) =>
    (issuesByKind[kind].match(/\w+/g) ?? []).map((issue) => [issue, kind] as const),
  ),
);

/**
 * Classifies the issue of a refused capture.
 * @param httpStatus the status of the response. An unknown issue with 422 is `temporary`, so that it is retried until
 * the order expires; with another status it does not concern the order.
 * @returns null when the state of the order determines the outcome (already captured, expired, not approved), or when
 * the issue does not concern the order
 */
export function classifyCaptureIssue(issue: string, httpStatus: number): CollectionRefusal['kind'] | null {
  if (orderStateIssues.has(issue)) return null;
  return kindByIssue.get(issue) ?? (httpStatus === 422 ? 'temporary' : null);
}

/** Why a dispute is opened, with the label that screens show, and the sides that can choose it. */
const disputeReasons = {
  not_as_briefed: { label: 'Not as in the brief', sides: ['buyer'] },
  link_missing: { label: 'The link is missing or wrong', sides: ['buyer'] },
  page_removed: { label: 'The page is offline', sides: ['buyer'] },
  poor_quality: { label: 'Poor quality of the article', sides: ['buyer'] },
  unfair_revision: { label: 'The requested change is not part of the brief', sides: ['seller'] },
  no_response: { label: 'No response', sides: ['buyer', 'seller'] },
  other: { label: 'Another reason', sides: ['buyer', 'seller'] },
} as const satisfies Record<string, { label: string; sides: readonly ('buyer' | 'seller')[] }>;

export type DisputeReason = keyof typeof disputeReasons;
export const disputeReasonNames: readonly DisputeReason[] = Object.keys(disputeReasons).filter(isDisputeReason);

function isDisputeReason(value: string): value is DisputeReason {
  return Object.hasOwn(disputeReasons, value);
}

/** Whether a side can choose a reason. */
export const isReasonOf = (side: 'buyer' | 'seller', reason: string): boolean =>
  !isDisputeReason(reason) || disputeReasons[reason].sides.some((one) => one === side);

/** The label of a reason; a reason in other words is shown as it is. */
export const formatDisputeReason = (reason: string): string =>
  isDisputeReason(reason) ? disputeReasons[reason].label : reason;

/** The reasons that a side can choose, as the options of a form. */
export const listReasonsOf = (side: 'buyer' | 'seller'): { value: string; label: string }[] =>
  disputeReasonNames
    .filter((reason) => isReasonOf(side, reason))
    .map((reason) => ({ value: reason, label: disputeReasons[reason].label }));

import { type RejectionReason, rejectionReasons } from '@/db/enums';

/** The label of each reason for staff and the seller, and what the seller should change; empty if the note says it. */
const texts: Record<RejectionReason, { label: string; advice: string }> = {
  details: {
    label: 'Missing or wrong details',
    advice: 'Check the name, country, language, niche and turnaround, and correct them.',
  },
  metrics: {
    label: 'The metrics could not be confirmed',
    advice: 'Enter the current DR, DA, monthly traffic and spam score.',
  },
  low_metrics: {
    label: 'The metrics are below our minimum',
    advice: 'Send the site back when its metrics have improved.',
  },
  spam: {
    label: 'The spam score is too high',
    advice: 'Remove spam from the site and its backlinks, and enter the new spam score.',
  },
  content: {
    label: 'Low quality of the content',
    advice: 'Publish original articles for readers, and reduce advertising and outgoing links.',
  },
  topic: {
    label: 'Topic not accepted',
    advice: 'We do not list sites about this topic. You can withdraw the site.',
  },
  price: { label: 'The price is too high', advice: 'Lower your price.' },
  unreachable: {
    label: 'The site cannot be opened',
    advice: 'Check the URL, and make sure that the site opens without an error or a sign-in.',
  },
  ownership: {
    label: 'Not confirmed that you can publish on the site',
    advice: 'Prove your site under My Sites, or write to our support from an email address of the site’s domain.',
  },
  duplicate: {
    label: 'Already listed',
    advice: 'This site is already offered. You can withdraw it.',
  },
  other: { label: 'Another reason', advice: '' },
};

export const formatRejectionReason = (reason: RejectionReason): string => texts[reason].label;

/** The reasons as the options of a form. */
export const rejectionReasonOptions = rejectionReasons.map((value) => ({ value, label: texts[value].label }));

type Rejection = { reason: RejectionReason | null; note: string };

/** Explains a rejection to the seller: the reason, what to change, and the words of staff. */
export function explainRejection({ reason, note }: Rejection): { reason: string; advice: string; note: string } {
  if (reason === null) return { reason: '', advice: note === '' ? 'Contact our support for the reason.' : '', note };
  return { reason: texts[reason].label, advice: texts[reason].advice, note };
}

import { MailButton, type MailContext, MailFrame, MailText } from './frame';

type NewOrderProps = MailContext & {
  heading: string;
  /** Who ordered, for which project, and for how much in all. */
  summary: string;
  /** An order a line; the first ones of many. */
  lines: readonly { id: number; text: string }[];
  /** How many more there are. */
  more: number;
  /** Where the order desk shows them. */
  url: string;
};

/** To the staff who work on orders, once for everything that was ordered in one go. */
export function NewOrderMail({ heading, summary, lines, more, url, ...context }: NewOrderProps) {
  return (
    <MailFrame
      {...context}
      preview={summary}
      heading={heading}
      choicesUrl={`${context.appUrl}/dashboard/security#mails`}
    >
      <MailText>{summary}</MailText>
      {lines.map(({ id, text }) => (
        <MailText key={id}>{text}</MailText>
      ))}
      {more > 0 ? <MailText>{more === 1 ? 'One more order.' : `${more} more orders.`}</MailText> : null}
      <MailButton href={url} color={context.branding.primaryColor}>
        Open the order desk
      </MailButton>
    </MailFrame>
  );
}

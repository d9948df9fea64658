import { Link } from '@react-email/link';
import { type MailContext, MailFrame, MailText } from './frame';

type NewsProps = MailContext & {
  heading: string;
  /** The lines below their titles; a mail about one kind has no title. */
  groups: readonly { title: string | null; lines: readonly { text: string; path: string }[] }[];
  /** The number of lines that the mail does not name. */
  more: number;
  choicesPath: string;
};

/** Renders the mail about several updates: a line with a link for each. */
export function NewsMail({ heading, groups, more, choicesPath, ...context }: NewsProps) {
  return (
    <MailFrame
      {...context}
      preview={groups.flatMap(({ lines }) => lines.map(({ text }) => text)).join('. ')}
      heading={heading}
      choicesUrl={`${context.appUrl}${choicesPath}`}
    >
      {groups.map(({ title, lines }) => (
        <MailText key={title}>
          {title === null ? null : (
            <strong>
              {title}
              <br />
            </strong>
          )}
          {lines.map(({ text, path }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be equal, and the mail is rendered once.
            <span key={index}>
              <Link href={`${context.appUrl}${path}`}>{text}</Link>
              <br />
            </span>
          ))}
        </MailText>
      ))}
      {more > 0 ? <MailText>…and {more.toLocaleString('en-US')} more.</MailText> : null}
    </MailFrame>
  );
}

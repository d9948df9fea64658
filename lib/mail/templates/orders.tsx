import { Link } from '@react-email/link';
import { type MailContext, MailFrame, MailLines, MailText } from './frame';

/** A line of a notice about an order. */
export type NoticeLine = {
  text: string;
  /** A link that follows the text. */
  href?: string;
  /** A comment, with its line breaks. */
  quote?: string;
};

type OrderChangedProps = MailContext & {
  heading: string;
  /** The ordered website or package. */
  what: string;
  lines: readonly NoticeLine[];
  /** The recipient's page of the order. */
  url: string;
  /** The recipient's area of the site. */
  area?: Area;
};

type Area = 'user' | 'seller' | 'dashboard';

/** Renders the mail sent once for all changes of one save, and for a step of a placement. */
export function OrderChangedMail({ heading, what, lines, url, area = 'user', ...context }: OrderChangedProps) {
  return (
    <MailFrame
      {...context}
      preview={lines.map(({ text }) => text).join(' ')}
      heading={heading}
      choicesUrl={`${context.appUrl}/${area}/security#mails`}
      button={{ href: url, label: 'View the order' }}
    >
      <MailText>{what}</MailText>
      {lines.map(({ text, href, quote }) => (
        <MailText key={text}>
          {text}
          {href ? (
            <>
              {' '}
              <Link href={href}>{href}</Link>
            </>
          ) : null}
          {quote === undefined ? null : <Quote text={quote} />}
        </MailText>
      ))}
    </MailFrame>
  );
}

type RequestProps = Omit<OrderChangedProps, 'area'>;

/** Renders the mail about an order that needs an approval, and about the answer. */
export const RequestMail = ({ heading, what, lines, url, ...context }: RequestProps) => (
  <MailFrame
    {...context}
    preview={what}
    heading={heading}
    choicesUrl={`${context.appUrl}/user/security#mails`}
    button={{ href: url, label: 'View the request' }}
  >
    <MailText>{what}</MailText>
    {lines.map(({ text, quote }) => (
      <MailText key={text}>
        {text}
        {quote === undefined ? null : <Quote text={quote} />}
      </MailText>
    ))}
  </MailFrame>
);

const quoteStyle = {
  display: 'block',
  borderLeft: '3px solid #d4d4d8',
  margin: '8px 0 0',
  paddingLeft: '12px',
} as const;

const Quote = ({ text }: { text: string }) => (
  <span style={quoteStyle}>
    <MailLines text={text} />
  </span>
);

type OrderDeliveredProps = MailContext & {
  heading: string;
  /** The ordered website or package. */
  what: string;
  fileName: string;
  isReplacement: boolean;
  /** The buyer's download page. */
  url: string;
};

/** Renders the mail to a buyer when a file is ready. The file is not attached. */
export function OrderDeliveredMail({ heading, what, fileName, isReplacement, url, ...context }: OrderDeliveredProps) {
  const text = isReplacement
    ? `A new file replaces the earlier one: ${fileName}`
    : `A file is ready to download: ${fileName}`;
  return (
    <MailFrame
      {...context}
      preview={text}
      heading={heading}
      choicesUrl={`${context.appUrl}/user/security#mails`}
      button={{ href: url, label: 'Download the file' }}
    >
      <MailText>{what}</MailText>
      <MailText>{text}</MailText>
    </MailFrame>
  );
}

type UnreadMessagesProps = MailContext & {
  heading: string;
  /** The ordered website or package. */
  what: string;
  /** The newest messages, oldest first. */
  messages: readonly { id: number; author: string; text: string; files: number }[];
  /** The number of earlier unread messages, which are not quoted. */
  more: number;
  /** The page of the order. */
  url: string;
  /** The recipient's area of the site. */
  area: Area;
};

/** Renders the mail sent once for all unread messages about an order. */
export function UnreadMessagesMail({ heading, what, messages, more, url, area, ...context }: UnreadMessagesProps) {
  return (
    <MailFrame
      {...context}
      preview={heading}
      heading={heading}
      choicesUrl={`${context.appUrl}/${area}/security#mails`}
      button={{ href: url, label: 'Read and reply' }}
    >
      <MailText>{what}</MailText>
      {more > 0 ? <MailText>{`${more} earlier unread ${more === 1 ? 'message' : 'messages'}, and:`}</MailText> : null}
      {messages.map(({ id, author, text, files }) => (
        <MailText key={id}>
          {`${author}:`}
          {text === '' ? null : <Quote text={text} />}
          {files === 0 ? null : <Quote text={files === 1 ? '1 file' : `${files} files`} />}
        </MailText>
      ))}
    </MailFrame>
  );
}

type LinkDigestProps = MailContext & {
  heading: string;
  /** What the checks found, in sentences. */
  lines: readonly string[];
  /** Links that are not in order. */
  links: readonly { orderId: number; text: string; pageUrl: string }[];
  /** The buyer's list of projects. */
  url: string;
};

/** Renders the mail sent to a buyer once a week about the links that are checked. */
export function LinkDigestMail({ heading, lines, links, url, ...context }: LinkDigestProps) {
  return (
    <MailFrame
      {...context}
      preview={lines.join(' ')}
      heading={heading}
      choicesUrl={`${context.appUrl}/user/security#mails`}
      button={{ href: url, label: 'View your projects' }}
    >
      {lines.map((line) => (
        <MailText key={line}>{line}</MailText>
      ))}
      {links.map(({ orderId, text, pageUrl }) => (
        <MailText key={orderId}>
          {`Order #${orderId}: ${text} `}
          <Link href={pageUrl}>{pageUrl}</Link>
        </MailText>
      ))}
    </MailFrame>
  );
}

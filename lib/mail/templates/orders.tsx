import { Link } from '@react-email/link';
import { Fragment } from 'react';
import { MailButton, type MailContext, MailFrame, MailText } from './frame';

/** One thing that became of an order, as its buyer reads it. */
export type OrderNews = {
  text: string;
  /** An address that stands behind the text. */
  href?: string;
  /** What somebody wrote, line by line. */
  quote?: string;
};

type OrderChangedProps = MailContext & {
  heading: string;
  /** What was ordered: the website or the package. */
  what: string;
  news: readonly OrderNews[];
  /** Where the buyer sees the order. */
  url: string;
};

/** To a buyer, once for everything that one save changed. */
export function OrderChangedMail({ heading, what, news, url, ...context }: OrderChangedProps) {
  return (
    <MailFrame
      {...context}
      preview={news.map(({ text }) => text).join(' ')}
      heading={heading}
      choicesUrl={`${context.appUrl}/user/security#mails`}
    >
      <MailText>{what}</MailText>
      {news.map(({ text, href, quote }) => (
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
      <MailButton href={url} color={context.branding.primaryColor}>
        See the order
      </MailButton>
    </MailFrame>
  );
}

const quoteLook = {
  display: 'block',
  borderLeft: '3px solid #d4d4d8',
  margin: '8px 0 0',
  paddingLeft: '12px',
} as const;

/** Line by line, by breaks: the plain text and old mail programs know no other way. */
function Quote({ text }: { text: string }) {
  const lines = text.split(/\r\n|\r|\n/).map((words, number) => ({ number, words }));
  return (
    <span style={quoteLook}>
      {lines.map(({ number, words }) => (
        <Fragment key={number}>
          {number > 0 ? <br /> : null}
          {words}
        </Fragment>
      ))}
    </span>
  );
}

type OrderDeliveredProps = MailContext & {
  heading: string;
  /** What was ordered: the website or the package. */
  what: string;
  fileName: string;
  isReplacement: boolean;
  /** Where the buyer downloads it. */
  url: string;
};

/** To a buyer: a file lies ready. The file itself never goes by mail. */
export function OrderDeliveredMail({ heading, what, fileName, isReplacement, url, ...context }: OrderDeliveredProps) {
  const text = isReplacement
    ? `A new file takes the place of the earlier one: ${fileName}`
    : `A file lies ready to download: ${fileName}`;
  return (
    <MailFrame {...context} preview={text} heading={heading} choicesUrl={`${context.appUrl}/user/security#mails`}>
      <MailText>{what}</MailText>
      <MailText>{text}</MailText>
      <MailButton href={url} color={context.branding.primaryColor}>
        Download it
      </MailButton>
    </MailFrame>
  );
}

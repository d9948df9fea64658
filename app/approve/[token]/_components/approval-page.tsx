import type { ReactNode } from 'react';
import { type PageBrand, ReportDocument } from '@/app/reports/[token]/_components/report-html';
import { ClientLines, clientLinesStyles } from '@/components/orders/client-lines';
import { describeAnswer } from '@/components/orders/describe-client-answer';
import { countOf } from '@/components/ui/format';
import { formatUsd } from '@/lib/money';
import type { ClientRequest } from '@/lib/orders/requests/client-contract';
import { getTextColor } from '@/lib/settings/branding/colors';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

type ApprovalPageProps = {
  request: ClientRequest;
  brand: PageBrand;
  token: string;
  /** Why the form was refused, with what it had. */
  refused?: { error: string; sent: ReadonlyMap<string, string> } | undefined;
};

/** Renders the page behind the link of a request: a form, or the answer. */
export function ApprovalPage({ request, brand, token, refused }: ApprovalPageProps) {
  const { projectDomain, lines, totalCents, endsAt, answeredAt } = request;
  const isOpen = answeredAt === null;
  const list = <ClientLines lines={lines} isOpen={isOpen} {...(refused && { sent: refused.sent })} />;
  return (
    <Frame title={`Links for ${projectDomain}`} brand={brand}>
      <header>
        <h1>Links for {projectDomain}</h1>
        {isOpen ? (
          <p className="muted">
            {`${countOf(lines.length, 'link')}${totalCents === null ? '' : `, ${formatUsd(totalCents)} in total`}. Approve or strike each one, then send your answer. You can answer once, until ${day.format(endsAt)}.`}
          </p>
        ) : (
          <p role="status">{describeAnswer(request, brand.name)}</p>
        )}
      </header>
      {isOpen ? (
        <form method="post" action={`/approve/${token}`} className="answer">
          {refused ? (
            <p role="alert" className="error">
              {refused.error}
            </p>
          ) : null}
          {list}
          <button type="submit">Send answer</button>
        </form>
      ) : (
        list
      )}
    </Frame>
  );
}

type ApprovalNoticeProps = {
  heading: string;
  text: string;
  /** The address of the request, if it can be opened. */
  href?: string | undefined;
};

/** Renders a page without a request: of an unknown or ended link, or of a form that was refused. */
export const ApprovalNotice = ({ heading, text, href }: ApprovalNoticeProps) => (
  <Frame title={heading}>
    <h1>{heading}</h1>
    <p className="muted">{text}</p>
    {href ? (
      <p>
        <a href={href}>Open the page</a>
      </p>
    ) : null}
  </Frame>
);

const styles = `${clientLinesStyles}
main{max-width:44rem}.answer{max-width:none}.answer button{min-height:52px;font-size:16px}header p{margin:8px 0 0}
`;

function Frame({ title, brand, children }: { title: string; brand?: PageBrand; children: ReactNode }) {
  return (
    <ReportDocument
      title={title}
      styles={styles}
      referrer="no-referrer"
      {...(brand && { brand, onBrand: getTextColor(brand.color) })}
    >
      {children}
    </ReportDocument>
  );
}

import { actionsColumn, type Column, UserName } from '@/components/table/data-table';
import { IgnoredValues } from '@/components/table/ignored-values';
import { RecordList } from '@/components/table/record-list';
import { readFilters, readIdPageParams, type SearchParams } from '@/components/table/url';
import { Badge } from '@/components/ui/badge';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { type BankLineState, bankLineStates } from '@/db/schema/bank-transfers';
import { type BankLineView, bankLinesQuery } from '@/lib/payments/bank-transfers/contract';
import { listBankLines } from '@/lib/payments/bank-transfers/queries';
import { reasonTexts } from '@/lib/payments/bank-transfers/reasons';
import { parseFilters } from '@/lib/platform/http/parse';
import { readOperator } from '@/lib/tax/operator';
import { BankLineMenu, UploadCredits } from './bank-actions';

const states: Readonly<Record<BankLineState, { label: string; tone: 'green' | 'yellow' | 'red' | 'grey' }>> = {
  matched: { label: 'Credited', tone: 'green' },
  partial: { label: 'Not as requested', tone: 'yellow' },
  unmatched: { label: 'Unmatched', tone: 'red' },
  returned: { label: 'Closed', tone: 'grey' },
};

const columns: Column<BankLineView>[] = [
  { header: 'Booked', phone: 'labeled', className: 'whitespace-nowrap', cell: ({ bookedOn }) => bookedOn },
  { header: 'Transfer', phone: 'title', className: 'w-[34%] min-w-48', cell: (line) => <Transfer line={line} /> },
  { header: 'Buyer', className: 'w-[24%] max-w-0 min-w-40', cell: (line) => <Buyer line={line} /> },
  { header: 'Amount', phone: 'end', align: 'right', cell: (line) => <Amount line={line} /> },
  { header: 'State', phone: 'line', className: 'w-[42%] min-w-56', cell: (line) => <State line={line} /> },
  actionsColumn((line) => <BankLineMenu line={line} />),
];

type BankTabProps = { pathname: string; searchParams: SearchParams };

/** Uploads statements, and lists the transfers that arrived on the operator's accounts. */
export async function BankTab({ pathname, searchParams }: BankTabProps) {
  const page = readIdPageParams(searchParams);
  const { filter: asked, ignored } = parseFilters(bankLinesQuery, readFilters(searchParams, ['q', 'state']));
  const filter = { q: asked.q, state: asked.state };
  const [{ rows, ...counted }, { operator }] = await Promise.all([
    listBankLines({ ...filter, ...page.request }),
    readOperator(),
  ]);
  const accounts = operator.bankAccounts.map(({ iban, accountNumber, currency }) => ({
    id: iban || accountNumber,
    currency,
  }));
  return (
    <RecordList
      {...counted}
      {...{ pathname, searchParams, columns, page, filter, rows }}
      filters={[
        { placeholder: 'Reference, payer, text, buyer…', label: 'Search bank transfers' },
        {
          param: 'state',
          label: 'State',
          allLabel: 'All states',
          options: bankLineStates.map((value) => ({ value, label: states[value].label })),
        },
      ]}
      listActions={<UploadCredits accounts={accounts} />}
      caption="Bank transfers"
      rowKey={({ id }) => id}
      wide
      note={<IgnoredValues names={ignored} />}
      records="transfers"
      noMatch="Try another reference, payer or state."
      empty={{
        icon: <Icon name="landmark" />,
        title: 'No bank transfers yet',
        children: 'Upload a statement of your bank: transfers with the reference of a request are credited.',
      }}
    />
  );
}

type LineProps = { line: BankLineView };

function Transfer({ line: { payerName, remittance, isReversal } }: LineProps) {
  return (
    <span className="grid gap-1">
      <span className="wrap-anywhere">{payerName || (isReversal ? 'Taken back by the bank' : 'Payer not named')}</span>
      <span className="wrap-anywhere text-muted text-xs">{remittance || 'No text'}</span>
    </span>
  );
}

function Buyer({ line: { userName, userEmail } }: LineProps) {
  return userEmail === null ? (
    <span className="text-muted">Not known</span>
  ) : (
    <UserName name={userName ?? ''} email={userEmail} />
  );
}

function Amount({ line: { amountMinor, currency, isReversal, askedMinor, askedCurrency, creditedCents } }: LineProps) {
  const isAsOrdered = askedMinor === amountMinor && askedCurrency === currency;
  return (
    <span className="grid justify-items-end gap-1 whitespace-nowrap">
      <Money
        amountMinor={isReversal ? -amountMinor : amountMinor}
        currency={currency}
        className="font-medium text-ink"
      />
      {askedMinor === null || askedCurrency === null || isAsOrdered ? null : (
        <span className="text-muted text-xs">
          Requested: <Money amountMinor={askedMinor} currency={askedCurrency} />
        </span>
      )}
      {creditedCents === null || currency === 'USD' ? null : (
        <span className="text-muted text-xs">
          Credited: <Money amountMinor={creditedCents} />
        </span>
      )}
    </span>
  );
}

function State({ line: { state, reason, isAwaitingApproval, note, resolvedBy } }: LineProps) {
  const { label, tone } = states[state];
  const texts = [
    isAwaitingApproval ? 'Waits for the approval of a second person.' : reason && reasonTexts[reason],
    note,
    resolvedBy && `By ${resolvedBy}`,
  ].filter(Boolean);
  return (
    <span className="grid justify-items-start gap-1">
      <Badge tone={tone}>{label}</Badge>
      {texts.map((text) => (
        <span key={text} className="wrap-anywhere text-muted text-xs">
          {text}
        </span>
      ))}
    </span>
  );
}

'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { DialogForm } from '@/components/form/dialog-form';
import { getFormText, SelectField, TextField } from '@/components/form/fields';
import { useApiForm } from '@/components/form/use-api-form';
import { useRecordClose } from '@/components/table/record-dialog';
import { Alert } from '@/components/ui/alert';
import { Dialog } from '@/components/ui/dialog';
import type { OptionKind, OptionTopic } from '@/db/schema/site-options';
import { ApiError, apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import { parseMoney, walletCurrency } from '@/lib/money';
import type { SiteOptionsView } from '@/lib/sites/options/contract';
import { topicNames } from '@/lib/sites/options/names';

type OwnOption = SiteOptionsView['options'][number];

type SiteOptionsProps = {
  site: { id: number; name: string };
  own: SiteOptionsView;
  limits: {
    /** The kinds that the operator offers. */
    kinds: readonly OptionKind[];
    maxGuarantees: number;
    minWords: number;
    changePercent: number;
    /** The days of the guarantee that every order has. */
    guaranteeDays: number;
  };
};

/** Edits what a site sells besides the placement, in the dialog of the URL. */
export function SiteOptionsDialog({ closeHref, ...props }: SiteOptionsProps & { closeHref: string }) {
  const { open, close } = useRecordClose(closeHref);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      title={`Options of ${props.site.name}`}
      description="What buyers can choose and pay besides the placement. Enter your own prices; a change needs no review."
      size="lg"
    >
      <OptionsForm {...props} onClose={close} />
    </Dialog>
  );
}

/** A line of the form: the option of a kind, with the names of its fields. */
type Line = { kind: OptionKind; prefix: string; topic?: OptionTopic; hasDays?: boolean; own?: OwnOption | undefined };

/** Lists the lines of the form: those of the kinds that are offered, and one more than the site has where several fit. */
function listLines({ own: { options }, limits: { kinds, maxGuarantees } }: SiteOptionsProps): Line[] {
  const of = (kind: OptionKind) => options.filter((option) => option.kind === kind);
  const several = (kind: OptionKind, count: number): Line[] =>
    Array.from({ length: count }, (_, index) => ({
      ...{ kind, prefix: `${kind}${index}`, hasDays: true, own: of(kind)[index] },
    }));
  const single = (kind: OptionKind): Line => ({ kind, prefix: kind, own: of(kind)[0] });
  const topics = topicList.map(([topic]): Line => {
    const found = of('topic').find((option) => option.topic === topic);
    return { kind: 'topic', prefix: topic, topic, own: found };
  });
  const lines = [
    ...several('guarantee', Math.max(maxGuarantees, of('guarantee').length)),
    ...topics,
    single('writing'),
    ...several('homepage', Math.max(1, of('homepage').length)),
    single('change'),
  ];
  return lines.filter(({ kind }) => kinds.includes(kind));
}

const isTopic = (entry: [string, string]): entry is [OptionTopic, string] => Object.hasOwn(topicNames, entry[0]);
const topicList = Object.entries(topicNames).filter(isTopic);

function OptionsForm({ onClose, ...props }: SiteOptionsProps & { onClose: () => void }) {
  const { site, own, limits } = props;
  const router = useRouter();
  // The lines stay as they were opened while the list behind them is refreshed.
  const [lines] = useState(() => listLines(props));
  const form = useApiForm({
    submit: (data) => {
      const filled = lines.filter((line) => isFilled(line, data));
      const body = { options: filled.map((line) => readLine(line, data)) };
      return apiFetch(`/api/seller/sites/${site.id}/options`, { method: 'PUT', body })
        .catch(redirectIfSignedOut)
        .catch((cause: unknown) => {
          throw cause instanceof ApiError ? renameFields(cause, filled) : cause;
        });
    },
    onSuccess: () => {
      toast.success(`Options of ${site.name} saved.`);
      onClose();
      router.refresh();
    },
    fallback: () => 'The options couldn’t be saved. Please try again.',
  });
  const groups = titles.flatMap(({ kind, title, hint }) => {
    const found = lines.filter((line) => line.kind === kind);
    return found.length > 0 ? [{ kind, title, hint: hint(limits), lines: found }] : [];
  });
  return (
    <DialogForm form={form} submitLabel="Save options" className="gap-6">
      {own.currency === walletCurrency ? null : (
        <Alert tone="warning">
          Options are sold for sites that are priced in {walletCurrency} only. This one is priced in {own.currency}.
        </Alert>
      )}
      <p className="text-muted text-sm">
        Amounts are in {own.currency}; a percentage is of the price of the placement. Leave a price empty if you do not
        offer the option.
      </p>
      {groups.map((group) => (
        <fieldset key={group.kind} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
          <legend className="font-medium text-ink text-sm">{group.title}</legend>
          <p className="text-muted text-xs">{group.hint}</p>
          {group.lines.map((line) => (
            <OptionLine key={line.prefix} line={line} currency={own.currency} errors={form.fields} />
          ))}
        </fieldset>
      ))}
    </DialogForm>
  );
}

type Group = { kind: OptionKind; title: string; hint: (limits: SiteOptionsProps['limits']) => string };

const titles: readonly Group[] = [
  {
    kind: 'guarantee',
    title: 'Longer guarantees',
    hint: ({ maxGuarantees, guaranteeDays }) =>
      `Up to ${maxGuarantees}. Every order has ${guaranteeDays} days. The surcharge becomes payable at the end of the guarantee.`,
  },
  {
    kind: 'topic',
    title: 'Topics',
    hint: () => 'A surcharge, or that you do not accept the topic.',
  },
  {
    kind: 'writing',
    title: 'Article by you',
    hint: ({ minWords }) =>
      minWords > 0
        ? `The price of 100 words. A shorter article counts as ${minWords} words.`
        : 'The price of 100 words.',
  },
  {
    kind: 'homepage',
    title: 'Mention on the homepage',
    hint: () => 'Your homepage links to the article for this number of days.',
  },
  {
    kind: 'change',
    title: 'Change after publication',
    hint: ({ changePercent }) =>
      `The price of a change that the buyer asks for later. Without one, it is ${changePercent} percent of the order.`,
  },
];

type LineProps = { line: Line; currency: string; errors: Readonly<Record<string, string>> };

function OptionLine({ line, currency, errors }: LineProps) {
  const { kind, prefix, topic, hasDays, own } = line;
  const name = topic ? topicNames[topic] : null;
  const [mode, setMode] = useState(
    own?.isRefused ? 'refused' : own?.surchargePercent === undefined ? 'cents' : 'percent',
  );
  const error = (field: string) => {
    const text = errors[`${prefix}.${field}`];
    return text ? { error: text } : {};
  };
  const amount = { step: '0.01', currency };
  const percent = own?.surchargePercent;
  const cents = own?.surchargeCents;
  return (
    <div className={hasDays ? 'grid grid-cols-3 gap-2' : 'grid grid-cols-2 gap-2'}>
      {hasDays ? (
        <TextField
          name={`${prefix}.days`}
          label="Days"
          type="number"
          min={1}
          defaultValue={own?.days === undefined ? '' : String(own.days)}
          {...error('days')}
        />
      ) : null}
      {mode === 'refused' ? null : (
        <TextField
          name={`${prefix}.value`}
          label={
            kind === 'writing'
              ? 'Price of 100 words'
              : name
                ? `${name}: surcharge`
                : kind === 'change'
                  ? 'Price'
                  : 'Surcharge'
          }
          type="number"
          min={0}
          {...(mode === 'percent' ? { step: 1 } : amount)}
          defaultValue={percent === undefined ? formatCents(cents) : String(percent)}
          {...error('value')}
        />
      )}
      {kind === 'writing' ? (
        <TextField
          name={`${prefix}.minimum`}
          label="Minimum for an article"
          type="number"
          min={0}
          {...amount}
          defaultValue={own?.minimumCents ? formatCents(own.minimumCents) : ''}
          {...error('minimum')}
        />
      ) : (
        <SelectField
          name={`${prefix}.mode`}
          label={name ? `${name}: terms` : 'Unit'}
          value={mode}
          onChange={(event) => setMode(event.target.value)}
          options={[
            { value: 'cents', label: currency },
            { value: 'percent', label: 'Percent' },
            ...(topic ? [{ value: 'refused', label: 'Not accepted' }] : []),
          ]}
          {...error('mode')}
        />
      )}
    </div>
  );
}

const formatCents = (cents: number | undefined) => (cents === undefined ? '' : (cents / 100).toFixed(2));

const textOf = ({ prefix }: Line, field: string, data: FormData) => getFormText(data, `${prefix}.${field}`).trim();

/** Checks whether a line names an option: it has a price, days, or a refusal. */
const isFilled = (line: Line, data: FormData): boolean =>
  textOf(line, 'mode', data) === 'refused' ||
  ['value', 'days', 'minimum'].some((field) => textOf(line, field, data) !== '');

/** Reads a line as the API takes it. A text that is no number is null, which the server refuses for its field. */
function readLine(line: Line, data: FormData) {
  const { kind, topic, hasDays } = line;
  const mode = textOf(line, 'mode', data);
  if (mode === 'refused') return { kind, topic, isRefused: true };
  const value = textOf(line, 'value', data);
  const days = textOf(line, 'days', data);
  const minimum = textOf(line, 'minimum', data);
  return {
    kind,
    ...(topic && { topic }),
    ...(hasDays && { days: /^\d{1,9}$/.test(days) ? Number(days) : null }),
    ...(mode === 'percent'
      ? { surchargePercent: /^\d{1,9}$/.test(value) ? Number(value) : toInvalid(value) }
      : { surchargeCents: parseMoney(value) ?? toInvalid(value) }),
    ...(minimum !== '' && { minimumCents: parseMoney(minimum) ?? minimum }),
  };
}

/** Returns what the server refuses with a message about numbers; null for an empty text, which is missing. */
const toInvalid = (text: string) => (text === '' ? null : text);

const formFields: Readonly<Record<string, string>> = {
  days: 'days',
  surchargeCents: 'value',
  surchargePercent: 'value',
  minimumCents: 'minimum',
  topic: 'mode',
  isRefused: 'mode',
};

/** Renames the fields of an error, `options.0.days`, to those of the form. */
function renameFields(cause: ApiError, filled: readonly Line[]): ApiError {
  const fields = Object.entries(cause.fields).map(([name, text]) => {
    const [, index = '', field = ''] = name.split('.');
    const line = filled[Number(index)];
    if (!line) return [name, text];
    const fallback = line.hasDays ? 'days' : 'value';
    return [`${line.prefix}.${formFields[field] ?? fallback}`, text];
  });
  return new ApiError(cause.status, cause.message, Object.fromEntries(fields), cause.url, cause.code);
}

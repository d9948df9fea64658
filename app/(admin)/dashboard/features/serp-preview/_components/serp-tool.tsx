'use client';

import { type ReactNode, useState } from 'react';
import { toast } from 'sonner';
import { TextareaField, TextField } from '@/components/form/fields';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Button, IconButton } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { copyText } from '@/components/ui/copy-button';
import { Icon } from '@/components/ui/icon';
import { Progress } from '@/components/ui/progress';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { type SerpDevice, type SerpPart, serpDevices, serpLengths, serpLines } from '@/lib/serp/limits';
import { ResultCard } from './result-card';
import {
  blankPage,
  type FontCoverage,
  type MeasuredText,
  type PageFacts,
  type SuggestedTexts,
  useSnippetWidths,
} from './use-snippet-widths';

const deviceLabels = {
  desktop: { label: 'Desktop', icon: 'monitor' },
  mobile: { label: 'Mobile', icon: 'smartphone' },
} as const;

type Typed = { page: PageFacts; before: PageFacts | null };
const blank: Typed = { page: blankPage, before: null };

/** Previews a page's title and description as a search result, and measures their widths as the user types. */
export function SerpTool({ coverage, startDevice }: { coverage: FontCoverage; startDevice: SerpDevice }) {
  /** The form values, and the texts before the last rewrite. One state, so that both are updated together. */
  const [{ page, before }, setTyped] = useState<Typed>(blank);
  const [device, setDevice] = useState(startDevice);
  const [suggestion, setSuggestion] = useState<SuggestedTexts | null>(null);
  const { asking, error, ask, clearError } = useSuggestions();
  const texts = { title: page.currentTitle, description: page.currentDescription };
  const measured = useSnippetWidths(texts, device, coverage);

  const change = (changes: Partial<PageFacts>) =>
    setTyped((known) => ({ ...known, page: { ...known.page, ...changes } }));
  const choose = (next: SerpDevice) => {
    setDevice(next);
    const query = next === 'mobile' ? '?device=mobile' : window.location.pathname;
    window.history.replaceState(null, '', query);
  };
  const copy = async (part: SerpPart) => {
    const isCopied = await copyText(measured?.[part].shown ?? '');
    if (isCopied) toast.success(part === 'title' ? 'Trimmed title copied.' : 'Trimmed description copied.');
    else toast.error('Your browser blocked copying. Select the text and copy it.');
  };
  const suggest = async () => {
    const found = await ask('suggest', page);
    if (found) setSuggestion(found);
  };
  const rewrite = async () => {
    const found = await ask('rewrite', page);
    if (!found) return;
    setSuggestion(null);
    // Uses the latest values, because the user may have typed during the request.
    setTyped(({ page: latest }) => ({
      page: { ...latest, currentTitle: found.title, currentDescription: found.description },
      before: latest,
    }));
  };
  const undo = () =>
    setTyped(({ page: latest, before: texts }) => ({
      page: {
        ...latest,
        ...(texts && { currentTitle: texts.currentTitle, currentDescription: texts.currentDescription }),
      },
      before: null,
    }));
  const reset = () => {
    setTyped(blank);
    setSuggestion(null);
    clearError();
  };
  const isBlank = Object.values(page).every((value) => value.trim() === '');

  return (
    <div className="grid grid-cols-1 items-start gap-4 min-[1400px]:grid-cols-[minmax(0,1fr)_43rem]">
      <Card>
        <CardHeader
          title="The page"
          actions={
            <Button
              size="sm"
              onClick={reset}
              disabled={(isBlank && !error) || asking !== null}
              icon={<Icon name="rotate-ccw" />}
            >
              Reset
            </Button>
          }
        />
        <CardBody className="grid gap-5">
          <PageFields page={page} onChange={change} />
          <TextMeter
            label="Title"
            limitPx={serpLines[device].title.limitPx}
            measured={measured?.title ?? null}
            warning={`Title is likely to truncate on ${device}. Consider shortening it.`}
            onCopy={() => copy('title')}
          >
            <TextField
              name="currentTitle"
              label="Title"
              value={page.currentTitle}
              maxLength={serpLengths.title}
              autoComplete="off"
              onChange={(event) => change({ currentTitle: event.target.value })}
            />
          </TextMeter>
          <TextMeter
            label="Description"
            limitPx={serpLines[device].description.limitPx}
            measured={measured?.description ?? null}
            warning={`Description may truncate on ${device}. Tighten it up or front-load key info.`}
            onCopy={() => copy('description')}
          >
            <TextareaField
              name="currentDescription"
              label="Description"
              rows={4}
              value={page.currentDescription}
              maxLength={serpLengths.description}
              onChange={(event) => change({ currentDescription: event.target.value })}
            />
          </TextMeter>
          {error ? <Alert tone="error">{error}</Alert> : null}
          {before ? (
            <Alert
              tone="success"
              action={
                <Button size="sm" variant="ghost" onClick={undo}>
                  Undo
                </Button>
              }
            >
              Title and description were rewritten.
            </Alert>
          ) : null}
          <div className="flex flex-wrap gap-2">
            <Button
              onClick={suggest}
              pending={asking === 'suggest'}
              disabled={asking !== null}
              icon={<Icon name="sparkles" />}
            >
              Suggest
            </Button>
            <Button
              variant="primary"
              onClick={rewrite}
              pending={asking === 'rewrite'}
              disabled={asking !== null}
              icon={<Icon name="wand-sparkles" />}
            >
              Rewrite Both (SEO)
            </Button>
          </div>
        </CardBody>
      </Card>
      <div className="grid grid-cols-1 gap-4 min-[1400px]:sticky min-[1400px]:top-20">
        <Card>
          <CardHeader title="Preview" actions={<DeviceToggle device={device} onChange={choose} />} />
          <ResultCard
            device={device}
            domain={page.domain}
            slug={page.slug}
            title={measured?.title.shown ?? ''}
            description={measured?.description.shown ?? ''}
            intent={page.intent}
          />
        </Card>
        {suggestion ? (
          <SuggestionCard
            suggestion={suggestion}
            onUse={(part) =>
              change(
                part === 'title' ? { currentTitle: suggestion.title } : { currentDescription: suggestion.description },
              )
            }
            onDismiss={() => setSuggestion(null)}
          />
        ) : null}
      </div>
    </div>
  );
}

/** The button whose request is pending. */
type Asking = 'suggest' | 'rewrite' | null;

/** Requests a title and a description. Returns null on failure; `error` then holds the reason. */
function useSuggestions() {
  const [asking, setAsking] = useState<Asking>(null);
  const [error, setError] = useState<string | null>(null);
  const ask = async (why: Exclude<Asking, null>, page: PageFacts): Promise<SuggestedTexts | null> => {
    setAsking(why);
    setError(null);
    try {
      return await apiFetch<SuggestedTexts>('/api/tools/seo/suggest', { method: 'POST', body: page });
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause.message || 'Failed to get suggestions.');
      return null;
    } finally {
      setAsking(null);
    }
  };
  return { asking, error, ask, clearError: () => setError(null) };
}

type DeviceToggleProps = { device: SerpDevice; onChange: (device: SerpDevice) => void };

function DeviceToggle({ device, onChange }: DeviceToggleProps) {
  return (
    <fieldset className="inline-flex gap-0.5 rounded-lg border border-line p-0.5">
      <legend className="sr-only">Device</legend>
      {serpDevices.map((one) => {
        const { label, icon } = deviceLabels[one];
        return (
          <button
            key={one}
            type="button"
            aria-pressed={one === device}
            onClick={() => onChange(one)}
            className="flex h-7 items-center gap-1.5 rounded-md px-2.5 text-muted text-sm transition-colors hover:text-ink aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink"
          >
            <Icon name={icon} />
            {label}
          </button>
        );
      })}
    </fieldset>
  );
}

type PageFieldsProps = { page: PageFacts; onChange: (change: Partial<PageFacts>) => void };

/** Renders the fields for the page's URL and its search terms. */
function PageFields({ page, onChange }: PageFieldsProps) {
  const field = (name: 'domain' | 'slug' | 'intent') => ({
    name,
    value: page[name],
    maxLength: serpLengths[name],
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField {...field('domain')} label="Domain" placeholder="example.com" inputMode="url" spellCheck={false} />
      <TextField {...field('slug')} label="Slug / path" placeholder="blog/garden-spades" spellCheck={false} />
      <TextField
        {...field('intent')}
        label="Search intent"
        hint="Target query; highlighted in the preview. Suggestions lead with it."
        placeholder="buy garden spades"
        className="sm:col-span-2"
      />
    </div>
  );
}

type TextMeterProps = {
  /** "Title" or "Description". */
  label: string;
  /** The device's limit in pixels. */
  limitPx: number;
  /** Null until measured. */
  measured: MeasuredText | null;
  /** Displayed if the text exceeds the limit. */
  warning: string;
  onCopy: () => void;
  /** The input field. */
  children: ReactNode;
};

/** Displays a text's width in pixels and its share of the limit, with a button that copies the trimmed text. */
function TextMeter({ label, limitPx, measured, warning, onCopy, children }: TextMeterProps) {
  const width = Math.round(measured?.widthPx ?? 0);
  const isEmpty = !measured || measured.widthPx === 0;
  const isTooLong = measured?.isTooLong ?? false;
  return (
    <div className="grid gap-2">
      {children}
      <Progress
        label={`Width of the ${label.toLowerCase()} in pixels`}
        value={width}
        max={limitPx}
        tone={isTooLong ? 'red' : 'green'}
      />
      <div className="flex min-h-8 items-center gap-2 text-sm">
        <span className="text-muted tabular-nums">
          {width} / {limitPx} px
        </span>
        {isEmpty ? null : <Badge tone={isTooLong ? 'red' : 'green'}>{isTooLong ? 'Too long' : 'Good'}</Badge>}
        {measured?.isGuessed ? (
          <span data-tooltip="The fonts of the search results don’t include some of these characters">
            <Badge>Estimated</Badge>
          </span>
        ) : null}
        <IconButton
          label={`Copy the trimmed ${label.toLowerCase()}`}
          disabled={isEmpty}
          onClick={onCopy}
          className="ml-auto"
        >
          <Icon name="copy" />
        </IconButton>
      </div>
      <p role="status" className="text-red-ink text-sm empty:hidden">
        {isTooLong ? warning : ''}
      </p>
    </div>
  );
}

type SuggestionCardProps = {
  suggestion: SuggestedTexts;
  onUse: (part: 'title' | 'description') => void;
  onDismiss: () => void;
};

/** Displays suggested texts, to apply or to dismiss. */
function SuggestionCard({ suggestion, onUse, onDismiss }: SuggestionCardProps) {
  const line = (label: string, part: 'title' | 'description') => (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <h3 className="text-muted text-xs">{label}</h3>
        <p dir="auto" className="wrap-anywhere text-ink text-sm">
          {suggestion[part]}
        </p>
      </div>
      <Button size="sm" onClick={() => onUse(part)} aria-label={`Use the suggested ${part}`}>
        Use
      </Button>
    </div>
  );
  return (
    <Card>
      <CardHeader
        title="Suggestion"
        description={
          suggestion.source === 'model' ? 'Generated with your OpenAI key' : 'Generated by rules from your own words'
        }
        actions={
          <Button size="sm" variant="ghost" onClick={onDismiss}>
            Dismiss
          </Button>
        }
      />
      <CardBody className="grid gap-3">
        {line('Title', 'title')}
        {line('Description', 'description')}
      </CardBody>
    </Card>
  );
}

'use client';

import { RotateCcw, Sparkles, WandSparkles } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { TextField } from '@/components/form/text-field';
import { TextareaField } from '@/components/form/textarea-field';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { copyText } from '@/components/ui/copy-text';
import { type SerpDevice, type SerpPart, serpLengths, serpLines } from '@/lib/serp/limits';
import { DeviceToggle } from './device-toggle';
import { PageFields } from './page-fields';
import { ResultCard } from './result-card';
import { blankPage, type PageFacts, type SuggestedTexts } from './snippet';
import { SuggestionCard } from './suggestion-card';
import { TextMeter } from './text-meter';
import { type FontCoverage, useSnippetWidths } from './use-snippet-widths';
import { useSuggestions } from './use-suggestions';

type Typed = { page: PageFacts; before: PageFacts | null };
const blank: Typed = { page: blankPage, before: null };

/** Title and description of a page as a search engine would show them, measured while they are typed. */
export function SerpTool({ coverage, startDevice }: { coverage: FontCoverage; startDevice: SerpDevice }) {
  /** What is typed, and the texts before the last rewriting: together, as both are of one moment. */
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
    else toast.error('The browser did not let the text be copied. Select and copy it by hand.');
  };
  const suggest = async () => {
    const found = await ask('suggest', page);
    if (found) setSuggestion(found);
  };
  const rewrite = async () => {
    const found = await ask('rewrite', page);
    if (!found) return;
    setSuggestion(null);
    // Not what was there when it was asked: somebody may have typed on.
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
              icon={<RotateCcw className="size-4" />}
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
              icon={<Sparkles className="size-4" />}
            >
              Suggest
            </Button>
            <Button
              variant="primary"
              onClick={rewrite}
              pending={asking === 'rewrite'}
              disabled={asking !== null}
              icon={<WandSparkles className="size-4" />}
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
